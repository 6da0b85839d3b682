import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { notFound } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { JobId } from "../../Services/Jobs/Ids.ts"
import type { JobStatus } from "../../Services/Jobs/Jobs.ts"
import { siteOrigin } from "../../Services/Text/Web/SiteHost.ts"
import { shownReport, type WishReport } from "../../Services/Text/WishReport.ts"
import type { ApplicationType, WebsiteCodeId, WebsiteId } from "../../Services/Websites/Ids.ts"
import { type CodeKind, mostListed, type WebsiteView } from "../../Services/Websites/Websites.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"

/** The path of the site editor. A site's key follows it. */
export const editorPath = "/site-editor"

export const websiteMissing = (id: WebsiteId, type?: ApplicationType) =>
  type === "LeadCapturePage"
    ? notFound("lead capture page", "lead_capture_page_id", id)
    : notFound("website", "website_id", id)

/** A site as it is locked for a change. */
export interface HeldWebsite {
  readonly website_id: WebsiteId
  readonly application_type: ApplicationType
  readonly title: string
  readonly language: string
  readonly is_restricted: boolean
  readonly stores_data: boolean
  readonly published_code_id: WebsiteCodeId | null
}

/** The columns of a version and its job that determine its progress. */
export interface ProgressRow {
  readonly status: JobStatus
  readonly progress: number
  readonly failure_code: string | null
  readonly failure_detail: string | null
  readonly job_failure: string | null
  readonly job_id: JobId | null
}

/** Returns a version's progress as answers show it. */
export const progressOf = ({ failure_code, failure_detail, job_failure, job_id, progress, status }: ProgressRow) => ({
  status,
  progress,
  failure_reason: status === "failed" ? (failure_code ?? "given_up") : null,
  failure_detail: status === "failed" ? (failure_detail ?? job_failure) : null,
  job_id
})

/** Columns of a version `c` and its job `j`. A version with a stored site is finished, whatever its job still does. */
export const progressColumns = `
  case when c.site is not null then 'finished' else j.status end as status,
  case when c.site is not null then 100 else j.progress end as progress,
  c.failure_code, c.failure_detail, j.failure_reason as job_failure, c.job_id`

interface WebsiteRow extends ProgressRow {
  readonly website_id: WebsiteId
  readonly application_type: ApplicationType
  readonly title: string
  readonly description: string
  readonly language: string
  readonly name: string
  readonly mode: ServiceMode | null
  readonly published_code_id: WebsiteCodeId | null
  readonly website_code_id: WebsiteCodeId
  readonly kind: CodeKind
  readonly prompt: string
  readonly notes: ReadonlyArray<string>
  readonly report: WishReport | null
  readonly begun_at: Timestamp
  readonly finished_at: Timestamp | null
  readonly is_restricted: boolean
  readonly stores_data: boolean
  readonly suspended_reason: string | null
  readonly editor_key: string
  readonly created_at: Timestamp
}

/** The rows of the account's sites, and how they are shown. */
export const makeWebsiteRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { baseUrl, siteDomain } = yield* Settings

  const columns = sql.literal(`w.website_id, w.application_type, w.title, w.description, w.language, n.name,
    w.published_code_id, w.is_restricted, w.stores_data, w.editor_key, w.created_at,
    case when w.suspended_at is not null then coalesce(w.suspended_reason, '') end as suspended_reason,
    c.website_code_id, c.kind, c.prompt, c.notes, c.report, c.mode, c.created_at as begun_at, c.finished_at, ${progressColumns}`)

  const viewOf = (row: WebsiteRow): WebsiteView => ({
    website_id: row.website_id,
    application_type: row.application_type,
    title: row.title,
    description: row.description,
    language: row.language,
    url: `${siteOrigin({ baseUrl, siteDomain }, row.name)}/`,
    subdomain: row.name,
    ...progressOf(row),
    ...shownReport(row.report),
    mode: row.mode,
    is_published: row.published_code_id !== null && row.suspended_reason === null,
    published_website_code_id: row.published_code_id,
    last_change: {
      website_code_id: row.website_code_id,
      kind: row.kind,
      prompt: row.prompt,
      changes: row.notes,
      created_at: row.begun_at,
      finished_at: row.finished_at
    },
    restricted: row.is_restricted,
    data_storage_required: row.stores_data,
    suspended_reason: row.suspended_reason,
    editor_url: `${baseUrl}${editorPath}/${row.editor_key}`,
    preview_url: `${baseUrl}${editorPath}/${row.editor_key}/preview`,
    created_at: row.created_at,
    updated_at: row.finished_at ?? row.begun_at
  })

  const select = (accountId: AccountId, which: Fragment) => sql<WebsiteRow>`
    select ${columns} from website w
    join website_name n on n.account_id = w.account_id and n.website_id = w.website_id and n.given_up_at is null
    join lateral (
      select * from website_code k
      where k.account_id = ${accountId} and k.website_id = w.website_id and k.kind <> 'snapshot'
      order by k.website_code_id desc limit 1
    ) c on true
    left join background_job j on j.account_id = ${accountId} and j.job_id = c.job_id
    where w.account_id = ${accountId} and w.archived_at is null and ${which}
    order by w.website_id desc limit ${mostListed}`

  const ofType = (type: ApplicationType | undefined) =>
    type === undefined ? sql`true` : sql`w.application_type = ${type}`

  const get = (id: WebsiteId, type?: ApplicationType) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      select(accountId, sql`w.website_id = ${id} and ${ofType(type)}`).pipe(
        fromSql(),
        Effect.flatMap(([row]) =>
          row === undefined ? Effect.fail(websiteMissing(id, type)) : Effect.succeed(viewOf(row))
        )
      )
    )

  const list = (type?: ApplicationType) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      select(accountId, ofType(type)).pipe(
        fromSql(),
        Effect.map((rows) => rows.map(viewOf))
      )
    )

  /** Fails if the site does not exist. */
  const exists = (id: WebsiteId) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      sql`select from website
        where account_id = ${accountId} and website_id = ${id} and archived_at is null`.pipe(
        fromSql(),
        Effect.flatMap((rows) => (rows.length === 0 ? Effect.fail(websiteMissing(id)) : Effect.void))
      )
    )

  /**
   * Locks the site until the transaction ends. Every change of a site needs it. Lock order: the account's lock, site,
   * job.
   */
  const hold = (id: WebsiteId, type?: ApplicationType) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      sql<HeldWebsite>`
        select w.website_id, w.application_type, w.title, w.language, w.is_restricted, w.stores_data, w.published_code_id
        from website w
        where w.account_id = ${accountId} and w.website_id = ${id} and w.archived_at is null and ${ofType(type)}
        for no key update`.pipe(
        fromSql(),
        Effect.flatMap(([row]) => (row === undefined ? Effect.fail(websiteMissing(id, type)) : Effect.succeed(row)))
      )
    )

  /** Reads the unfinished version of the site and its job; no rows if the newest version is finished. */
  const unfinished = (accountId: AccountId, id: WebsiteId) =>
    sql<{ readonly website_code_id: WebsiteCodeId; readonly job_id: JobId }>`
      select c.website_code_id, c.job_id from website_code c
      join background_job j on j.account_id = ${accountId} and j.job_id = c.job_id
      where c.account_id = ${accountId} and c.website_id = ${id} and c.site is null
        and j.status in ('queued', 'running')
      order by c.website_code_id desc limit 1`.pipe(
      fromSql(),
      Effect.map(([row]) => row)
    )

  return { get, list, exists, hold, unfinished }
})
