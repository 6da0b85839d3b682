import { SqlClient } from "@effect/sql/SqlClient"
import { Cause, Duration, Effect, Option, Ref, Schedule, Schema } from "effect"
import { Transient } from "../../../Errors.ts"
import { AccountId, type Plan } from "../../../Services/Accounts/Ids.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import { JobId } from "../../../Services/Jobs/Ids.ts"
import { JobCancelled, type JobHandler, type RunningJob } from "../../../Services/Jobs/JobHandler.ts"
import * as Task from "../../../Services/Jobs/Task.ts"
import { finishWithin } from "../Finalizer.ts"
import { fromSql } from "../Postgres/Sql.ts"
import { handle, type TaskHandler, TaskTimedOut } from "./TaskHandler.ts"

/**
 * Works on one `background_job` row. How often a job is tried is counted in that row, not by the engine: a task that is
 * out of attempts is just left lying by the engine, and the job would be shown running for ever.
 */
export const backgroundJob = Task.make("background_job", {
  payload: Schema.Struct({ account_id: AccountId, job_id: JobId }),
  pool: "long",
  maxAttempts: 1000,
  retryDelay: (attempt) => Duration.seconds(Math.min(5 * 2 ** (attempt - 1), 300)),
  timeout: "3 hours"
})

interface Key {
  readonly account_id: AccountId
  readonly job_id: JobId
}

interface Started {
  readonly kind: string
  readonly subject_id: number | null
  readonly attempts: number
  readonly is_cancel_requested: boolean
  readonly plan: Plan
}

interface Ended {
  readonly kind: string
  readonly subject_id: number | null
  readonly status: Outcome["status"]
  readonly plan: Plan
}

interface Outcome {
  readonly status: "finished" | "failed" | "cancelled"
  readonly reason: string | null
}

const finished: Outcome = { status: "finished", reason: null }
const cancelled: Outcome = { status: "cancelled", reason: null }
const failed = (reason: string): Outcome => ({ status: "failed", reason })

/** A result that is not recorded means that the whole job is run again. */
const whileAway = Schedule.exponential("200 millis").pipe(
  Schedule.union(Schedule.spaced("2 seconds")),
  Schedule.upTo("1 minute")
)

const rowOf = (sql: SqlClient, { account_id, job_id }: Key) => {
  const thisRow = sql`background_job.account_id = ${account_id} and job_id = ${job_id}`
  return {
    /** Nothing, if the job has ended or is gone. */
    start: sql<Started>`
      update background_job set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, instant())
      from account
      where ${thisRow} and account.account_id = background_job.account_id and status in ('queued', 'running')
      returning kind, subject_id, attempts, is_cancel_requested, plan`.pipe(
      Effect.map(([row]) => Option.fromNullable(row)),
      fromSql()
    ),
    /** Of a job that has ended. */
    outcome: sql<Ended>`
      select kind, subject_id, status, plan from background_job join account using (account_id)
      where ${thisRow} and status in ('finished', 'failed', 'cancelled')`.pipe(
      Effect.map(([row]) => Option.fromNullable(row)),
      fromSql()
    ),
    setProgress: (progress: number) =>
      sql`update background_job set progress = greatest(progress, ${progress}) where ${thisRow}`.pipe(
        Effect.asVoid,
        fromSql()
      ),
    isCancelRequested: sql`select from background_job where ${thisRow} and not is_cancel_requested`.pipe(
      Effect.map((rows) => rows.length === 0),
      fromSql()
    ),
    /** Waits for its next attempt: shown queued, and cancelled at once if that is asked for. */
    requeue: sql`update background_job set status = 'queued' where ${thisRow} and status = 'running'`.pipe(fromSql()),
    /** As if the attempt had not begun. */
    handBack: sql`
      update background_job set status = 'queued', attempts = attempts - 1 where ${thisRow} and status = 'running'`,
    end: ({ reason, status }: Outcome) =>
      sql`
        update background_job set status = ${status}, failure_reason = ${reason}, finished_at = instant(),
          progress = case when ${status === "finished"} then 100 else progress end
        where ${thisRow} and status = 'running'`.pipe(Effect.asVoid, fromSql(), Effect.retry(whileAway))
  }
}

