import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Layer, Stream } from "effect"
import { notFound, refused } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { CampaignLookup } from "../../Services/Campaigns/Campaigns.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { BusinessFiles, BusinessFileView, businessFileIndexingKind } from "../../Services/Knowledge/BusinessFiles.ts"
import type { BusinessFileId } from "../../Services/Knowledge/Ids.ts"
import { assessBusiness } from "../../Services/Knowledge/KnowledgeTasks.ts"
import { maximumPassages } from "../../Services/Knowledge/Passages.ts"
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
  "The call gives no knowledge, or gives it twice.",
  "Send exactly one of text and customer_file_id."
)
const unsupported = (fileName: string) =>
  refused(
    "format_not_supported",
    "Files of this kind cannot be read as knowledge.",
    "Send .txt, .md, .pdf, .docx, .xlsx, .pptx or .html.",
    { file_name: fileName }
  )
const tooLarge = refused(
  "document_too_large",
  "The file is too large to be read as knowledge.",
  `Send files of at most ${maximumDocumentBytes} bytes.`,
  { maximum_bytes: maximumDocumentBytes }
)

/** What the account is told of a document that could not be read. */
const failures: { readonly [reason in DocumentFailure | "source_removed"]: string } = {
  document_encrypted: "The document is protected by a password: save it without one.",
  document_broken: "The document is damaged or not of the kind that its name says.",
  document_too_large: "The document is too large once it is unpacked: cut it into parts.",
  document_without_text: "The document has no text, as a scanned one: run text recognition over it first.",
  reading_timed_out: "The document took too long to read: cut it into parts.",
  format_not_supported: "Files of this kind cannot be read as knowledge.",
  source_removed: "The file was removed before it was read."
}

interface Row {
  readonly title: string
  readonly given_text: string | null
  readonly customer_file_id: CustomerFileId | null
  readonly file_name: string | null
  readonly media_type: string | null
}

