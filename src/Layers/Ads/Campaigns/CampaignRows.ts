import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { notFound, type Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { type Micros, servedBudget } from "../../../Services/Ads/AdsMoney.ts"
import { type AdsStanding, missingAssets, stateOf, type WantedStatus } from "../../../Services/Ads/AdsStates.ts"
import type { AutomatedMaterial } from "../../../Services/Ads/AutomatedAssets.ts"
import type {
  AdGroupId,
  AdId,
  AdKeywordId,
  AdsCampaignId,
  AdsCampaignState,
  ChannelType,
  MatchType
} from "../../../Services/Ads/Ids.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { automatedMaterial } from "./AutomatedMaterial.ts"

/** A stored campaign, with counts of its parts. */
export interface CampaignRow {
  readonly adsCampaignId: AdsCampaignId
  readonly adGroupId: AdGroupId
  readonly name: string
  readonly channelType: ChannelType
  readonly dailyBudgetMicros: Micros
  readonly wanted: WantedStatus
  readonly state: AdsCampaignState
  readonly holdReason: string | null
  readonly holdDetail: string | null
  readonly failure: string | null
  readonly rechargeKey: string
  readonly externalId: string | null
  readonly externalBudgetId: string | null
  readonly externalAdGroupId: string | null
  readonly externalStatus: string | null
  /** True if the platform does not serve the campaign, and all its charges are known. */
  readonly isStoppedAndCounted: boolean
  readonly externalBudgetMicros: Micros | null
  readonly rechargedMicros: Micros
  readonly spentMicros: Micros
  readonly impressions: number
  readonly clicks: number
  readonly conversions: number
  readonly syncedAt: Timestamp | null
  readonly syncedDay: string | null
  readonly dueAt: Timestamp | null
  readonly attempts: number
  readonly version: number
  readonly createdAt: Timestamp
  readonly liveSince: Timestamp | null
  readonly endedAt: Timestamp | null
  readonly ads: number
  readonly keywords: number
  readonly unsent: number
  /** The account's material for an automated campaign. Absent for other campaigns. */
  readonly material?: AutomatedMaterial
}

const columns = `c.ads_campaign_id as "adsCampaignId", g.ad_group_id as "adGroupId", c.name,
  c.channel_type as "channelType", c.daily_budget_micros as "dailyBudgetMicros", c.wanted, c.state,
  c.hold_reason as "holdReason", c.hold_detail as "holdDetail", c.failure, c.recharge_key as "rechargeKey",
  c.external_id as "externalId", c.external_budget_id as "externalBudgetId",
  c.external_ad_group_id as "externalAdGroupId", c.external_status as "externalStatus",
  coalesce(c.external_status <> 'ENABLED' and c.synced_at > c.external_status_at, false) as "isStoppedAndCounted",
  c.external_budget_micros as "externalBudgetMicros", c.spent_micros as "spentMicros", c.impressions, c.clicks,
  c.conversions, c.synced_at as "syncedAt", c.synced_day::text as "syncedDay", c.due_at as "dueAt", c.attempts, c.version,
  c.created_at as "createdAt", c.live_since as "liveSince", c.ended_at as "endedAt"`

/** Statements on campaigns, each of one account. */
export const makeCampaignRows = (sql: SqlClient) => {
  /** Adds the account's material, if one of the campaigns is automated. */
  const withMaterial = (accountId: AccountId, rows: ReadonlyArray<CampaignRow>) =>
    rows.some(({ channelType }) => channelType === "Automated")
      ? Effect.map(automatedMaterial(sql, accountId), (material) =>
          rows.map((row): CampaignRow => (row.channelType === "Automated" ? { ...row, material } : row))
        )
      : Effect.succeed(rows)

  const select = (accountId: AccountId, where: ReturnType<typeof sql.and>) =>
    sql<CampaignRow>`
      select ${sql.literal(columns)},
        (select coalesce(sum(f.amount_micros), 0)::bigint from ads_funding_entry f
          where f.account_id = ${accountId} and f.ads_campaign_id = c.ads_campaign_id) as "rechargedMicros",
        (select count(*) from ads_ad a where a.account_id = ${accountId} and a.ads_campaign_id = c.ads_campaign_id
          and a.refusal is null) as ads,
        (select count(*) from ads_keyword k where k.account_id = ${accountId}
          and k.ads_campaign_id = c.ads_campaign_id and not k.is_negative and k.refusal is null) as keywords,
        (select count(*) from ads_ad a where a.account_id = ${accountId} and a.ads_campaign_id = c.ads_campaign_id
          and a.external_id is null and a.refusal is null)
        + (select count(*) from ads_keyword k where k.account_id = ${accountId}
          and k.ads_campaign_id = c.ads_campaign_id and k.external_id is null and k.refusal is null) as unsent
      from ads_campaign c
      join ads_ad_group g on g.account_id = c.account_id and g.ads_campaign_id = c.ads_campaign_id
      where c.account_id = ${accountId} and ${where}
      order by (c.wanted = 'ended'), c.ads_campaign_id desc limit 500`.pipe(
      fromSql(),
      Effect.flatMap((rows) => withMaterial(accountId, rows))
    )

  const byId = (accountId: AccountId, id: AdsCampaignId) =>
    Effect.map(select(accountId, sql`c.ads_campaign_id = ${id}`), (rows) => rows[0])

  /** Finds a campaign by name or else by id. An ended one is found by name only if no other campaign has the name. */
  const named = Effect.fnUntraced(function* (accountId: AccountId, campaign: string) {
    const name = campaign.trim()
    const [byName] = yield* select(accountId, sql`lower(c.name) = lower(${name})`)
    if (byName !== undefined) return byName
    const found = /^\d{1,15}$/.test(name)
      ? (yield* select(accountId, sql`c.ads_campaign_id = ${Number(name)}`))[0]
      : undefined
    return found ?? (yield* notFound("ads campaign", "campaign", campaign.slice(0, 200)))
  })

  /** Locks the campaign until the transaction ends. */
  const lock = (accountId: AccountId, id: AdsCampaignId) =>
    sql`select from ads_campaign where account_id = ${accountId} and ads_campaign_id = ${id} for no key update`.pipe(
      fromSql()
    )

  /** Makes the campaign due at once after a change that the platform may need. */
  const wake = (accountId: AccountId, id: AdsCampaignId) =>
    sql`
      update ads_campaign set version = version + 1, due_at = instant()
      where account_id = ${accountId} and ads_campaign_id = ${id}`.pipe(fromSql())

  /**
   * Stores the state that follows from the current facts. The campaign is checked again after `dueInSeconds` (null:
   * only after a change). If it changed since `version` was read, it stays due.
   */
  const settle = Effect.fnUntraced(function* (
    accountId: AccountId,
    id: AdsCampaignId,
    next?: { readonly dueInSeconds: number | null; readonly version: number }
  ): Effect.fn.Return<CampaignRow | undefined, Transient> {
    const row = yield* byId(accountId, id)
    if (row === undefined) return undefined
    const state = stateOf(standingOf(row))
    const due =
      next === undefined
        ? sql`due_at`
        : sql`case when version = ${next.version}
            then ${next.dueInSeconds === null ? sql`null` : sql`instant() + make_interval(secs => ${next.dueInSeconds}::float8)`}
            else due_at end`
    yield* sql`
      update ads_campaign set state = ${state}, due_at = ${due},
        live_since = case when ${state === "live"} then coalesce(live_since, instant()) else live_since end
      where account_id = ${accountId} and ads_campaign_id = ${id}`.pipe(fromSql())
    return yield* byId(accountId, id)
  })

  return { select, byId, named, lock, wake, settle }
}

export type CampaignRows = ReturnType<typeof makeCampaignRows>

export const remainingOf = ({ rechargedMicros, spentMicros }: CampaignRow): Micros => rechargedMicros - spentMicros

export const missingOf = ({ ads, channelType, keywords, material }: CampaignRow): ReadonlyArray<string> =>
  missingAssets(channelType, { ads, keywords }, material)

export const standingOf = (row: CampaignRow): AdsStanding => ({
  wanted: row.wanted,
  missing: missingOf(row),
  rechargedMicros: row.rechargedMicros,
  remainingMicros: remainingOf(row),
  isAtPlatform: row.externalId !== null,
  isEnabledThere: row.externalStatus === "ENABLED",
  holdReason: row.holdReason,
  failure: row.failure
})

/** Returns the daily budget for the campaign. Undefined if the balance is too low. */
export const budgetOf = (row: CampaignRow): Micros | undefined => servedBudget(row.dailyBudgetMicros, remainingOf(row))

export interface AdRow {
  readonly adId: AdId
  readonly finalUrl: string
  readonly headlines: ReadonlyArray<string>
  readonly descriptions: ReadonlyArray<string>
  readonly externalId: string | null
  readonly refusal: string | null
}

export interface KeywordRow {
  readonly keywordId: AdKeywordId
  readonly text: string
  readonly matchType: MatchType
  readonly isNegative: boolean
  readonly externalId: string | null
  readonly refusal: string | null
}

export const adsOf = (sql: SqlClient, accountId: AccountId, id: AdsCampaignId) =>
  sql<AdRow>`
    select ad_id as "adId", final_url as "finalUrl", headlines, descriptions, external_id as "externalId", refusal
    from ads_ad where account_id = ${accountId} and ads_campaign_id = ${id} order by ad_id`.pipe(fromSql())

export const keywordsOf = (sql: SqlClient, accountId: AccountId, id: AdsCampaignId) =>
  sql<KeywordRow>`
    select keyword_id as "keywordId", keyword_text as text, match_type as "matchType", is_negative as "isNegative",
      external_id as "externalId", refusal
    from ads_keyword where account_id = ${accountId} and ads_campaign_id = ${id} order by keyword_id`.pipe(fromSql())
