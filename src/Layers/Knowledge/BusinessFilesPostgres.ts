import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Layer, Option, Stream } from "effect"
import { notFound, refused } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { CampaignLookup } from "../../Services/Campaigns/Campaigns.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { BusinessFiles, BusinessFileView, businessFileIndexingKind } from "../../Services/Knowledge/BusinessFiles.ts"
import type { BusinessFileId } from "../../Services/Knowledge/Ids.ts"
import { assessBusiness } from "../../Services/Knowledge/KnowledgeTasks.ts"
import { maximumPassages, type Passage } from "../../Services/Knowledge/Passages.ts"
import { QuotablePassages } from "../../Services/Knowledge/QuotablePassages.ts"
import { tidyText } from "../../Services/Text/PlainText.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import type { DocumentFailure } from "./DocumentText/DocumentMessages.ts"
import { documentFormat, maximumDocumentBytes, readDocument } from "./DocumentText/DocumentText.ts"
import { insertPassages } from "./PassageRows.ts"
import { makePassageSearch } from "./PassageSearch.ts"

const oneSource = refused(
  "knowledge_source_required",
  "The call has no content, or has it twice.",
  "Send exactly one of text and customer_file_id."
)
const unsupported = (fileName: string) =>
  refused(
    "format_not_supported",
    "Files of this kind cannot be read as knowledge.",
    "Send .txt, .md, .csv, .pdf, .docx, .xlsx, .pptx or .html.",
    { file_name: fileName }
  )
const tooLarge = refused(
  "document_too_large",
  "The file is too large to be read as knowledge.",
  `Send files of at most ${maximumDocumentBytes} bytes.`,
  { maximum_bytes: maximumDocumentBytes }
)

/** The explanations for the account of why a document could not be read. */
const failures: { readonly [reason in DocumentFailure | "source_removed"]: string } = {
  document_encrypted: "The document is protected by a password: save it without one.",
  document_broken: "The document is damaged or not of the kind that its name says.",
  document_too_large: "The document is too large once it is unpacked: cut it into parts.",
  document_without_text: "The document has no text, as a scanned one: run text recognition over it first.",
  reading_timed_out: "The document took too long to read: cut it into parts.",
  format_not_supported: "Files of this kind cannot be read as knowledge.",
  source_removed: "The file was removed before it was read."
}

interface SourceRow {
  readonly title: string
  readonly given_text: string | null
  readonly customer_file_id: CustomerFileId | null
  readonly file_name: string | null
  readonly media_type: string | null
}

/** The progress of the job, in percent, once the text is read. The rest is storing and embedding it. */
const readingPercent = 40

/** The largest file, in bytes, that is read while a caller waits. */
const largestDescribedBytes = 5 * 1024 * 1024

/** Reads the contents of customer files. */
const makeFileBytes = Effect.map(
  CustomerFiles,
  (files) => (id: CustomerFileId) =>
    Effect.option(Effect.map(Stream.runCollect(files.read(id)), (parts) => Buffer.concat([...parts])))
)

const makeAssess = Effect.map(
  TaskQueue,
  (tasks) => (accountId: AccountId) =>
    tasks.enqueue(assessBusiness, { accountId }, { jobKey: `assess_business:${accountId}` })
)