/** Bytes of a file that is read while a caller waits. */
const longestDescribed = 5 * 1024 * 1024

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const files = yield* CustomerFiles
  const jobs = yield* Jobs
  const campaigns = yield* CampaignLookup
  const tasks = yield* TaskQueue
  const search = yield* makePassageSearch

  const columns = sql.literal(
    selectedColumns(BusinessFileView, "f", {
      campaign_name: `(select c.name from campaign c
        where c.account_id = f.account_id and c.campaign_id = f.campaign_id)`,
      source: "case when f.is_from_web then 'web' when f.customer_file_id is null then 'text' else 'file' end"
    })
  )

  const view = Effect.fnUntraced(function* (id: BusinessFileId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<BusinessFileView>`
      select ${columns} from business_file f
      where f.account_id = ${accountId} and f.business_file_id = ${id}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("business file", "business_file_id", id))
  })

  const assessAnew = (accountId: AccountId) =>
    tasks.enqueue(assessBusiness, { accountId }, { jobKey: `assess_business:${accountId}` })

  const bytesOf = (id: CustomerFileId) => Effect.map(Stream.runCollect(files.read(id)), (parts) => [...parts])

  const failed = (accountId: AccountId, id: number, reason: keyof typeof failures) =>
    sql`
      update business_file set status = 'failed', failure_reason = ${reason}, failure_detail = ${failures[reason]}
      where account_id = ${accountId} and business_file_id = ${id}`.pipe(
      fromSql(),
      Effect.zipRight(Effect.fail(new JobFailed({ reason: failures[reason] })))
    )

  const run = (job: RunningJob) =>
    Effect.gen(function* () {
      const { accountId, jobId } = job
      const id = job.subjectId ?? 0
      const rows = yield* sql<Row>`
        update business_file set status = 'running'
        where account_id = ${accountId} and business_file_id = ${id} and job_id = ${jobId} and status in ('queued', 'running')
        returning title, given_text, customer_file_id, file_name, media_type`.pipe(fromSql())
      const row = rows[0]
      // Removed meanwhile, or registered anew with another job: nothing is left to do here.
      if (row === undefined) return
      const read =
        row.customer_file_id === null
          ? yield* Effect.either(readDocument("text", Buffer.from(row.given_text ?? "")))
          : yield* Effect.gen(function* () {
              const format = documentFormat(row.file_name ?? "", row.media_type ?? "")
              if (format === undefined) return Either.left<DocumentFailure>("format_not_supported")
              const parts = yield* Effect.option(bytesOf(row.customer_file_id as CustomerFileId))
              if (parts._tag === "None") return Either.left("source_removed" as const)
              return yield* Effect.either(readDocument(format, Buffer.concat(parts.value)))
            })
      if (Either.isLeft(read)) return yield* failed(accountId, id, read.left)
      const passages = read.right
      if (passages.length === 0) return yield* failed(accountId, id, "document_without_text")
      if (passages.length > maximumPassages) return yield* failed(accountId, id, "document_too_large")
      yield* job.checkpoint
      yield* job.setProgress(40)
      // All or nothing: a file that is half indexed would be quoted as if the rest were not there.
      yield* unit.write(
        Effect.gen(function* () {
          const held = yield* sql`
            select from business_file where account_id = ${accountId} and business_file_id = ${id} and job_id = ${jobId}
            for update`.pipe(fromSql())
          if (held.length === 0) return
          yield* sql`delete from business_passage where account_id = ${accountId} and business_file_id = ${id}`.pipe(
            fromSql()
          )
          yield* insertPassages(sql, { accountId, id, title: row.title }, passages).pipe(fromSql())
          yield* sql`
            update business_file set status = 'finished', failure_reason = null, failure_detail = null,
              passage_count = ${passages.length}, indexed_at = instant(),
              character_count = ${passages.reduce((sum, { body }) => sum + body.length, 0)}
            where account_id = ${accountId} and business_file_id = ${id}`.pipe(fromSql())
          yield* assessAnew(accountId)
        })
      )
      yield* search.embedFile(accountId, id)
    })

  return BusinessFiles.of({
    list: Effect.gen(function* () {
      const { accountId } = yield* Caller
      return yield* sql<BusinessFileView>`
        select ${columns} from business_file f where f.account_id = ${accountId}
        order by f.business_file_id desc limit 1000`.pipe(fromSql())
    }).pipe(Effect.withSpan("BusinessFiles.list")),

    register: Effect.fn("BusinessFiles.register")(function* ({
      campaign,
      customerFileId,
      isFromWeb = false,
      text,
      title
    }) {
      const { accountId } = yield* Caller
      const given = text === undefined ? undefined : tidyText(text).trim()
      if ((given === undefined || given === "") === (customerFileId === undefined)) return yield* oneSource
      const campaignId = campaign === undefined || campaign.trim() === "" ? null : yield* campaigns.resolve(campaign)
      const file = customerFileId === undefined ? undefined : yield* files.hold(customerFileId)
      if (file !== undefined && documentFormat(file.file_name, file.media_type) === undefined) {
        return yield* unsupported(file.file_name)
      }
      if ((file?.size_bytes ?? 0) > maximumDocumentBytes) return yield* tooLarge
      const digest =
        file?.sha256 ??
        createHash("sha256")
          .update(given ?? "")
          .digest("hex")
      // The same content sent twice at once is one file.
      yield* lockAccount(sql, accountId, "knowledge")
      const known = yield* sql<{ readonly id: BusinessFileId; readonly is_failed: boolean }>`
        select business_file_id as id, status in ('failed', 'cancelled') as is_failed from business_file
        where account_id = ${accountId} and coalesce(campaign_id, 0) = coalesce(${campaignId}::bigint, 0)
          and content_digest = decode(${digest}, 'hex')`.pipe(fromSql())
      const same = known[0]
      if (same !== undefined && !same.is_failed) return { ...(yield* view(same.id)), is_repeat: true }
      const jobId = yield* jobs.enqueue({ kind: businessFileIndexingKind, subjectId: same?.id })
      if (same !== undefined) {
        yield* sql`
          update business_file set status = 'queued', title = ${title.trim()}, job_id = ${jobId}, failure_reason = null,
            failure_detail = null, customer_file_id = ${file?.customer_file_id ?? null}, given_text = ${given ?? null},
            file_name = ${file?.file_name ?? null}, media_type = ${file?.media_type ?? null}
          where account_id = ${accountId} and business_file_id = ${same.id}`.pipe(fromSql())
        return { ...(yield* view(same.id)), is_repeat: false }
      }
      const rows = yield* sql<{ readonly id: BusinessFileId }>`
        insert into business_file (account_id, campaign_id, title, given_text, customer_file_id, file_name, media_type,
          content_digest, is_from_web, job_id)
        values (${accountId}, ${campaignId}, ${title.trim()}, ${given ?? null}, ${file?.customer_file_id ?? null},
          ${file?.file_name ?? null}, ${file?.media_type ?? null}, decode(${digest}, 'hex'), ${isFromWeb}, ${jobId})
        returning business_file_id as id`.pipe(fromSql())
      const { id } = single(rows)
      yield* jobs.setSubject(jobId, id)
      return { ...(yield* view(id)), is_repeat: false }
    }),

    remove: Effect.fn("BusinessFiles.remove")(function* (id) {
      const { accountId } = yield* Caller
      const removed = yield* view(id)
      yield* sql`delete from business_file where account_id = ${accountId} and business_file_id = ${id}`.pipe(fromSql())
      yield* assessAnew(accountId)
      return removed
    }),

    find: search.find,

    beginning: Effect.fn("BusinessFiles.beginning")(function* (id) {
      const file = yield* Effect.option(files.get(id))
      if (file._tag === "None" || file.value.size_bytes > longestDescribed) return undefined
      const format = documentFormat(file.value.file_name, file.value.media_type)
      const parts = yield* Effect.option(bytesOf(id))
      if (format === undefined || parts._tag === "None") return undefined
      const read = yield* Effect.either(readDocument(format, Buffer.concat(parts.value)))
      const [first] = Either.isRight(read) ? read.right : []
      return first === undefined ? undefined : [first.heading, first.body].filter((part) => part !== "").join(": ")
    }),

    run
  })
})

export const BusinessFilesPostgres = Layer.effect(BusinessFiles, make)

/** Passages that a message may rest on, and how many; what scores less has only a common word with the question. */
const quotedPassages = 6
const leastQuotable = 0.25

export const QuotablePassagesPostgres = Layer.effect(
  QuotablePassages,
  Effect.map(BusinessFiles, ({ find }) => ({
    about: (scope, question) =>
      question.trim() === ""
        ? Effect.succeed([])
        : Effect.map(find(scope, question.slice(0, 2000), quotedPassages), (found) =>
            found.filter(({ score }) => score >= leastQuotable)
          )
  }))
)
