import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { listAt, textAt } from "../../Platform/AnswerPaths.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import type { ServedCampaign } from "./AdsSandboxServing.ts"

/** The failures that a developer switched on. */
export interface SandboxTroubles {
  readonly noBilling?: boolean
  readonly revoked?: boolean
  /** Unix milliseconds until which calls are refused. */
  readonly slowUntil?: number
  readonly quotaUntil?: number
  /** Calls are answered with a page instead of JSON. */
  readonly broken?: boolean
  readonly stops?: ReadonlyArray<{ readonly from: number; readonly until?: number }>
  readonly bursts?: ReadonlyArray<{ readonly from: number; readonly until: number }>
}

export interface SandboxAccount {
  readonly seed: number
  readonly name: string
  readonly troubles: SandboxTroubles
}

export interface SandboxBody {
  readonly [member: string]: unknown
}

export interface SandboxRecord {
  readonly id: number
  readonly kind: string
  readonly parentId: number | null
  readonly body: SandboxBody
  /** The time of creation in Unix milliseconds. */
  readonly createdAt: number
}

/** The contents of a simulated client account. */
export interface SandboxWorld {
  readonly account: SandboxAccount | undefined
  readonly records: ReadonlyArray<SandboxRecord>
}

export const makeSandboxStore = (sql: SqlClient, accountId: AccountId) => ({
  account: sql<SandboxAccount>`
    select seed, descriptive_name as name, troubles from sandbox_ads_account where account_id = ${accountId}`.pipe(
    fromSql(),
    Effect.map((rows) => rows[0])
  ),
  records: sql<SandboxRecord>`
    select record_id as id, kind, parent_id as "parentId", body,
      extract(epoch from created_at)::float8 * 1000 as "createdAt"
    from sandbox_ads_record where account_id = ${accountId} order by record_id`.pipe(fromSql()),
  open: (name: string) =>
    sql`
      insert into sandbox_ads_account (account_id, seed, descriptive_name)
      values (${accountId}, ${accountId % 1_000_003}, ${name})
      on conflict (account_id) do nothing`.pipe(fromSql()),
  /** Serialises calls that change something, and counts them for tests. */
  lock: sql`
    update sandbox_ads_account set calls = calls + 1 where account_id = ${accountId}`.pipe(fromSql()),
  insert: (kind: string, parentId: number | null, body: SandboxBody) =>
    sql<{ readonly id: number }>`
      insert into sandbox_ads_record (account_id, kind, parent_id, body, created_at)
      values (${accountId}, ${kind}, ${parentId}, ${JSON.stringify(body)}::jsonb, instant())
      returning record_id as id`.pipe(
      fromSql(),
      Effect.map((rows) => single(rows).id)
    ),
  put: (id: number, body: SandboxBody) =>
    sql`
      update sandbox_ads_record set body = ${JSON.stringify(body)}::jsonb
      where account_id = ${accountId} and record_id = ${id}`.pipe(fromSql()),
  setTroubles: (troubles: SandboxTroubles) =>
    sql`
      update sandbox_ads_account set troubles = ${JSON.stringify(troubles)}::jsonb
      where account_id = ${accountId}`.pipe(fromSql())
})

export type SandboxStore = ReturnType<typeof makeSandboxStore>

const isOf = (kind: string, parentId: number | null) => (record: SandboxRecord) =>
  record.kind === kind && (parentId === null || record.parentId === parentId)

export const recordsOf = (world: SandboxWorld, kind: string, parentId: number | null = null) =>
  world.records.filter(isOf(kind, parentId))

export const textsIn = (value: unknown, ...path: ReadonlyArray<string | number>): ReadonlyArray<string> =>
  listAt(value, ...path).map((each) => textAt(each, "text"))

const pairs = (value: unknown, name: string) =>
  listAt(value, name).map((each) => ({ at: Number(textAt(each, "at")), value: textAt(each, "value") }))

const headlinesIn = (assetGroup: SandboxBody): ReadonlyArray<string> =>
  listAt(assetGroup, "assets").flatMap((asset) =>
    textAt(asset, "fieldType") === "HEADLINE" ? [textAt(asset, "text")] : []
  )

/** A stored campaign in the form in which it runs. */
export const servedCampaign = (world: SandboxWorld, campaign: SandboxRecord): ServedCampaign => {
  const { account } = world
  const budgetId = Number(textAt(campaign.body, "budgetId"))
  const budget = world.records.find(({ id }) => id === budgetId)
  const disapproved = (body: SandboxBody) => {
    const at = Number(textAt(body, "disapprovedAt"))
    return at > 0 ? at : undefined
  }
  return {
    id: campaign.id,
    seed: account?.seed ?? 1,
    statuses: pairs(campaign.body, "statuses").map(({ at, value }) => ({ at, status: value })),
    budgets: pairs(budget?.body, "amounts").map(({ at, value }) => ({ at, micros: Number(value) })),
    keywords: [
      ...recordsOf(world, "keyword", campaign.id).map(({ body, createdAt, id }) => ({
        id,
        text: textAt(body, "text"),
        matchType: textAt(body, "matchType"),
        from: createdAt
      })),
      // The real platform decides where to show an automated campaign. The simulator uses its headlines as keywords.
      ...recordsOf(world, "assetGroup", campaign.id).flatMap(({ body, createdAt, id }) =>
        headlinesIn(body).map((text) => ({ id, text, matchType: "BROAD", from: createdAt }))
      )
    ],
    negatives: recordsOf(world, "negative", campaign.id).map(({ body, createdAt }) => ({
      text: textAt(body, "text"),
      matchType: textAt(body, "matchType"),
      from: createdAt
    })),
    ads: [...recordsOf(world, "ad", campaign.id), ...recordsOf(world, "assetGroup", campaign.id)].map(
      ({ body, createdAt, id, kind }) => ({
        id,
        headlines: kind === "ad" ? textsIn(body, "ad", "responsiveSearchAd", "headlines") : headlinesIn(body),
        from: createdAt,
        until: disapproved(body)
      })
    ),
    bursts: account?.troubles.bursts ?? [],
    stops: (account?.troubles.stops ?? []).map(({ from, until }) => ({ from, until })),
    charges: pairs(campaign.body, "charges").map(({ at, value }) => ({ at, micros: Number(value) }))
  }
}
