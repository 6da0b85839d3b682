import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { notFound, type Refused, type Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { JobId } from "../../Services/Jobs/Ids.ts"
import type { WishReport } from "../../Services/Text/WishReport.ts"
import type { WebsiteCodeId, WebsiteId } from "../../Services/Websites/Ids.ts"
import { isHeldBack, Site } from "../../Services/Websites/Site.ts"
import { mostEntriesInDay, tooManyEntries } from "../../Services/Websites/WebsiteRules.ts"
import { type CodeKind, type ListedCode, mostListed, type Snapshot } from "../../Services/Websites/Websites.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { type ProgressRow, progressColumns } from "./WebsiteRows.ts"

const decodeSite = Schema.decodeUnknown(Site)

/** Decodes a stored site. A failure is a bug. */
export const storedSite = (stored: unknown): Effect.Effect<Site> => Effect.orDie(decodeSite(stored))

export const codeMissing = (id: WebsiteCodeId) => notFound("website code", "website_code_id", id)

/** A new version in a site's history. A version that has a site is finished. */
export interface NewCode {
  readonly kind: CodeKind | "snapshot"
  readonly prompt: string
  readonly request: object
  readonly jobId?: JobId
  readonly site?: Site
  readonly notes?: ReadonlyArray<string>
  readonly mode?: ServiceMode | null
  readonly restoredFrom?: WebsiteCodeId
}

export interface CodeRow extends ProgressRow {
  readonly website_code_id: WebsiteCodeId
  readonly website_id: WebsiteId
  readonly kind: CodeKind | "snapshot"
  readonly prompt: string
  readonly notes: ReadonlyArray<string>
  readonly report: WishReport | null
  readonly mode: ServiceMode | null
  readonly site: unknown
  readonly restored_from: WebsiteCodeId | null
  readonly is_published: boolean
  readonly name: string
  readonly created_at: Timestamp
  readonly finished_at: Timestamp | null
}

/** The states that the account's sites had. */
export const makeCodeRows = Effect.gen(function* () {
  const sql = yield* SqlClient

  /** Adds a version. Refused if the account has added too many on that day. The account's lock must be held. */
  const add = (
    accountId: AccountId,
    websiteId: WebsiteId,
    { jobId, kind, mode = null, notes = [], prompt, request, restoredFrom, site }: NewCode
  ): Effect.Effect<WebsiteCodeId, Refused | Transient> =>
    Effect.gen(function* () {
      const { added } = single(
        yield* sql<{ readonly added: number }>`
          select count(*) as added from website_code
          where account_id = ${accountId} and created_at > instant() - interval '24 hours'`.pipe(fromSql())
      )
      if (added >= mostEntriesInDay) return yield* tooManyEntries
      const rows = yield* sql<{ readonly id: WebsiteCodeId }>`
        insert into website_code (account_id, website_id, kind, job_id, prompt, request, mode, site, notes,
          restored_from, finished_at)
        values (${accountId}, ${websiteId}, ${kind}, ${jobId ?? null}, ${prompt}, ${JSON.stringify(request)}::jsonb,
          ${mode}, ${site === undefined ? null : JSON.stringify(site)}::jsonb, ${JSON.stringify(notes)}::jsonb,
          ${restoredFrom ?? null}, case when ${site !== undefined} then instant() end)
        returning website_code_id as id`.pipe(fromSql())
      return single(rows).id
    })

  const publish = (accountId: AccountId, websiteId: WebsiteId, codeId: WebsiteCodeId) =>
    sql`update website set published_code_id = ${codeId}
      where account_id = ${accountId} and website_id = ${websiteId}`.pipe(Effect.asVoid, fromSql())

  /** An entry of a site that is not archived. */
  const get = (id: WebsiteCodeId) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      sql<CodeRow>`
        select c.website_code_id, c.website_id, c.kind, c.prompt, c.notes, c.report, c.mode, c.site, c.restored_from,
          coalesce(c.website_code_id = w.published_code_id, false) as is_published, n.name, c.created_at, c.finished_at,
          ${sql.literal(progressColumns)}
        from website_code c
        join website w on w.account_id = ${accountId} and w.website_id = c.website_id and w.archived_at is null
        join website_name n on n.account_id = ${accountId} and n.website_id = c.website_id and n.given_up_at is null
        left join background_job j on j.account_id = ${accountId} and j.job_id = c.job_id
        where c.account_id = ${accountId} and c.website_code_id = ${id}`.pipe(
        fromSql(),
        Effect.flatMap(([row]) => (row === undefined ? Effect.fail(codeMissing(id)) : Effect.succeed(row)))
      )
    )

  const list = (id: WebsiteId) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      sql<ListedCode>`
        select c.website_code_id, c.website_id, c.kind, c.prompt, c.notes as changes,
          coalesce(c.website_code_id = w.published_code_id, false) as is_published, c.restored_from as restored_from_website_code_id,
          jsonb_array_length(c.site -> 'pages') as page_count, c.created_at, c.finished_at
        from website_code c
        join website w on w.account_id = ${accountId} and w.website_id = c.website_id
        where c.account_id = ${accountId} and c.website_id = ${id} and c.kind <> 'snapshot' and c.site is not null
        order by c.website_code_id desc limit ${mostListed}`.pipe(fromSql())
    )

  const listSnapshots = (id: WebsiteId) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      sql<Snapshot>`
        select website_code_id, website_id, prompt as snapshot_description,
          jsonb_array_length(site -> 'pages') as page_count, created_at
        from website_code
        where account_id = ${accountId} and website_id = ${id} and kind = 'snapshot'
        order by website_code_id desc limit ${mostListed}`.pipe(fromSql())
    )

  /**
   * Reads the newest version, published or held back for the owner's answer; undefined until the first one is written.
   */
  const newest = (accountId: AccountId, websiteId: WebsiteId) =>
    sql<{ readonly codeId: WebsiteCodeId; readonly mode: ServiceMode | null; readonly site: unknown }>`
      select c.website_code_id as "codeId", c.mode, c.site from website w
      join website_code c on c.account_id = ${accountId} and c.website_id = w.website_id and c.site is not null
        and c.kind <> 'snapshot'
      where w.account_id = ${accountId} and w.website_id = ${websiteId} and w.archived_at is null
      order by c.website_code_id desc limit 1`.pipe(
      fromSql(),
      Effect.flatMap(([row]) =>
        row === undefined
          ? Effect.succeed(undefined)
          : Effect.map(storedSite(row.site), (site) => ({ codeId: row.codeId, mode: row.mode, site }))
      )
    )

  /**
   * Adds a version that was made by hand. It is published, unless the owner still has to answer a question. The
   * account's lock must be held.
   */
  const addByHand = (
    accountId: AccountId,
    websiteId: WebsiteId,
    { mode, note, site }: { readonly site: Site; readonly mode: ServiceMode | null; readonly note: string }
  ) =>
    Effect.gen(function* () {
      const codeId = yield* add(accountId, websiteId, {
        kind: "edit",
        prompt: "",
        request: {},
        mode,
        site,
        notes: [note]
      })
      if (!isHeldBack(site)) yield* publish(accountId, websiteId, codeId)
    })

  return { add, addByHand, publish, get, list, listSnapshots, newest }
})
