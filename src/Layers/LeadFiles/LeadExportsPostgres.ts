import { SqlClient } from "@effect/sql/SqlClient"
import { Chunk, Effect, Layer, Option, Schema, Stream, Struct } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { CustomerFiles, type CustomerFileView } from "../../Services/Files/CustomerFiles.ts"
import { endedByCancellation, type JobCancelled, JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import { type LeadCsvRow, leadCsvHeader, leadCsvLine } from "../../Services/LeadFiles/LeadCsv.ts"
import { type LeadExportId, LeadExports, leadExportKind } from "../../Services/LeadFiles/LeadExports.ts"
import { leadFilterFields } from "../../Services/Leads/LeadSearch.ts"
import { makeRemoveFiles } from "../Files/Sql.ts"
import { allOf, conditions, makeResolve, makeValues, type ResolvedFilter } from "../Leads/Sql.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { erasuresOf, publishExport } from "./PublishedExport.ts"

/** The filter as the job stores it, with the id of its campaign. */
const StoredFilter = Schema.partial(
  Schema.Struct({ ...Struct.omit(leadFilterFields, "campaign"), campaignId: CampaignId })
)
const decodeFilter = Schema.decodeUnknown(StoredFilter)

const rowsPerPage = 1000

const filterTerms = (accountId: AccountId, filter: ResolvedFilter) => {
  const { bind, values } = makeValues()
  const ofAccount = `account_id = ${bind(accountId)}`
  const text = filter.query === undefined ? [] : [`search_text like containing(fold(${bind(filter.query)}))`]
  return { bind, values, where: allOf([ofAccount, ...conditions(filter, bind), ...text]) }
}

/** Pages continue after a lead's id. With an offset, each page would be read from the first lead on. */
export const pageStatement = (accountId: AccountId, filter: ResolvedFilter, afterLeadId: number) => {
  const { bind, values, where: condition } = filterTerms(accountId, filter)
  const text = `
    select l.lead_id, l.name, l.email, l.phone, l.company, l.job_title, l.website, l.linkedin_url, l.city, l.state,
      l.country, l.cnae, l.industry, l.status, l.pipeline_state, l.paused_at is not null as is_paused, l.final_outcome,
      c.name as campaign, l.goal, l.background, l.last_outbound_at, l.last_inbound_at, l.next_touch_at, l.created_at
    from (select * from lead where ${condition} and lead_id > ${bind(afterLeadId)} order by lead_id limit ${rowsPerPage}) l
    left join campaign c on c.account_id = l.account_id and c.campaign_id = l.campaign_id and c.archived_at is null
    order by l.lead_id`
  return { text, values }
}

const countStatement = (accountId: AccountId, filter: ResolvedFilter) => {
  const { values, where } = filterTerms(accountId, filter)
  return { text: `select count(*) as total from lead where ${where}`, values }
}

interface Export {
  readonly lead_export_id: LeadExportId
  readonly filter: unknown
  readonly is_written: boolean
}

const exportDeleted = new JobFailed({ reason: "The export no longer exists." })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const removeFiles = yield* makeRemoveFiles
  const unit = yield* UnitOfWork
  const jobs = yield* Jobs
  const files = yield* CustomerFiles
  const notifications = yield* Notifications
  const resolve = yield* makeResolve

  const load = ({ accountId, jobId }: RunningJob) =>
    sql<Export>`
      select lead_export_id, filter, customer_file_id is not null as is_written from lead_export
      where account_id = ${accountId} and job_id = ${jobId}`.pipe(
      fromSql(),
      Effect.flatMap((rows) => (rows[0] === undefined ? Effect.fail(exportDeleted) : Effect.succeed(rows[0])))
    )

  const read = <Row extends object>({ text, values }: { readonly text: string; readonly values: Array<unknown> }) =>
    unit.read(sql.unsafe<Row>(text, values).pipe(fromSql()))

  /** The bytes of the CSV file, page by page. `onLeads` receives the number of leads after each page. */
  const csv = (
    { accountId, checkpoint }: RunningJob,
    filter: ResolvedFilter,
    onLeads: (count: number) => Effect.Effect<void, Transient>
  ): Stream.Stream<Uint8Array, JobCancelled | Transient> => {
    const pages = Stream.paginateChunkEffect({ after: 0, leadCount: 0 }, ({ after, leadCount }) =>
      Effect.gen(function* () {
        yield* checkpoint
        const rows = yield* read<LeadCsvRow>(pageStatement(accountId, filter, after))
        const count = leadCount + rows.length
        yield* onLeads(count)
        const last = rows.at(-1)
        const isLast = last === undefined || rows.length < rowsPerPage
        const next = isLast ? Option.none() : Option.some({ after: last.lead_id, leadCount: count })
        return [Chunk.of(rows.map(leadCsvLine).join("")), next]
      })
    )
    return Stream.encodeText(Stream.concat(Stream.succeed(leadCsvHeader), pages))
  }

  const show = (accountId: AccountId, id: LeadExportId, file: CustomerFileView, count: number) =>
    Effect.gen(function* () {
      yield* sql`
        update lead_export
        set customer_file_id = ${file.customer_file_id}, lead_count = ${count}, filter = filter - 'query'
        where account_id = ${accountId} and lead_export_id = ${id}`.pipe(fromSql())
      yield* notifications.tell(
        { kind: "lead_export_finished", count, fileName: file.file_name },
        { lead_export_id: id, customer_file_id: file.customer_file_id, lead_count: count }
      )
    })

  return LeadExports.of({
    start: Effect.fn("LeadExports.start")(function* (request) {
      const { accountId } = yield* Caller
      const filter = yield* resolve(request)
      const jobId = yield* jobs.enqueue({ kind: leadExportKind, subjectId: undefined })
      const { leadExportId } = single(
        yield* sql<{ readonly leadExportId: LeadExportId }>`
          insert into lead_export (account_id, job_id, filter)
          values (${accountId}, ${jobId}, ${JSON.stringify(filter)}::jsonb)
          returning lead_export_id as "leadExportId"`.pipe(fromSql())
      )
      yield* jobs.setSubject(jobId, leadExportId)
      return { leadExportId, jobId }
    }),

    write: Effect.fn("LeadExports.write")(function* (job) {
      const { filter: stored, is_written, lead_export_id } = yield* load(job)
      if (is_written) return
      const filter: ResolvedFilter = yield* Effect.orDie(decodeFilter(stored))
      const erasedBefore = yield* erasuresOf(sql, job.accountId)
      const { total } = single(yield* read<{ readonly total: number }>(countStatement(job.accountId, filter)))
      let count = 0
      const file = yield* files
        .write({
          fileName: `leads-export-${lead_export_id}.csv`,
          mediaType: "text/csv",
          bytes: csv(job, filter, (leadCount) => {
            count = leadCount
            return job.setProgress((99 * leadCount) / Math.max(total, 1))
          })
        })
        .pipe(
          Effect.catchTag("Refused", ({ error }) => new JobFailed({ reason: error })),
          endedByCancellation(job)
        )
      const { accountId } = job
      const isShown = yield* publishExport(
        { sql, unit, removeFiles },
        { accountId, fileId: file.customer_file_id, erasedBefore },
        show(accountId, lead_export_id, file, count)
      )
      if (!isShown) return yield* transient("lead_erased", "A lead was erased while the export was written.", 1)
    })
  })
})

export const LeadExportsPostgres = Layer.effect(LeadExports, make)
