import { Cause, Duration, Effect, Option, Ref, Schema } from "effect"
import { Transient } from "../../../Errors.ts"
import { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import { JobId } from "../../../Services/Jobs/Ids.ts"
import { JobCancelled, type JobHandler, type RunningJob } from "../../../Services/Jobs/JobHandler.ts"
import {
  type JobEnd,
  type JobKey,
  type JobRecord,
  JobRecords,
  type StartedJob
} from "../../../Services/Jobs/JobRecords.ts"
import * as Task from "../../../Services/Jobs/Task.ts"
import { finishWithin } from "../Finalizer.ts"
import { handle, type TaskHandler, TaskTimedOut } from "./TaskHandler.ts"

/**
 * Works on one `background_job` row. The row counts the attempts, not the engine: the engine leaves a task without
 * attempts in place, so the job would be shown as running forever.
 */
export const backgroundJob = Task.make("background_job", {
  sends: "background_job",
  payload: Schema.Struct({ account_id: AccountId, job_id: JobId }),
  pool: "long",
  maxAttempts: 1000,
  retryDelay: (attempt) => Duration.seconds(Math.min(5 * 2 ** (attempt - 1), 300)),
  timeout: "3 hours"
})

/**
 * Like `backgroundJob`, for jobs that render images or videos. They have a separate pool, so that they only wait for
 * each other.
 */
export const renderJob: typeof backgroundJob = { ...backgroundJob, name: "render_job", pool: "render" }

const finished: JobEnd = { status: "finished", reason: null }
const cancelled: JobEnd = { status: "cancelled", reason: null }
const failed = (reason: string): JobEnd => ({ status: "failed", reason })

const runningJob = (
  { account_id, job_id }: JobKey,
  { attempts, subject_id }: StartedJob,
  row: JobRecord
): RunningJob => {
  const highestProgress = Ref.unsafeMake(0)
  return {
    accountId: account_id,
    jobId: job_id,
    subjectId: subject_id ?? undefined,
    attempt: attempts,
    setProgress: Effect.fnUntraced(function* (percent) {
      const progress = Math.min(100, Math.max(0, Math.trunc(percent) || 0))
      const last = yield* Ref.getAndUpdate(highestProgress, (before) => Math.max(before, progress))
      if (progress > last) yield* row.setProgress(progress)
    }),
    checkpoint: Effect.flatMap(row.isCancelRequested, (isAsked) => (isAsked ? new JobCancelled() : Effect.void))
  }
}

/** Returns the outcome of a job that has no attempts left, with the reason shown to the account. */
const gaveUp = (error: Transient | TaskTimedOut | undefined, attempts: number): JobEnd => {
  const times = attempts === 1 ? "1 attempt" : `${attempts} attempts`
  if (error instanceof TaskTimedOut) return failed(`It took too long; given up after ${times}.`)
  if (error instanceof Transient) return failed(`${error.error} Given up after ${times}.`)
  return failed(`An internal error stopped it; given up after ${times}.`)
}

/** Runs one attempt and returns its outcome. Fails if the job is to be retried. */
const attempt = <R>(handler: JobHandler<R>, key: JobKey, started: StartedJob, row: JobRecord) => {
  const caller = Caller.forTask(key.account_id, started.plan, key.job_id)
  return handler.run(runningJob(key, started, row), caller).pipe(
    Effect.timeoutFail({
      duration: handler.timeout,
      onTimeout: () => new TaskTimedOut({ seconds: Duration.toSeconds(handler.timeout) })
    }),
    Effect.onInterrupt(() => finishWithin("2 seconds")(row.undoStart)),
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

/**
 * Attempts of a job whose kind this process does not know. During a roll-out only newer processes know it, and one of
 * them takes the job within these attempts.
 */
const strangersAttempts = 10

/** The tasks that run background jobs by the handlers of their kinds, each on behalf of its account. */
export const backgroundJobHandlers = <R>(
  handlers: ReadonlyArray<JobHandler<R>>
): readonly [long: TaskHandler<R | JobRecords>, render: TaskHandler<R | JobRecords>] => {
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]))
  if (byKind.size !== handlers.length) throw new Error("Two job handlers have the same kind.")

  /**
   * Notifies the handler that the job has ended. It runs again if an earlier run of the task stopped right after it
   * stored the outcome.
   */
  const tellEnd = Effect.fnUntraced(function* (key: JobKey, row: JobRecord) {
    const outcome = yield* row.outcome
    if (Option.isNone(outcome)) return
    const { kind, plan, status, subject_id } = outcome.value
    const { account_id: accountId, job_id: jobId } = key
    const caller = Caller.forTask(accountId, plan, jobId)
    const job = { accountId, jobId, subjectId: subject_id ?? undefined, status }
    yield* byKind.get(kind)?.ended(job, caller) ?? Effect.void
  })

  const work = Effect.fnUntraced(function* (key: JobKey, row: JobRecord) {
    const start = yield* row.start
    if (Option.isNone(start)) return
    const started = start.value
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

  const run = Effect.fnUntraced(function* (key: JobKey) {
    const row = (yield* JobRecords).of(key)
    yield* work(key, row)
    yield* tellEnd(key, row)
  })
  return [handle(backgroundJob, run), handle(renderJob, run)]
}
