import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type NotFound, notFound, type Refused, type Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { CustomerFiles, type NewCustomerFile } from "../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import type { JobId } from "../../Services/Jobs/Ids.ts"
import { type JobError, JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { type JobStatus, Jobs } from "../../Services/Jobs/Jobs.ts"
import { type GenerationFailed, outcomeUnknown } from "../../Services/Media/Generation.ts"
import { shownReport, type WishReport } from "../../Services/Text/WishReport.ts"
import { downloadUrl } from "../Files/Sql.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"

export type MediaKind = "image" | "drawing" | "video"

/** A generation with the state of its job. */
export interface GenerationRow {
  readonly generation_id: number
  readonly job_id: JobId
  readonly prompt: string
  readonly request: unknown
  readonly model: unknown
  readonly mode: ServiceMode | null
  readonly width: number | null
  readonly height: number | null
  readonly customer_file_id: CustomerFileId | null
  readonly url: string | null
  readonly vector_url: string | null
  readonly status: JobStatus
  readonly progress: number
  readonly failure_code: string | null
  readonly failure_detail: string | null
  readonly report: WishReport | null
  readonly created_at: Timestamp
  readonly finished_at: Timestamp | null
}

type StoredRow = Omit<GenerationRow, "url" | "vector_url"> & {
  readonly job_failure: string | null
  readonly download_key: string | null
  readonly file_name: string | null
  readonly vector_key: string | null
  readonly vector_name: string | null
}

/** A generation whose job is running. */
export interface StartedGeneration {
  readonly generation_id: number
  readonly prompt: string
  readonly request: unknown
  readonly model: unknown
  readonly order_state: "placing" | "placed" | null
  readonly order_id: string | null
  readonly is_done: boolean
}

export interface Result<E, R> {
  readonly file: NewCustomerFile<E, R>
  readonly vector?: NewCustomerFile<E, R>
  readonly width: number
  readonly height: number
  readonly model?: unknown
  readonly report: WishReport
}

const noun = { image: "image", drawing: "drawing", video: "video" } as const

/** Fields that the answers of all kinds have in common. */
export const commonFields = (row: GenerationRow) => ({
  status: row.status,
  progress: row.progress,
  failure_reason: row.failure_code,
  failure_detail: row.failure_detail,
  ...shownReport(row.report),
  mode: row.mode,
  prompt: row.prompt,
  customer_file_id: row.customer_file_id,
  job_id: row.job_id,
  created_at: row.created_at,
  finished_at: row.finished_at
})

const generationGone = new JobFailed({ reason: "The generation no longer exists." })

const columns = `g.generation_id, g.job_id, g.prompt, g.request, g.model, g.mode, g.width, g.height,
  g.customer_file_id, j.status, j.progress, g.failure_code, g.failure_detail, g.report, g.created_at, j.finished_at,
  j.failure_reason as job_failure, f.download_key, f.file_name, v.download_key as vector_key, v.file_name as vector_name`

const joinedTables = `media_generation g
  join background_job j on j.account_id = g.account_id and j.job_id = g.job_id
  left join customer_file f on f.account_id = g.account_id and f.customer_file_id = g.customer_file_id
  left join customer_file v on v.account_id = g.account_id and v.customer_file_id = g.vector_file_id`

const withUrls = (
  baseUrl: string,
  { download_key, file_name, job_failure, vector_key, vector_name, ...row }: StoredRow
): GenerationRow => {
  const isDone = row.status === "finished"
  const isRemoved = isDone && row.customer_file_id === null
  const url = (key: string | null, name: string | null) =>
    isDone && key !== null && name !== null ? downloadUrl(baseUrl, key, name) : null
  return {
    ...row,
    url: url(download_key, file_name),
    vector_url: url(vector_key, vector_name),
    failure_code: row.status === "failed" ? (row.failure_code ?? "given_up") : isRemoved ? "file_removed" : null,
    failure_detail:
      row.status === "failed" ? (row.failure_detail ?? job_failure) : isRemoved ? "Its file was removed." : null
  }
}

/** Starts and reads the generations of one kind. */
const makeGenerations = (kind: MediaKind) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const jobs = yield* Jobs
    const { baseUrl } = yield* Settings

    const start = Effect.fnUntraced(function* (
      jobKind: string,
      prompt: string,
      request: unknown,
      size: { readonly width: number; readonly height: number } | undefined
    ) {
      const { accountId } = yield* Caller
      const jobId = yield* jobs.enqueue({ kind: jobKind, subjectId: undefined, lane: "render" })
      const { id } = single(
        yield* sql<{ readonly id: number }>`
          insert into media_generation (account_id, kind, job_id, prompt, request, width, height)
          values (${accountId}, ${kind}, ${jobId}, ${prompt}, ${JSON.stringify(request)}::jsonb,
            ${size?.width ?? null}, ${size?.height ?? null})
          returning generation_id as id`.pipe(fromSql())
      )
      yield* jobs.setSubject(jobId, id)
      return { id, jobId }
    })

    const get = (id: number): Effect.Effect<GenerationRow, NotFound | Transient, Caller> =>
      Effect.flatMap(Caller, ({ accountId }) =>
        sql<StoredRow>`
          select ${sql.literal(columns)} from ${sql.literal(joinedTables)}
          where g.account_id = ${accountId} and g.generation_id = ${id} and g.kind = ${kind}`.pipe(
          fromSql(),
          Effect.flatMap(([row]) =>
            row === undefined
              ? Effect.fail(notFound(noun[kind], `${kind}_id`, id))
              : Effect.succeed(withUrls(baseUrl, row))
          )
        )
      )

    /** Newest first. Videos are listed once they are finished. */
    const list = ({ page, pageSize }: { readonly page: number; readonly pageSize: number }) =>
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const listed =
          kind === "video"
            ? sql`g.account_id = ${accountId} and g.kind = ${kind} and g.customer_file_id is not null and j.status = 'finished'`
            : sql`g.account_id = ${accountId} and g.kind = ${kind}`
        const rows = yield* sql<StoredRow>`
          select ${sql.literal(columns)} from ${sql.literal(joinedTables)} where ${listed}
          order by g.generation_id desc limit ${pageSize} offset ${(page - 1) * pageSize}`
        const totals = yield* sql<{ readonly total: number }>`
          select count(*) as total from media_generation g
          join background_job j on j.account_id = g.account_id and j.job_id = g.job_id where ${listed}`
        return { rows: rows.map((row) => withUrls(baseUrl, row)), total: single(totals).total }
      }).pipe(fromSql())

    return { start, get, list }
  })

