import { SqlClient } from "@effect/sql/SqlClient"
import { Chunk, Effect, Schedule, Stream } from "effect"
import { type Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { AccountEvents } from "../../Services/Events/AccountEvents.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { type EndedJob, endedByCancellation, JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { candidateOf } from "../../Services/LeadFiles/ImportPlan.ts"
import { type LeadFileError, LeadFileReader, type LeadFileRow } from "../../Services/LeadFiles/LeadFile.ts"
import type { LeadFileColumn } from "../../Services/LeadFiles/LeadFileColumns.ts"
import type { LeadImportId, LeadImports, ServiceRow } from "../../Services/LeadFiles/LeadImports.ts"
import { countriesOfFile, countryForFile } from "../../Services/LeadFiles/RowCountries.ts"
import type { CountryCode } from "../../Services/Text/ContactDetails.ts"
import { makeAccountCountry } from "../Accounts/Sql.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { noPreparedPlan } from "../Platform/Postgres/statements/NamedStatements.ts"
import { type ImportKey, makeImportBatches } from "./LeadImportBatch.ts"

/** Rows per transaction. Large enough that round trips hardly matter, small enough that locks are short. */
const batchSize = 500

/** The number of batches that are read and checked ahead while the database imports two. */
const batchesAhead = 2

interface ImportRecord {
  readonly lead_import_id: LeadImportId
  readonly customer_file_id: CustomerFileId | null
  readonly inline_rows: ReadonlyArray<ServiceRow> | null
  readonly row_count: number | null
  readonly rows_processed: number
}

const importDeleted = new JobFailed({ reason: "The import no longer exists." })

const unreadable = ({ cell, detail, file_row, message }: LeadFileError) => {
  const place = cell !== undefined ? ` (cell ${cell})` : file_row !== undefined ? ` (row ${file_row})` : ""
  return new JobFailed({ reason: `${message}${place} ${detail}` })
}

const fileRemoved = () => new JobFailed({ reason: "The file was removed before its leads were imported." })

const inlineRow = (row: ServiceRow, index: number): LeadFileRow => ({
  ...row,
  row_number: index + 1,
  file_row: index + 1,
  name: row.name ?? "",
  email: row.email ?? "",
  phone: row.phone ?? "",
  company: row.company ?? ""
})

const load = (sql: SqlClient, { accountId, jobId }: RunningJob) =>
  sql<ImportRecord>`
    select lead_import_id, customer_file_id, inline_rows, row_count, rows_processed
    from lead_import where account_id = ${accountId} and job_id = ${jobId}`.pipe(
    fromSql(),
    Effect.flatMap((rows) => (rows[0] === undefined ? Effect.fail(importDeleted) : Effect.succeed(rows[0])))
  )

interface SourceServices {
  readonly files: CustomerFiles["Type"]
  readonly reader: LeadFileReader["Type"]
}

/** Reads the rows of the source. A faulty file ends the job. A database error lets it be retried. */
const sourceRows = (
  { files, reader }: SourceServices,
  record: ImportRecord,
  observeColumns?: (columns: ReadonlyArray<LeadFileColumn>) => void
) => {
  if (record.customer_file_id === null) return Stream.fromIterable((record.inline_rows ?? []).map(inlineRow))
  const id = record.customer_file_id
  return Stream.unwrap(
    Effect.map(files.get(id), (file) =>
      Stream.unwrap(
        Effect.map(Effect.context<Caller>(), (context) =>
          reader.read(
            {
              fileName: file.file_name,
              sizeBytes: file.size_bytes,
              bytes: Stream.provideContext(files.read(id), context)
            },
            observeColumns
          )
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

/**
 * Merges new entries into the search index on a separate session, in parallel with the import. This is a quarter of the
 * import's work. The next writer merges the rest.
 */
const mergeSearchIndex = (sql: SqlClient) =>
  sql`select gin_clean_pending_list('lead_search')`.pipe(Effect.ignore, Effect.repeat(Schedule.spaced("500 millis")))

/**
 * The rows without an outcome. If a run ended during two parallel batches, the second may be recorded without the
 * first.
 */
const unrecordedRows = Effect.fnUntraced(function* (
  sql: SqlClient,
  { accountId, id }: ImportKey,
  rows: ReadonlyArray<LeadFileRow>
) {
  const numbers = rows.map(({ row_number }) => row_number)
  const recorded = yield* sql<{ readonly row_number: number }>`${sql.literal(noPreparedPlan)}
    select row_number from lead_import_row
    where account_id = ${accountId} and lead_import_id = ${id}
      and row_number between ${numbers[0] ?? 0} and ${numbers.at(-1) ?? 0}`.pipe(fromSql())
  const recordedNumbers = new Set(recorded.map(({ row_number }) => row_number))
  return rows.filter(({ row_number }) => !recordedNumbers.has(row_number))
})

/** Makes `LeadImports.run` and `LeadImports.ended`. */
export const makeRunImport = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const notifications = yield* Notifications
  const events = yield* AccountEvents
  const source = yield* Effect.all({ files: CustomerFiles, reader: LeadFileReader })
  const countries = yield* makeAccountCountry
  const importBatches = yield* makeImportBatches

  /**
   * Reads the whole source once before the import. A file that breaks off half-way then imports nothing, and each row
   * is read knowing the countries of the others.
   */
  const surveyRows = Effect.fnUntraced(function* (job: RunningJob, record: ImportRecord, country: CountryCode) {
    let columns: ReadonlyArray<LeadFileColumn> | undefined
    const observeColumns = (reported: ReadonlyArray<LeadFileColumn>) => {
      columns = reported
    }
    let rowCount = 0
    const rowsByCountry = new Map<CountryCode, number>()
    const survey = (row: LeadFileRow) => {
      rowCount += 1
      const other = countryForFile(row, country)
      if (other !== undefined) rowsByCountry.set(other, (rowsByCountry.get(other) ?? 0) + 1)
    }
    yield* sourceRows(source, record, observeColumns).pipe(
      Stream.chunks,
      Stream.tap(() => job.checkpoint),
      Stream.runForEach((rows) => Effect.sync(() => Chunk.forEach(rows, survey)))
    )
    if (record.row_count === null) {
      yield* sql`
        update lead_import
        set row_count = ${rowCount}, columns = ${columns === undefined ? null : JSON.stringify(columns)}::jsonb
        where account_id = ${job.accountId} and lead_import_id = ${record.lead_import_id}`.pipe(fromSql())
    }
    return { rowCount, fileCountries: countriesOfFile(rowsByCountry) }
  })

  /** Notifies the account how the import ended. Only the first call does anything. */
  const reportEnd = ({ accountId, id }: ImportKey, status: EndedJob["status"]) =>
    unit.write(
      Effect.gen(function* () {
        const [counts] = yield* sql<{
          readonly created_count: number
          readonly duplicate_count: number
          readonly invalid_count: number
        }>`
          update lead_import set inline_rows = null, told_at = instant()
          where account_id = ${accountId} and lead_import_id = ${id} and told_at is null
          returning created_count, duplicate_count, invalid_count`.pipe(fromSql())
        if (counts === undefined) return
        if (status === "finished") {
          const { created_count: created, duplicate_count: duplicate, invalid_count: invalid } = counts
          yield* notifications.tell(
            { kind: "import_finished", created, duplicate, invalid },
            { lead_import_id: id, ...counts }
          )
        }
        yield* events.append({ type: "import_finished", data: { lead_import_id: id, status, ...counts } })
      })
    )

  /** Imports all rows that have no outcome yet. */
  const importFrom = Effect.fnUntraced(function* (job: RunningJob, record: ImportRecord, key: ImportKey) {
    const country = yield* countries.get(job.accountId)
    const { fileCountries, rowCount } = yield* surveyRows(job, record, country)
    let doneCount = record.rows_processed
    const isResumed = doneCount > 0
    yield* sourceRows(source, record).pipe(
      Stream.rechunk(batchSize),
      Stream.chunks,
      Stream.map(Chunk.toReadonlyArray),
      Stream.mapEffect((rows) => (isResumed ? unrecordedRows(sql, key, rows) : Effect.succeed(rows))),
      Stream.filter((rows) => rows.length > 0),
      Stream.map((rows) => rows.map((row) => candidateOf(row, country, fileCountries))),
      Stream.buffer({ capacity: batchesAhead }),
      Stream.grouped(2),
      Stream.runForEach((batches) =>
        Effect.gen(function* () {
          yield* job.checkpoint
          const [first = [], second = []] = Chunk.toReadonlyArray(batches)
          // The first rows are imported in order, so that a reader of the first leads sees them first.
          const parallelBatch = doneCount === 0 ? [] : second
          const isSecondDone = (yield* importBatches(key, first, parallelBatch)) && parallelBatch.length > 0
          if (!isSecondDone && second.length > 0) yield* importBatches(key, second, [])
          doneCount += first.length + second.length
          yield* job.setProgress(Math.floor((99 * doneCount) / Math.max(rowCount, 1)))
        })
      ),
      Effect.raceFirst(mergeSearchIndex(sql))
    )
    yield* reportEnd(key, "finished")
  })

  const run: typeof LeadImports.Service.run = Effect.fn("LeadImports.run")(function* (job) {
    const record = yield* load(sql, job)
    const key = { accountId: job.accountId, id: record.lead_import_id }
    yield* importFrom(job, record, key).pipe(
      endedByCancellation(job),
      Effect.tapErrorTag("JobFailed", () => reportEnd(key, "failed")),
      Effect.tapErrorTag("JobCancelled", () => reportEnd(key, "cancelled"))
    )
  })

  const ended: typeof LeadImports.Service.ended = Effect.fn("LeadImports.ended")(function* ({
    accountId,
    jobId,
    status
  }) {
    const [endedImport] = yield* sql<{ readonly id: LeadImportId }>`
      select lead_import_id as id from lead_import
      where account_id = ${accountId} and job_id = ${jobId} and told_at is null`.pipe(fromSql())
    if (endedImport !== undefined) yield* reportEnd({ accountId, id: endedImport.id }, status)
  })
  return { run, ended }
})