/** Indexes a registered file: reads its text and stores the passages. */
const makeIndexing = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const bytesOf = yield* makeFileBytes
  const assess = yield* makeAssess
  const search = yield* makePassageSearch

  const failed = (accountId: AccountId, id: number, reason: keyof typeof failures) =>
    sql`
      update business_file set status = 'failed', failure_reason = ${reason}, failure_detail = ${failures[reason]}
      where account_id = ${accountId} and business_file_id = ${id}`.pipe(
      fromSql(),
      Effect.zipRight(Effect.fail(new JobFailed({ reason: failures[reason] })))
    )

  const readSource = (row: SourceRow) =>
    Effect.gen(function* () {
      if (row.customer_file_id === null) {
        return yield* Effect.either(readDocument("text", Buffer.from(row.given_text ?? "")))
      }
      const format = documentFormat(row.file_name ?? "", row.media_type ?? "")
      if (format === undefined) return Either.left<DocumentFailure>("format_not_supported")
      const bytes = yield* bytesOf(row.customer_file_id)
      if (Option.isNone(bytes)) return Either.left("source_removed" as const)
      return yield* Effect.either(readDocument(format, bytes.value))
    })

  /** The file is stored in one transaction, because a half-indexed file would be quoted as if it were complete. */
  const store = ({ accountId, jobId }: RunningJob, id: number, title: string, passages: ReadonlyArray<Passage>) =>
    unit.write(
      Effect.gen(function* () {
        const lockedRows = yield* sql`
          select from business_file where account_id = ${accountId} and business_file_id = ${id} and job_id = ${jobId}
          for update`.pipe(fromSql())
        if (lockedRows.length === 0) return
        yield* sql`delete from business_passage where account_id = ${accountId} and business_file_id = ${id}`.pipe(
          fromSql()
        )
        yield* insertPassages(sql, { accountId, id, title }, passages).pipe(fromSql())
        yield* sql`
          update business_file set status = 'finished', failure_reason = null, failure_detail = null,
            passage_count = ${passages.length}, indexed_at = instant(),
            character_count = ${passages.reduce((sum, { body }) => sum + body.length, 0)}
          where account_id = ${accountId} and business_file_id = ${id}`.pipe(fromSql())
        yield* assess(accountId)
      })
    )

  return (job: RunningJob) =>
    Effect.gen(function* () {
      const { accountId, jobId } = job
      const id = job.subjectId ?? 0
      const [row] = yield* sql<SourceRow>`
        update business_file set status = 'running'
        where account_id = ${accountId} and business_file_id = ${id} and job_id = ${jobId} and status in ('queued', 'running')
        returning title, given_text, customer_file_id, file_name, media_type`.pipe(fromSql())
      // The file was removed since, or registered again with another job.
      if (row === undefined) return
      const read = yield* readSource(row)
      if (Either.isLeft(read)) return yield* failed(accountId, id, read.left)
      const passages = read.right
      if (passages.length === 0) return yield* failed(accountId, id, "document_without_text")
      if (passages.length > maximumPassages) return yield* failed(accountId, id, "document_too_large")
      yield* job.checkpoint
      yield* job.setProgress(readingPercent)
      yield* store(job, id, row.title, passages)
      yield* search.embedFile(accountId, id)
    })
})

const fileColumns = selectedColumns(BusinessFileView, "f", {
  campaign_name: `(select c.name from campaign c
    where c.account_id = f.account_id and c.campaign_id = f.campaign_id)`,
  source: "case when f.is_from_web then 'web' when f.customer_file_id is null then 'text' else 'file' end"
})