const runningJob = (
  { account_id, job_id }: Key,
  { attempts, subject_id }: Started,
  row: ReturnType<typeof rowOf>
): RunningJob => {
  const shown = Ref.unsafeMake(0)
  return {
    accountId: account_id,
    jobId: job_id,
    subjectId: subject_id ?? undefined,
    attempt: attempts,
    setProgress: Effect.fnUntraced(function* (percent) {
      const progress = Math.min(100, Math.max(0, Math.trunc(percent) || 0))
      const last = yield* Ref.getAndUpdate(shown, (before) => Math.max(before, progress))
      if (progress > last) yield* row.setProgress(progress)
    }),
    checkpoint: Effect.flatMap(row.isCancelRequested, (isAsked) => (isAsked ? new JobCancelled() : Effect.void))
  }
}

/** What the account is told when the attempts are used up. */
const gaveUp = (error: Transient | TaskTimedOut | undefined, attempts: number): Outcome => {
  const times = attempts === 1 ? "1 attempt" : `${attempts} attempts`
  if (error instanceof TaskTimedOut) return failed(`It took too long; given up after ${times}.`)
  if (error instanceof Transient) return failed(`${error.error} Given up after ${times}.`)
  return failed(`An internal error stopped it; given up after ${times}.`)
}

/** One attempt, to its outcome; fails when there shall be another one. */
const attempt = <R>(handler: JobHandler<R>, key: Key, started: Started, row: ReturnType<typeof rowOf>) => {
  const caller = { accountId: key.account_id, plan: started.plan, tokenId: undefined, requestId: key.job_id }
  return handler.run(runningJob(key, started, row), caller).pipe(
    Effect.timeoutFail({
      duration: handler.timeout,
      onTimeout: () => new TaskTimedOut({ seconds: Duration.toSeconds(handler.timeout) })
    }),
    Effect.onInterrupt(() => finishWithin("2 seconds")(row.handBack)),
    Effect.as(finished),
    Effect.catchTags({
      JobCancelled: () => Effect.succeed(cancelled),
      JobFailed: ({ reason }) => Effect.succeed(failed(reason))
    }),
    Effect.catchAllCause((cause) => {
      if (started.attempts < handler.maxAttempts) return Effect.zipRight(row.requeue, Effect.failCause(cause))
      return Effect.logError("background job failed for good").pipe(
        Effect.annotateLogs({ kind: handler.kind, job_id: key.job_id, cause: describeCause(cause) }),
        Effect.as(gaveUp(Option.getOrUndefined(Cause.failureOption(cause)), started.attempts))
      )
    })
  )
}

/** During a roll-out the kind of a job may be known to newer processes alone, one of which will take it in time. */
const strangersAttempts = 10

/** The task that runs background jobs by the handlers of their kinds, each on behalf of its account. */
export const backgroundJobHandler = <R>(handlers: ReadonlyArray<JobHandler<R>>): TaskHandler<R | SqlClient> => {
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]))
  if (byKind.size !== handlers.length) throw new Error("Two job handlers have the same kind.")

  /** Also where an earlier run of the task got no further than to write the end down. */
  const tellEnd = Effect.fnUntraced(function* (key: Key, row: ReturnType<typeof rowOf>) {
    const found = yield* row.outcome
    if (Option.isNone(found)) return
    const { kind, plan, status, subject_id } = found.value
    const { account_id: accountId, job_id: jobId } = key
    const caller = { accountId, plan, tokenId: undefined, requestId: jobId }
    const job = { accountId, jobId, subjectId: subject_id ?? undefined, status }
    yield* byKind.get(kind)?.ended(job, caller) ?? Effect.void
  })

  const work = Effect.fnUntraced(function* (key: Key, row: ReturnType<typeof rowOf>) {
    const begun = yield* row.start
    if (Option.isNone(begun)) return
    const started = begun.value
    if (started.is_cancel_requested) return yield* row.end(cancelled)
    const handler = byKind.get(started.kind)
    if (handler === undefined) {
      if (started.attempts >= strangersAttempts) return yield* row.end(failed("Nothing here can do this kind of job."))
      yield* row.requeue
      return yield* Effect.dieMessage(`No handler for jobs of kind ${started.kind}.`)
    }
    if (started.attempts > handler.maxAttempts) return yield* row.end(failed("It was interrupted too many times."))
    yield* row.end(yield* attempt(handler, key, started, row))
  })

  return handle(
    backgroundJob,
    Effect.fnUntraced(function* (key) {
      const row = rowOf(yield* SqlClient, key)
      yield* work(key, row)
      yield* tellEnd(key, row)
    })
  )
}
