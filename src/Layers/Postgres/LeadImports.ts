import { SqlClient } from "@effect/sql/SqlClient"
import { Chunk, Effect, Either, Layer, Stream } from "effect"
import { notFound, transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Account.ts"
import { AccountEvents } from "../../Services/AccountEvents.ts"
import { Caller } from "../../Services/Caller.ts"
import { type CampaignId, CampaignLookup } from "../../Services/Campaigns.ts"
import { type CustomerFileId, CustomerFiles } from "../../Services/CustomerFiles.ts"
import { type CandidateLead, candidateOf, type InvalidRow, planBatch } from "../../Services/ImportPlan.ts"
import { JobFailed, type RunningJob } from "../../Services/JobHandler.ts"
import { Jobs } from "../../Services/Jobs.ts"
import { type LeadFileError, LeadFileReader, type LeadFileRow } from "../../Services/LeadFile.ts"
import {
  type ImportedRow,
  type InlineRow,
  type LeadImportId,
  LeadImports,
  type LeadImportView,
  leadImportKind,
  type RowOutcome
} from "../../Services/LeadImports.ts"
import type { LeadId } from "../../Services/LeadModel.ts"
import { Notifications } from "../../Services/Notifications.ts"
import { UnitOfWork } from "../../Services/UnitOfWork.ts"
import { makeAccountCountry } from "./AccountCountry.ts"
import { conflictReason, fromSql, single } from "./Sql.ts"

/** Rows per transaction: large enough that its round trips do not count, small enough to block nobody for long. */
const batchSize = 500

interface ImportRecord {
  readonly lead_import_id: LeadImportId
  readonly customer_file_id: CustomerFileId | null
  readonly inline_rows: ReadonlyArray<InlineRow> | null
  readonly campaign_id: CampaignId | null
  readonly lead_status: string
  readonly preferred_channel: string | null
  readonly instructions: string | null
  readonly first_message_instructions: string | null
  readonly prospecting_background: string | null
  readonly prospecting_goal: string | null
  readonly row_count: number | null
  readonly rows_processed: number
}

interface SettledRow {
  readonly rowNumber: number
  readonly outcome: RowOutcome
  readonly reason: string | null
  readonly leadId: LeadId | null
}

const gone = new JobFailed({ reason: "The import no longer exists." })

const unreadable = ({ cell, detail, file_row, message }: LeadFileError) => {
  const place = cell !== undefined ? ` (cell ${cell})` : file_row !== undefined ? ` (row ${file_row})` : ""
  return new JobFailed({ reason: `${message}${place} ${detail}` })
}

const fileRemoved = () => new JobFailed({ reason: "The file was removed before its leads were imported." })

const inlineRow = (row: InlineRow, index: number): LeadFileRow => ({
  row_number: index + 1,
  file_row: index + 1,
  name: row.name ?? "",
  email: row.email ?? "",
  phone: row.phone ?? "",
  company: row.company ?? ""
})

const contactsOf = (candidates: ReadonlyArray<CandidateLead>) => ({
  emails: candidates.flatMap(({ email }) => (email === null ? [] : [email])),
  phones: candidates.flatMap(({ phone }) => (phone === null ? [] : [phone]))
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const jobs = yield* Jobs
  const files = yield* CustomerFiles
  const campaigns = yield* CampaignLookup
  const notifications = yield* Notifications
  const events = yield* AccountEvents
  const reader = yield* LeadFileReader
  const countries = yield* makeAccountCountry

  const view = sql.literal(`i.lead_import_id, i.job_id, j.status, j.progress, j.failure_reason, i.source_name,
    i.customer_file_id, i.campaign_id, i.row_count, i.rows_processed, i.created_count, i.duplicate_count,
    i.invalid_count, i.created_at, j.finished_at`)

  const load = ({ accountId, jobId }: RunningJob) =>
    sql<ImportRecord>`
      select lead_import_id, customer_file_id, inline_rows, campaign_id, lead_status, preferred_channel, instructions,
        first_message_instructions, prospecting_background, prospecting_goal, row_count, rows_processed
      from lead_import where account_id = ${accountId} and job_id = ${jobId}`.pipe(
      fromSql(),
      Effect.flatMap((rows) => (rows[0] === undefined ? Effect.fail(gone) : Effect.succeed(rows[0])))
    )

  /** The rows of the source. What is wrong with the file ends the job; trouble of the database lets it be tried again. */
  const sourceRows = (record: ImportRecord) => {
    if (record.customer_file_id === null) return Stream.fromIterable((record.inline_rows ?? []).map(inlineRow))
    const id = record.customer_file_id
    return Stream.unwrap(
      Effect.map(files.get(id), (file) =>
        Stream.unwrap(
          Effect.map(Effect.context<Caller>(), (context) =>
            reader.read({
              fileName: file.file_name,
              sizeBytes: file.size_bytes,
              bytes: Stream.provideContext(files.read(id), context)
            })
          )
        )
      )
    ).pipe(
      Stream.catchTags({
        LeadFileError: (error) => Stream.fail(unreadable(error)),
        NotFound: () => Stream.fail(fileRemoved())
      })
    )
  }

  /** Reads the source to its end once, so that a file that turns out broken half-way leaves nothing half done. */
  const countRows = Effect.fnUntraced(function* (job: RunningJob, record: ImportRecord) {
    if (record.row_count !== null) return record.row_count
    const count = yield* sourceRows(record).pipe(
      Stream.chunks,
      Stream.tap(() => job.checkpoint),
      Stream.runFold(0, (total, chunk) => total + chunk.length)
    )
    yield* sql`
      update lead_import set row_count = ${count}
      where account_id = ${job.accountId} and lead_import_id = ${record.lead_import_id}`.pipe(fromSql())
    return count
  })

  const findKnown = (accountId: AccountId, record: ImportRecord, candidates: ReadonlyArray<CandidateLead>) => {
    const { emails, phones } = contactsOf(candidates)
    return sql<{
      readonly leadId: LeadId
      readonly email: string | null
      readonly phone: string | null
      readonly isOfThisImport: boolean
    }>`
      select lead_id as "leadId", email, phone,
        coalesce(lead_import_id = ${record.lead_import_id}, false) as "isOfThisImport"
      from lead where account_id = ${accountId} and email = any(${emails})
      union
      select lead_id, email, phone, coalesce(lead_import_id = ${record.lead_import_id}, false)
      from lead where account_id = ${accountId} and phone = any(${phones})`.pipe(fromSql())
  }

  const findErased = (accountId: AccountId, candidates: ReadonlyArray<CandidateLead>) => {
    const { emails, phones } = contactsOf(candidates)
    return sql<{ readonly contact: string }>`
      select c.contact from account a
      cross join lateral (
        select 'email' as kind, unnest(${emails}::text[]) as contact
        union all select 'phone', unnest(${phones}::text[])
      ) c
      where a.account_id = ${accountId} and exists (select from lead_tombstone t where t.account_id = a.account_id)
        and exists (select from lead_tombstone t where t.account_id = a.account_id
          and t.contact_digest = contact_digest(a.tombstone_key, c.kind, c.contact))`.pipe(
      Effect.map((rows) => new Set(rows.map(({ contact }) => contact))),
      fromSql()
    )
  }

  const insertLeads = (accountId: AccountId, record: ImportRecord, leads: ReadonlyArray<CandidateLead>) => {
    const column = <A>(pick: (lead: CandidateLead) => A) => leads.map(pick)
    return sql<{ readonly leadId: LeadId; readonly email: string | null; readonly phone: string | null }>`
      with created as (
        insert into lead (account_id, name, email, phone, company, linkedin_url, city, state, country, job_title,
          website, status, pipeline_state, next_touch_at, campaign_id, goal, background, preferred_channel,
          instructions, first_message_instructions, lead_import_id)
        select ${accountId}, r.name, r.email, r.phone, r.company, r.linkedin_url, r.city, r.state, r.country,
          r.job_title, r.website, ${record.lead_status}, 'in_pipeline', instant(), ${record.campaign_id},
          ${record.prospecting_goal}, nullif(concat_ws(E'\n\n', ${record.prospecting_background}::text, r.notes), ''),
          case ${record.preferred_channel}::text
            when 'Email' then case when r.email is not null then 'Email' end
            when 'ChatApp' then case when r.phone is not null then 'ChatApp' end end,
          ${record.instructions}, ${record.first_message_instructions}, ${record.lead_import_id}
        from unnest(
          ${column((lead) => lead.name)}::text[], ${column((lead) => lead.email)}::text[],
          ${column((lead) => lead.phone)}::text[], ${column((lead) => lead.company)}::text[],
          ${column((lead) => lead.linkedInUrl)}::text[], ${column((lead) => lead.city)}::text[],
          ${column((lead) => lead.state)}::text[], ${column((lead) => lead.country)}::text[],
          ${column((lead) => lead.jobTitle)}::text[], ${column((lead) => lead.website)}::text[],
          ${column((lead) => lead.notes)}::text[]
        ) as r (name, email, phone, company, linkedin_url, city, state, country, job_title, website, notes)
        on conflict do nothing
        returning lead_id, email, phone
      ), recorded as (
        insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, to_state, data)
        select ${accountId}, lead_id, 'registered', 'platform', 'in_pipeline',
          jsonb_build_object('lead_import_id', ${record.lead_import_id}::bigint)
        from created
      )
      select lead_id as "leadId", email, phone from created`.pipe(fromSql())
  }

  const recordRows = (accountId: AccountId, record: ImportRecord, rows: ReadonlyArray<SettledRow>) => {
    const count = (outcome: RowOutcome) => rows.filter((row) => row.outcome === outcome).length
    return sql`
      with recorded as (
        insert into lead_import_row (account_id, lead_import_id, row_number, outcome, reason, lead_id)
        select ${accountId}, ${record.lead_import_id}, r.row_number, r.outcome, r.reason, r.lead_id
        from unnest(${rows.map((row) => row.rowNumber)}::int[], ${rows.map((row) => row.outcome)}::text[],
          ${rows.map((row) => row.reason)}::text[], ${rows.map((row) => row.leadId)}::bigint[]
        ) as r (row_number, outcome, reason, lead_id)
      )
      update lead_import set rows_processed = rows_processed + ${rows.length},
        created_count = created_count + ${count("created")},
        duplicate_count = duplicate_count + ${count("duplicate")},
        invalid_count = invalid_count + ${count("invalid")}
      where account_id = ${accountId} and lead_import_id = ${record.lead_import_id}`.pipe(fromSql())
  }

  /** One batch, in one transaction. */
  const importBatch = (
    accountId: AccountId,
    record: ImportRecord,
    candidates: ReadonlyArray<CandidateLead>,
    invalid: ReadonlyArray<InvalidRow>
  ) =>
    unit.write(
      Effect.gen(function* () {
        // Imports of one account take turns: two with the same people would else wait for each other's rows in a ring.
        // Plans are made anew, since one made while the table was empty would read all of it for every batch.
        yield* sql`
          select pg_advisory_xact_lock(hashtext('lead_import'), ${accountId % 2_147_483_647}::int),
            set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true)`.pipe(
          fromSql()
        )
        const known = yield* findKnown(accountId, record, candidates)
        const erased = yield* findErased(accountId, candidates)
        const plan = planBatch(candidates, known, (contact) => erased.has(contact))
        const created = plan.create.length === 0 ? [] : yield* insertLeads(accountId, record, plan.create)
        const idOfContact = new Map<string, LeadId>()
        for (const { email, leadId, phone } of created) {
          if (email !== null) idOfContact.set(email, leadId)
          if (phone !== null) idOfContact.set(phone, leadId)
        }
        const idOf = ({ email, phone }: CandidateLead) => idOfContact.get(email ?? "") ?? idOfContact.get(phone ?? "")
        if (created.length < plan.create.length) {
          // Somebody registered one of these people between the look and the insert: look again, in a new transaction.
          return yield* transient(conflictReason, "A lead of the import is being registered elsewhere.", 1)
        }
        const settled: ReadonlyArray<SettledRow> = [
          ...plan.create.map((lead) => ({
            rowNumber: lead.rowNumber,
            outcome: "created" as const,
            reason: null,
            leadId: idOf(lead) ?? null
          })),
          ...plan.duplicates.map(({ of, reason, rowNumber }) => ({
            rowNumber,
            outcome: "duplicate" as const,
            reason,
            leadId: typeof of === "number" ? of : (idOf(of) ?? null)
          })),
          ...[...invalid, ...plan.erased].map(({ reason, rowNumber }) => ({
            rowNumber,
            outcome: "invalid" as const,
            reason,
            leadId: null
          }))
        ]
        yield* recordRows(accountId, record, settled)
      })
    )

  const finish = (accountId: AccountId, id: LeadImportId) =>
    unit.write(
      Effect.gen(function* () {
        const counts = single(
          yield* sql<{ readonly created: number; readonly duplicate: number; readonly invalid: number }>`
            update lead_import set inline_rows = null where account_id = ${accountId} and lead_import_id = ${id}
            returning created_count as created, duplicate_count as duplicate, invalid_count as invalid`.pipe(fromSql())
        )
        yield* notifications.notify({
          kind: "import_finished",
          message: `Your lead import is finished: ${counts.created} created, ${counts.duplicate} duplicate, ${counts.invalid} invalid.`,
          data: {
            lead_import_id: id,
            created_count: counts.created,
            duplicate_count: counts.duplicate,
            invalid_count: counts.invalid
          }
        })
        yield* appendFinished(accountId, id, "finished")
      })
    )

  /** Tells the account's feed how the import ended. */
  const appendFinished = (accountId: AccountId, id: LeadImportId, status: "finished" | "failed" | "cancelled") =>
    Effect.gen(function* () {
      const counts = single(
        yield* sql<{
          readonly created_count: number
          readonly duplicate_count: number
          readonly invalid_count: number
        }>`
          select created_count, duplicate_count, invalid_count from lead_import
          where account_id = ${accountId} and lead_import_id = ${id}`.pipe(fromSql())
      )
      yield* events.append({ type: "import_finished", data: { lead_import_id: id, status, ...counts } })
    })

  const get = Effect.fn("LeadImports.get")(function* (id: LeadImportId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<LeadImportView>`
      select ${view} from lead_import i join background_job j using (account_id, job_id)
      where i.account_id = ${accountId} and i.lead_import_id = ${id}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("lead import", "lead_import_id", id))
  })

  /** From the first row that is not dealt with to the last. */
  const importFrom = Effect.fnUntraced(function* (job: RunningJob, record: ImportRecord) {
    const country = yield* countries.get(job.accountId)
    const rowCount = yield* countRows(job, record)
    let done = record.rows_processed
    yield* sourceRows(record).pipe(
      Stream.drop(record.rows_processed),
      Stream.rechunk(batchSize),
      Stream.chunks,
      Stream.runForEach((chunk) =>
        Effect.gen(function* () {
          yield* job.checkpoint
          const rows = Chunk.toReadonlyArray(chunk).map((row) => candidateOf(row, country))
          yield* importBatch(
            job.accountId,
            record,
            rows.flatMap((row) => (Either.isRight(row) ? [row.right] : [])),
            rows.flatMap((row) => (Either.isLeft(row) ? [row.left] : []))
          )
          done += rows.length
          yield* job.setProgress(Math.floor((99 * done) / Math.max(rowCount, 1)))
        })
      )
    )
    yield* finish(job.accountId, record.lead_import_id)
  })

  return LeadImports.of({
    start: Effect.fn("LeadImports.start")(function* (request) {
      const { accountId } = yield* Caller
      const campaignId = request.campaign === undefined ? null : yield* campaigns.resolve(request.campaign)
      const { source } = request
      const file = source._tag === "File" ? yield* files.hold(source.customerFileId) : undefined
      const inline = source._tag === "Inline" ? JSON.stringify(source.rows) : null
      const jobId = yield* jobs.enqueue({ kind: leadImportKind, subjectId: undefined })
      const { id } = single(
        yield* sql<{ readonly id: LeadImportId }>`
          insert into lead_import (account_id, job_id, customer_file_id, source_name, inline_rows, campaign_id,
            lead_status, preferred_channel, instructions, first_message_instructions, prospecting_background,
            prospecting_goal)
          values (${accountId}, ${jobId}, ${file?.customer_file_id ?? null}, ${file?.file_name ?? "inline rows"},
            ${inline}::jsonb, ${campaignId}, ${request.status}, ${request.preferredChannel ?? null},
            ${request.instructions ?? null}, ${request.firstMessageInstructions ?? null},
            ${request.background ?? null}, ${request.goal ?? null})
          returning lead_import_id as id`.pipe(fromSql())
      )
      yield* jobs.setSubject(jobId, id)
      return yield* Effect.catchTag(get(id), "NotFound", Effect.die)
    }),

    list: Effect.fn("LeadImports.list")(function* ({ page, pageSize }) {
      const { accountId } = yield* Caller
      const imports = yield* sql<LeadImportView>`
        select ${view} from lead_import i join background_job j using (account_id, job_id)
        where i.account_id = ${accountId}
        order by i.lead_import_id desc limit ${pageSize} offset ${page * pageSize}`.pipe(fromSql())
      const { total } = single(
        yield* sql<{ readonly total: number }>`
          select count(*) as total from lead_import where account_id = ${accountId}`.pipe(fromSql())
      )
      return { imports, total }
    }),

    get,

    rows: Effect.fn("LeadImports.rows")(function* (id, { page, pageSize }) {
      const { accountId } = yield* Caller
      const rows = yield* sql<ImportedRow>`
        select row_number, outcome, reason, lead_id from lead_import_row
        where account_id = ${accountId} and lead_import_id = ${id}
        order by row_number limit ${pageSize} offset ${page * pageSize}`.pipe(fromSql())
      // Each row is counted as it is recorded.
      const [counted] = yield* sql<{ readonly total: number }>`
        select rows_processed as total from lead_import
        where account_id = ${accountId} and lead_import_id = ${id}`.pipe(fromSql())
      return { rows, total: counted?.total ?? 0 }
    }),

    run: Effect.fn("LeadImports.run")(function* (job) {
      const record = yield* load(job)
      const ended = (status: "failed" | "cancelled") =>
        unit.write(appendFinished(job.accountId, record.lead_import_id, status))
      yield* importFrom(job, record).pipe(
        Effect.tapErrorTag("JobFailed", () => ended("failed")),
        Effect.tapErrorTag("JobCancelled", () => ended("cancelled"))
      )
    })
  })
})

export const LeadImportsPostgres = Layer.effect(LeadImports, make)