const makeView = Effect.map(SqlClient, (sql) =>
  Effect.fnUntraced(function* (id: BusinessFileId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<BusinessFileView>`
      select ${sql.literal(fileColumns)} from business_file f
      where f.account_id = ${accountId} and f.business_file_id = ${id}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("business file", "business_file_id", id))
  })
)

type NewBusinessFile = Parameters<BusinessFiles["Type"]["register"]>[0]

/** Registers knowledge, and queues its indexing. The same content is registered once. */
const makeRegister = Effect.gen(function* () {
  const sql = yield* SqlClient
  const files = yield* CustomerFiles
  const jobs = yield* Jobs
  const campaigns = yield* CampaignLookup
  const view = yield* makeView

  const sourceOf = (text: string, customerFileId: CustomerFileId | undefined) =>
    Effect.gen(function* () {
      if (customerFileId === undefined) {
        const sha256 = createHash("sha256").update(text).digest("hex")
        return { text, customerFileId: null, fileName: null, mediaType: null, sha256 }
      }
      const { file_name, media_type, sha256, size_bytes } = yield* files.hold(customerFileId)
      if (documentFormat(file_name, media_type) === undefined) return yield* unsupported(file_name)
      if (size_bytes > maximumDocumentBytes) return yield* tooLarge
      return { text: null, customerFileId, fileName: file_name, mediaType: media_type, sha256 }
    })

  return Effect.fn("BusinessFiles.register")(function* (file: NewBusinessFile) {
    const { accountId } = yield* Caller
    const { campaign = "", customerFileId, isFromWeb = false } = file
    const title = file.title.trim()
    const text = tidyText(file.text ?? "").trim()
    if ((text === "") === (customerFileId === undefined)) return yield* oneSource
    const campaignId = campaign.trim() === "" ? null : yield* campaigns.resolve(campaign)
    const source = yield* sourceOf(text, customerFileId)
    // With this lock, the same content sent twice concurrently becomes one file.
    yield* lockAccount(sql, accountId, "knowledge")
    const [existing] = yield* sql<{ readonly id: BusinessFileId; readonly is_failed: boolean }>`
      select business_file_id as id, status in ('failed', 'cancelled') as is_failed from business_file
      where account_id = ${accountId} and coalesce(campaign_id, 0) = coalesce(${campaignId}::bigint, 0)
        and content_digest = decode(${source.sha256}, 'hex')`.pipe(fromSql())
    if (existing !== undefined && !existing.is_failed) return { ...(yield* view(existing.id)), is_repeat: true }
    const jobId = yield* jobs.enqueue({ kind: businessFileIndexingKind, subjectId: existing?.id })
    if (existing !== undefined) {
      yield* sql`
        update business_file set status = 'queued', title = ${title}, job_id = ${jobId}, failure_reason = null,
          failure_detail = null, customer_file_id = ${source.customerFileId}, given_text = ${source.text},
          file_name = ${source.fileName}, media_type = ${source.mediaType}
        where account_id = ${accountId} and business_file_id = ${existing.id}`.pipe(fromSql())
      return { ...(yield* view(existing.id)), is_repeat: false }
    }
    const { id } = single(
      yield* sql<{ readonly id: BusinessFileId }>`
        insert into business_file (account_id, campaign_id, title, given_text, customer_file_id, file_name, media_type,
          content_digest, is_from_web, job_id)
        values (${accountId}, ${campaignId}, ${title}, ${source.text}, ${source.customerFileId}, ${source.fileName},
          ${source.mediaType}, decode(${source.sha256}, 'hex'), ${isFromWeb}, ${jobId})
        returning business_file_id as id`.pipe(fromSql())
    )
    yield* jobs.setSubject(jobId, id)
    return { ...(yield* view(id)), is_repeat: false }
  })
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const files = yield* CustomerFiles
  const search = yield* makePassageSearch
  const bytesOf = yield* makeFileBytes
  const assess = yield* makeAssess
  const view = yield* makeView
  const register = yield* makeRegister
  const run = yield* makeIndexing

  return BusinessFiles.of({
    list: Effect.gen(function* () {
      const { accountId } = yield* Caller
      return yield* sql<BusinessFileView>`
        select ${sql.literal(fileColumns)} from business_file f where f.account_id = ${accountId}
        order by f.business_file_id desc limit 1000`.pipe(fromSql())
    }).pipe(Effect.withSpan("BusinessFiles.list")),

    register,

    remove: Effect.fn("BusinessFiles.remove")(function* (id) {
      const { accountId } = yield* Caller
      const removed = yield* view(id)
      yield* sql`delete from business_file where account_id = ${accountId} and business_file_id = ${id}`.pipe(fromSql())
      yield* assess(accountId)
      return removed
    }),

    find: search.find,

    beginning: Effect.fn("BusinessFiles.beginning")(function* (id) {
      const file = yield* Effect.option(files.get(id))
      if (file._tag === "None" || file.value.size_bytes > largestDescribedBytes) return undefined
      const format = documentFormat(file.value.file_name, file.value.media_type)
      const bytes = yield* bytesOf(id)
      if (format === undefined || Option.isNone(bytes)) return undefined
      const read = yield* Effect.either(readDocument(format, bytes.value))
      const [first] = Either.isRight(read) ? read.right : []
      return first === undefined ? undefined : [first.heading, first.body].filter((part) => part !== "").join(": ")
    }),

    run
  })
})

export const BusinessFilesPostgres = Layer.effect(BusinessFiles, make)

/**
 * The most passages that a message may be based on. Passages with lower scores share only a common word with the
 * question.
 */
const maximumPassagesPerMessage = 6
const minimumScore = 0.25

export const QuotablePassagesPostgres = Layer.effect(
  QuotablePassages,
  Effect.map(BusinessFiles, ({ find }) => ({
    about: (scope, question) =>
      question.trim() === ""
        ? Effect.succeed([])
        : Effect.map(find(scope, question.slice(0, 2000), maximumPassagesPerMessage), (passages) =>
            passages.filter(({ score }) => score >= minimumScore)
          )
  }))
)
