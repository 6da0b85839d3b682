import { SqlClient } from "@effect/sql/SqlClient"
import { Cause, Duration, Effect, Exit, Option, Ref, Schema } from "effect"
import { Transient } from "../../Errors.ts"
import { AccountId, type Plan } from "../../Services/Account.ts"
import { Caller } from "../../Services/Caller.ts"
import { JobCancelled, type JobError, JobFailed, type JobHandler, type RunningJob } from "../../Services/JobHandler.ts"
import { JobId } from "../../Services/Jobs.ts"
import { describeCause } from "../../Services/SafeCause.ts"
import * as Task from "../../Services/Task.ts"
import { fromSql } from "../Postgres/Sql.ts"
import { handle, type TaskHandler, TaskTimedOut } from "./TaskHandler.ts"

/**
 * Works on one `background_job` row. How often a job is tried is counted in that row, not by the engine: a task that is
 * out of attempts is just left lying by the engine, and the job would be shown running for ever.
 */
export const backgroundJob = Task.make("background_job", {
  payload: Schema.Struct({ account_id: AccountId, job_id: JobId }),
  lane: "long",
  maxAttempts: 1000,
  retryDelay: (attempt) => Duration.seconds(Math.min(5 * 2 ** (attempt - 1), 300)),
  timeout: "3 hours"
})

interface StartedRow {
  readonly kind: string
  readonly subject_id: number | null
  readonly attempts: number
  readonly is_cancel_requested: boolean
  readonly plan: Plan
}

type RunError = JobError | TaskTimedOut

/** What the account is told when the attempts are used up. */
const gaveUpReason = (error: RunError | undefined, attempts: number): string => {
  const times = attempts === 1 ? "1 attempt" : `${attempts} attempts`
  if (error instanceof TaskTimedOut) return `It took too long; given up after ${times}.`
  if (error instanceof Transient) return `${error.error} Given up after ${times}.`
  return `An internal error stopped it; given up after ${times}.`
}

const interruptedReason = "It was interrupted too many times."

const handlersByKind = <R>(handlers: ReadonlyArray<JobHandler<R>>): ReadonlyMap<string, JobHandler<R>> => {
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]))
  if (byKind.size !== handlers.length) throw new Error("Two job handlers have the same kind.")
  return byKind
}

/** The task that runs background jobs by the handlers of their kinds, each on behalf of its account. */
export const backgroundJobHandler = <R>(handlers: ReadonlyArray<JobHandler<R>>): TaskHandler<R | SqlClient> => {
  const byKind = handlersByKind(handlers)

  return handle(
    backgroundJob,
    Effect.fnUntraced(function* ({ account_id: accountId, job_id: jobId }) {
      const sql = yield* SqlClient
      const thisJob = sql`account_id = ${accountId} and job_id = ${jobId}`

      const end = (status: "finished" | "failed" | "cancelled", reason: string | null = null) =>
        sql`update background_job set status = ${status}, failure_reason = ${reason}, finished_at = now(),
            progress = case when ${status === "finished"} then 100 else progress end
          where ${thisJob} and status = 'running'`.pipe(fromSql(), Effect.asVoid)

      /** Waits for its next attempt: shown queued, and cancelled at once if that is asked for. */
      const requeue = sql`update background_job set status = 'queued' where ${thisJob} and status = 'running'`.pipe(
        fromSql()
      )
      /** As if this attempt had not begun. */
      const handBack = sql`update background_job set status = 'queued', attempts = attempts - 1
        where ${thisJob} and status = 'running'`

      const [row] = yield* sql<StartedRow>`
        update background_job set status = 'running', attempts = attempts + 1,
          started_at = coalesce(started_at, now())
        from account
        where background_job.account_id = ${accountId} and job_id = ${jobId}
          and account.account_id = background_job.account_id and status in ('queued', 'running')
        returning kind, subject_id, attempts, is_cancel_requested, plan`.pipe(fromSql())
      if (row === undefined) return
      const attempts = Number(row.attempts)
      if (row.is_cancel_requested) return yield* end("cancelled")

      const handler = byKind.get(row.kind)
      // During a roll-out the kind may be known to a newer process alone, which may take the next attempt.
      if (handler === undefined) return yield* Effect.dieMessage(`No handler for jobs of kind ${row.kind}.`)
      if (attempts > handler.maxAttempts) return yield* end("failed", interruptedReason)

      const shown = yield* Ref.make(0)
      const job: RunningJob = {
        accountId,
        jobId,
        subjectId: row.subject_id ?? undefined,
        attempt: attempts,
        setProgress: Effect.fnUntraced(function* (percent) {
          const progress = Math.min(100, Math.max(0, Math.trunc(percent)))
          if (!(progress > (yield* Ref.getAndUpdate(shown, (last) => Math.max(last, progress))))) return
          yield* sql`update background_job set progress = greatest(progress, ${progress}) where ${thisJob}`.pipe(fromSql())
        }),
        checkpoint: Effect.gen(function* () {
          const rows = yield* sql`select from background_job where ${thisJob} and not is_cancel_requested`.pipe(fromSql())
          if (rows.length === 0) yield* new JobCancelled()
        })
      }

      const ran: Effect.Effect<void, RunError, R> = handler.run(job).pipe(
        Effect.timeoutFail({
          duration: handler.timeout,
          onTimeout: () => new TaskTimedOut({ seconds: Duration.toSeconds(handler.timeout) })
        }),
        Effect.provideService(Caller, { accountId, plan: row.plan, tokenId: undefined, requestId: jobId }),
        Effect.onInterrupt(() => Effect.ignore(Effect.timeout(Effect.interruptible(handBack), "2 seconds")))
      )
      const exit = yield* Effect.exit(ran)
      if (Exit.isSuccess(exit)) return yield* end("finished")
      const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
      if (error instanceof JobCancelled) return yield* end("cancelled")
      if (error instanceof JobFailed) return yield* end("failed", error.reason)
      if (attempts < handler.maxAttempts) {
        yield* requeue
        return yield* Effect.failCause(exit.cause as Cause.Cause<Transient>)
      }
      yield* Effect.annotateLogs(Effect.logError("background job failed for good"), {
        kind: row.kind,
        job_id: jobId,
        attempt: attempts,
        cause: describeCause(exit.cause)
      })
      yield* end("failed", gaveUpReason(error, attempts))
    })
  )
}
