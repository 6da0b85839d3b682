import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound, refused } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { JobId } from "../../Services/Jobs/Ids.ts"
import { type JobStatus, Jobs, JobView, maximumUnfinishedJobs } from "../../Services/Jobs/Jobs.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { backgroundJob, renderJob } from "../Platform/Jobs/BackgroundJob.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const alreadyEnded = (jobId: JobId, status: JobStatus) =>
  refused(
    "job_already_ended",
    `The job has already ended: it is ${status}.`,
    "Only queued and running jobs can be cancelled.",
    { job_id: jobId, status }
  )

const tooManyJobs = refused(
  "too_many_jobs",
  `The account has ${maximumUnfinishedJobs} background jobs that are not finished.`,
  "Wait until some of them are finished, or cancel those that are not needed, and repeat the call.",
  { maximum: maximumUnfinishedJobs }
)

/** The most jobs of one account that run at a time, over all processes. */
export const runningPerAccount = 2

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tasks = yield* TaskQueue
  /** SQL condition: the caller's token may see the job. Jobs of other tool groups are hidden from it. */
  const isVisible = ({ accountId, jobKinds }: Caller["Type"]) =>
    sql.and([sql`account_id = ${accountId}`, ...(jobKinds === undefined ? [] : [sql`kind = any(${jobKinds}::text[])`])])
  const view = sql.literal(selectedColumns(JobView, undefined, { cancel_requested: "is_cancel_requested" }))

  return Jobs.of({
    enqueue: Effect.fn("Jobs.enqueue")(function* ({ kind, lane, subjectId }) {
      const { accountId } = yield* Caller
      const jobCounts = yield* sql<{ readonly unfinished: number }>`
        select count(*) as unfinished from background_job
        where account_id = ${accountId} and status in ('queued', 'running')`.pipe(fromSql())
      const { unfinished } = single(jobCounts)
      if (unfinished >= maximumUnfinishedJobs) return yield* tooManyJobs
      const rows = yield* sql<{ readonly job_id: JobId }>`
        insert into background_job (account_id, kind, subject_id)
        values (${accountId}, ${kind}, ${subjectId ?? null}) returning job_id`.pipe(fromSql())
      const { job_id } = single(rows)
      // The priority creates a round-robin: an account's second job comes after every other account's first. The queue
      // limits how many jobs of one account run at a time.
      yield* tasks.enqueue(
        lane === "render" ? renderJob : backgroundJob,
        { account_id: accountId, job_id },
        { priority: unfinished, queueName: `account ${accountId}, ${lane ?? unfinished % runningPerAccount}` }
      )
      return job_id
    }),

    setSubject: Effect.fn("Jobs.setSubject")(function* (jobId, subjectId) {
      const { accountId } = yield* Caller
      yield* sql`update background_job set subject_id = ${subjectId}
        where account_id = ${accountId} and job_id = ${jobId}`.pipe(fromSql())
    }),

    get: Effect.fn("Jobs.get")(function* (jobId) {
      const visible = isVisible(yield* Caller)
      const [job] = yield* sql<JobView>`
        select ${view} from background_job where ${visible} and job_id = ${jobId}`.pipe(fromSql())
      return job ?? (yield* notFound("background job", "job_id", jobId))
    }),

    list: Effect.fn("Jobs.list")(function* ({ page, pageSize, status }) {
      const condition = sql.and([isVisible(yield* Caller), ...(status === undefined ? [] : [sql`status = ${status}`])])
      const jobs = yield* sql<JobView>`
        select ${view} from background_job where ${condition}
        order by created_at desc, job_id limit ${pageSize} offset ${page * pageSize}`.pipe(fromSql())
      const [count] = yield* sql<{ readonly total: number }>`
        select count(*) as total from background_job where ${condition}`.pipe(fromSql())
      return { jobs, total: count?.total ?? 0 }
    }),

    cancel: Effect.fn("Jobs.cancel")(function* (jobId) {
      const visible = isVisible(yield* Caller)
      const [cancelled] = yield* sql<JobView>`
        update background_job set is_cancel_requested = true,
          status = case when status = 'queued' then 'cancelled' else status end,
          finished_at = case when status = 'queued' then instant() end
        where ${visible} and job_id = ${jobId} and status in ('queued', 'running')
        returning ${view}`.pipe(fromSql())
      if (cancelled !== undefined) return cancelled
      const [ended] = yield* sql<{ readonly status: JobStatus }>`
        select status from background_job where ${visible} and job_id = ${jobId}`.pipe(fromSql())
      return yield* ended === undefined
        ? notFound("background job", "job_id", jobId)
        : alreadyEnded(jobId, ended.status)
    })
  })
})

/** An account's view of its background jobs. The engine in Layers/Platform/Jobs runs them. */
export const JobsPostgres = Layer.effect(Jobs, make)
