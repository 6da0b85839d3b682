import { Data, Duration, Effect, Schedule } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import { Caller } from "../Core/Calls/Caller.ts"
import type { JobId } from "./Ids.ts"

/** The job cannot succeed. `reason` is shown to the account: a readable sentence without personal data of others. */
export class JobFailed extends Data.TaggedError("JobFailed")<{ readonly reason: string }> {}

/** Cancellation was requested. Committed changes stay. */
export class JobCancelled extends Data.TaggedError("JobCancelled") {}

export type JobError = JobFailed | JobCancelled | Transient

/** A background job as its handler sees it. */
export interface RunningJob {
  readonly accountId: AccountId
  readonly jobId: JobId
  readonly subjectId: number | undefined
  /** 1 on the first run, more after a transient failure or a crash. */
  readonly attempt: number
  /**
   * Takes 0 to 100, never decreasing. Within a transaction, progress and cancellation only take effect after the
   * commit.
   */
  readonly setProgress: (percent: number) => Effect.Effect<void, Transient>
  /** Call it between steps. It ends the job if cancellation was requested. */
  readonly checkpoint: Effect.Effect<void, JobCancelled | Transient>
}

/** A job that has ended, for any reason. */
export interface EndedJob {
  readonly accountId: AccountId
  readonly jobId: JobId
  readonly subjectId: number | undefined
  readonly status: "finished" | "failed" | "cancelled"
}

/** How jobs of one kind are run, on behalf of the account that requested them. */
export interface JobHandler<out R> {
  readonly kind: string
  readonly maxAttempts: number
  readonly timeout: Duration.Duration
  readonly run: (job: RunningJob, caller: Caller["Type"]) => Effect.Effect<void, JobError, R>
  readonly ended: (job: EndedJob, caller: Caller["Type"]) => Effect.Effect<void, Transient, R>
}

export interface JobHandlerOptions<R> {
  /** How many attempts a job has before it fails permanently. By default 5. */
  readonly maxAttempts?: number
  /** The time limit of one attempt. By default 1 hour, and always less than 3. */
  readonly timeout?: Duration.DurationInput
  /**
   * Runs again from the start after a crash or a transient failure. The handler continues from its last committed step.
   */
  readonly run: (job: RunningJob) => Effect.Effect<void, JobError, R>
  /**
   * Called after every end, including a cancellation before the start and a permanent failure. May be called again
   * after a crash.
   */
  readonly ended?: (job: EndedJob) => Effect.Effect<void, Transient, R>
}

/** Binds a kind of background job to its handler. The caller is the account that requested the job. */
export const make = <R>(kind: string, options: JobHandlerOptions<R>): JobHandler<Exclude<R, Caller>> => ({
  kind,
  maxAttempts: options.maxAttempts ?? 5,
  timeout: Duration.decode(options.timeout ?? "1 hour"),
  run: (job, caller) => Effect.provideService(options.run(job), Caller, caller),
  ended: (job, caller) => Effect.provideService(options.ended?.(job) ?? Effect.void, Caller, caller)
})

/**
 * Interrupts the work immediately when cancellation is requested. A thread that reads a file ends, and an open
 * transaction is rolled back.
 */
export const endedByCancellation =
  ({ checkpoint }: RunningJob) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | JobCancelled | Transient, R> =>
    Effect.raceFirst(
      work,
      Effect.delay(checkpoint, "1 second").pipe(Effect.repeat(Schedule.forever), Effect.zipRight(Effect.never))
    )
