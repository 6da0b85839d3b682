import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type NotFound, notFound, type Refused, type Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import type { ServiceMode } from "../../Services/Core/IntegrationModes.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { CustomerFiles, type NewCustomerFile } from "../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import type { JobId } from "../../Services/Jobs/Ids.ts"
import { type JobError, JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { type JobStatus, Jobs } from "../../Services/Jobs/Jobs.ts"
import { type GenerationFailed, outcomeUnknown } from "../../Services/Media/Generation.ts"
import { downloadUrl } from "../Files/Sql.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"

export type MediaKind = "image" | "drawing" | "video"

/** A row as its views show it, with the state of its job. */
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

/** One that is being made. */
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
}

const noun = { image: "image", drawing: "drawing", video: "video" } as const

/** What the answer of every kind has of a row. */
export const commonFields = (row: GenerationRow) => ({
  status: row.status,
  progress: row.progress,
  failure_reason: row.failure_code,
  failure_detail: row.failure_detail,
  mode: row.mode,
  prompt: row.prompt,
  customer_file_id: row.customer_file_id,
  job_id: row.job_id,
  created_at: row.created_at,
  finished_at: row.finished_at
})

const gone = new JobFailed({ reason: "What was to be made no longer exists." })

/** The rows of one kind: how they are begun, shown, and brought to their end. */
export const makeGenerationRows = (kind: MediaKind) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const jobs = yield* Jobs
    const files = yield* CustomerFiles
    const { baseUrl } = yield* Settings

    const columns = sql.literal(`g.generation_id, g.job_id, g.prompt, g.request, g.model, g.mode, g.width, g.height,
      g.customer_file_id, j.status, j.progress, g.failure_code, g.failure_detail, g.created_at, j.finished_at,
      j.failure_reason as job_failure, f.download_key, f.file_name, v.download_key as vector_key, v.file_name as vector_name`)
    const joined = sql.literal(`media_generation g
      join background_job j on j.account_id = g.account_id and j.job_id = g.job_id
      left join customer_file f on f.account_id = g.account_id and f.customer_file_id = g.customer_file_id
      left join customer_file v on v.account_id = g.account_id and v.customer_file_id = g.vector_file_id`)

    const shown = ({
      download_key,
      file_name,
      job_failure,
      vector_key,
      vector_name,
      ...row
    }: StoredRow): GenerationRow => {
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
          select ${columns} from ${joined}
          where g.account_id = ${accountId} and g.generation_id = ${id} and g.kind = ${kind}`.pipe(
          fromSql(),
          Effect.flatMap(([row]) =>
            row === undefined ? Effect.fail(notFound(noun[kind], `${kind}_id`, id)) : Effect.succeed(shown(row))
          )
        )
      )

    /** Newest first; of videos only those that can be seen. */
    const list = ({ page, pageSize }: { readonly page: number; readonly pageSize: number }) =>
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const wanted =
          kind === "video"
            ? sql`g.account_id = ${accountId} and g.kind = ${kind} and g.customer_file_id is not null and j.status = 'finished'`
            : sql`g.account_id = ${accountId} and g.kind = ${kind}`
        const rows = yield* sql<StoredRow>`
          select ${columns} from ${joined} where ${wanted}
          order by g.generation_id desc limit ${pageSize} offset ${(page - 1) * pageSize}`
        const totals = yield* sql<{ readonly total: number }>`
          select count(*) as total from media_generation g
          join background_job j on j.account_id = g.account_id and j.job_id = g.job_id where ${wanted}`
        return { rows: rows.map(shown), total: single(totals).total }
      }).pipe(fromSql())

    const load = ({ accountId, jobId }: RunningJob) =>
      sql<StartedGeneration>`
        select generation_id, prompt, request, model, order_state, order_id, customer_file_id is not null as is_done
        from media_generation where account_id = ${accountId} and job_id = ${jobId}`.pipe(
        fromSql(),
        Effect.flatMap(([row]) => (row === undefined ? Effect.fail(gone) : Effect.succeed(row)))
      )

    const of = (accountId: AccountId, id: number) => sql`account_id = ${accountId} and generation_id = ${id}`

    const begin = (accountId: AccountId, id: number, mode: ServiceMode) =>
      sql`update media_generation set mode = ${mode} where ${of(accountId, id)}`.pipe(Effect.asVoid, fromSql())

    const orderState = (accountId: AccountId, id: number, state: "placing" | null) =>
      sql`update media_generation set order_state = ${state}, order_id = null where ${of(accountId, id)}`.pipe(
        Effect.asVoid,
        fromSql()
      )

    /**
     * Places an order, whose intent is committed before. One that ended between its intent and its answer is unknown; one
     * that surely did not arrive may be placed again.
     */
    const placing = <A, E, R>(
      { accountId }: RunningJob,
      { generation_id: id, order_state }: StartedGeneration,
      order: Effect.Effect<A, E | GenerationFailed | Transient, R>
    ) =>
      order_state === "placing"
        ? Effect.fail(outcomeUnknown)
        : Effect.zipRight(orderState(accountId, id, "placing"), order).pipe(
            Effect.tapErrorTag("Transient", () => orderState(accountId, id, null))
          )

    const placed = (accountId: AccountId, id: number, orderId: string) =>
      sql`update media_generation set order_state = 'placed', order_id = ${orderId} where ${of(accountId, id)}`.pipe(
        Effect.asVoid,
        fromSql()
      )

    /** Stores what was made and shows it, once: where another run of the job was faster, nothing is stored. */
    const finish = <E, R>(
      { accountId }: RunningJob,
      id: number,
      { file, height, model, vector, width }: Result<E, R>
    ) =>
      unit.write(
        Effect.gen(function* () {
          const rows = yield* sql<{ readonly is_done: boolean }>`
            select customer_file_id is not null as is_done from media_generation where ${of(accountId, id)}
            for no key update`.pipe(fromSql())
          if (rows[0]?.is_done !== false) return
          const stored = yield* files.write(file)
          const vectorFile = vector === undefined ? undefined : yield* files.write(vector)
          yield* sql`
            update media_generation set customer_file_id = ${stored.customer_file_id},
              vector_file_id = ${vectorFile?.customer_file_id ?? null}, width = ${width}, height = ${height},
              model = coalesce(${model === undefined ? null : JSON.stringify(model)}::jsonb, model)
            where ${of(accountId, id)}`.pipe(fromSql())
        })
      )

    /** Writes down why it failed, for the account, and ends the job. */
    const failing = ({ accountId }: RunningJob, id: number) => {
      const fail = (code: string, detail: string) =>
        Effect.zipRight(
          sql`update media_generation set failure_code = ${code}, failure_detail = ${detail}
            where ${of(accountId, id)}`.pipe(fromSql()),
          new JobFailed({ reason: detail })
        )
      return <A, R>(work: Effect.Effect<A, JobError | GenerationFailed | Refused, R>): Effect.Effect<A, JobError, R> =>
        Effect.catchTags(work, {
          GenerationFailed: ({ code, detail }) => fail(code, detail),
          Refused: ({ error, reason }) => fail(reason, error)
        })
    }

    return { start, get, list, load, begin, placing, placed, finish, failing }
  })
