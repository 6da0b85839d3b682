import { Data, Duration, Effect, Schedule } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import { Caller } from "../Core/Caller.ts"
import type { JobId } from "./Ids.ts"

/** The job cannot succeed. `reason` is shown to the account: a readable sentence without personal data of others. */
export class JobFailed extends Data.TaggedError("JobFailed")<{ readonly reason: string }> {}

/** Cancellation was asked for; what is committed stays. */
export class JobCancelled extends Data.TaggedError("JobCancelled") {}

export type JobError = JobFailed | JobCancelled | Transient

/** A background job as its handler sees it. */
export interface RunningJob {
  readonly accountId: AccountId
  readonly jobId: JobId
  readonly subjectId: number | undefined
  /** 1 on the first run; more after a transient failure or a crash. */
  readonly attempt: number
  /** 0 to 100; never goes back. Within a transaction it is shown, and cancelling waits, until that commits. */
  readonly setProgress: (percent: number) => Effect.Effect<void, Transient>
  /** To be called between steps: ends the job there when cancellation was asked for. */
  readonly checkpoint: Effect.Effect<void, JobCancelled | Transient>
}

/** A job that has come to its end, whatever ended it. */
export interface EndedJob {
  readonly accountId: AccountId
  readonly jobId: JobId
  readonly subjectId: number | undefined
  readonly status: "finished" | "failed" | "cancelled"
}

/** What is done for the jobs of one kind, on behalf of the account that asked. */
export interface JobHandler<out R> {
  readonly kind: string
  readonly maxAttempts: number
  readonly timeout: Duration.Duration
  readonly run: (job: RunningJob, caller: Caller["Type"]) => Effect.Effect<void, JobError, R>
  readonly ended: (job: EndedJob, caller: Caller["Type"]) => Effect.Effect<void, Transient, R>
}

export interface JobHandlerOptions<R> {
  /** How often a job is begun before it fails for good; 5 unless told. */
  readonly maxAttempts?: number
  /** For one attempt: 1 hour unless told, and less than 3. */
  readonly timeout?: Duration.DurationInput
  /** Runs again from its start after a crash or a transient failure: it goes on from its own last committed step. */
  readonly run: (job: RunningJob) => Effect.Effect<void, JobError, R>
  /** Follows every end: also of a job that was cancelled before it began, or given up. May come again after a crash. */
  readonly ended?: (job: EndedJob) => Effect.Effect<void, Transient, R>
}

/** Binds a kind of background job to its handler, which has the account that asked as its caller. */
export const make = <R>(kind: string, options: JobHandlerOptions<R>): JobHandler<Exclude<R, Caller>> => ({
  kind,
  maxAttempts: options.maxAttempts ?? 5,
  timeout: Duration.decode(options.timeout ?? "1 hour"),
  run: (job, caller) => Effect.provideService(options.run(job), Caller, caller),
  ended: (job, caller) => Effect.provideService(options.ended?.(job) ?? Effect.void, Caller, caller)
})

/**
 * Ends the work at once when cancellation is asked for, whatever it waits for: a thread that reads a file ends with it,
 * and a transaction that is open is rolled back.
 */
export const endedByCancellation =
  ({ checkpoint }: RunningJob) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | JobCancelled | Transient, R> =>
    Effect.raceFirst(
      work,
      Effect.delay(checkpoint, "1 second").pipe(Effect.repeat(Schedule.forever), Effect.zipRight(Effect.never))
    )