/** Advances a generation from its job to its stored file. */
export const makeGenerationWork = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const files = yield* CustomerFiles

  const load = ({ accountId, jobId }: RunningJob) =>
    sql<StartedGeneration>`
      select generation_id, prompt, request, model, order_state, order_id, customer_file_id is not null as is_done
      from media_generation where account_id = ${accountId} and job_id = ${jobId}`.pipe(
      fromSql(),
      Effect.flatMap(([row]) => (row === undefined ? Effect.fail(generationGone) : Effect.succeed(row)))
    )

  const isGeneration = (accountId: AccountId, id: number) => sql`account_id = ${accountId} and generation_id = ${id}`

  const begin = (accountId: AccountId, id: number, mode: ServiceMode) =>
    sql`update media_generation set mode = ${mode} where ${isGeneration(accountId, id)}`.pipe(Effect.asVoid, fromSql())

  const orderState = (accountId: AccountId, id: number, state: "placing" | null) =>
    sql`update media_generation set order_state = ${state}, order_id = null where ${isGeneration(accountId, id)}`.pipe(
      Effect.asVoid,
      fromSql()
    )

  /**
   * Commits the intent before placing the order. An intent without a response has an unknown outcome. Only an order
   * that certainly did not arrive is placed again.
   */
  const placing = <A, E, R>(
    accountId: AccountId,
    { generation_id: id, order_state }: StartedGeneration,
    order: Effect.Effect<A, E | GenerationFailed | Transient, R>
  ) =>
    order_state === "placing"
      ? Effect.fail(outcomeUnknown)
      : Effect.zipRight(orderState(accountId, id, "placing"), order).pipe(
          Effect.tapErrorTag("Transient", () => orderState(accountId, id, null))
        )

  const placed = (accountId: AccountId, id: number, orderId: string) =>
    sql`update media_generation set order_state = 'placed', order_id = ${orderId} where ${isGeneration(accountId, id)}`.pipe(
      Effect.asVoid,
      fromSql()
    )

  /** Stores the result once. If another run of the job already stored one, nothing happens. */
  const finish = <E, R>(
    { accountId }: RunningJob,
    id: number,
    { file, height, model, report, vector, width }: Result<E, R>
  ) =>
    unit.write(
      Effect.gen(function* () {
        const rows = yield* sql<{ readonly is_done: boolean }>`
          select customer_file_id is not null as is_done from media_generation where ${isGeneration(accountId, id)}
          for no key update`.pipe(fromSql())
        if (rows[0]?.is_done !== false) return
        const stored = yield* files.write(file)
        const vectorFile = vector === undefined ? undefined : yield* files.write(vector)
        yield* sql`
          update media_generation set customer_file_id = ${stored.customer_file_id},
            vector_file_id = ${vectorFile?.customer_file_id ?? null}, width = ${width}, height = ${height},
            report = ${JSON.stringify(report)}::jsonb,
            model = coalesce(${model === undefined ? null : JSON.stringify(model)}::jsonb, model)
          where ${isGeneration(accountId, id)}`.pipe(fromSql())
      })
    )

  /** Stores the reason of the failure for the account, and ends the job. */
  const failing = ({ accountId }: RunningJob, id: number) => {
    const fail = (code: string, detail: string, report?: WishReport) =>
      Effect.zipRight(
        sql`update media_generation set failure_code = ${code}, failure_detail = ${detail},
          report = ${report === undefined ? null : JSON.stringify(report)}::jsonb
          where ${isGeneration(accountId, id)}`.pipe(fromSql()),
        new JobFailed({ reason: detail })
      )
    return <A, R>(work: Effect.Effect<A, JobError | GenerationFailed | Refused, R>): Effect.Effect<A, JobError, R> =>
      Effect.catchTags(work, {
        GenerationFailed: ({ code, detail, report }) => fail(code, detail, report),
        Refused: ({ error, reason }) => fail(reason, error)
      })
  }

  return { load, begin, placing, placed, finish, failing }
})

export const makeGenerationRows = (kind: MediaKind) =>
  Effect.zipWith(makeGenerations(kind), makeGenerationWork, (generations, work) => ({ ...generations, ...work }))
