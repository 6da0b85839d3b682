import { Data, Duration, type Either, type ParseResult, Schema } from "effect"
import type { OutsideEffect } from "../Core/Calls/DryRun.ts"

/** The task cannot succeed, however often it is tried. `reason` is for operators and logs, without personal data. */
export class TaskFailed extends Data.TaggedError("TaskFailed")<{ readonly reason: string }> {}

/**
 * The worker pool of a task. `quick` tasks take seconds and are fetched in batches, in no order. `serial` tasks can
 * have a queue in which they run one after another. `urgent` tasks are those that a person waits for. They have
 * separate workers, so that they never wait behind outreach. `long` tasks take minutes. `render` tasks make images and
 * videos, on separate workers, so that imports do not wait for them.
 */
export type WorkerPool = "quick" | "serial" | "urgent" | "long" | "render"

/** A kind of internal work that is stored in a transaction and done after it commits. */
export interface Task<in out A> {
  readonly name: string
  readonly pool: WorkerPool
  readonly maxAttempts: number
  /** How long to wait after the failed attempt with this number, from 1. */
  readonly retryDelay: (attempt: number) => Duration.DurationInput
  readonly timeout: Duration.Duration
  /** The effects outside the gateway when the task runs, for the report of a dry run. */
  readonly sends: OutsideEffect | undefined
  /** Converts the payload to the JSON that is stored. */
  readonly encode: (payload: A) => unknown
  readonly decode: (stored: unknown) => Either.Either<A, ParseResult.ParseError>
}

export interface TaskOptions<A, I> {
  /** The input of an attempt: ids, no personal data, because a failed task's payload is stored for weeks. */
  readonly payload: Schema.Schema<A, I>
  /** By default `quick`. */
  readonly pool?: WorkerPool
  /**
   * By default 25. A crash uses up one attempt of every task that the process has claimed, started or not. Use 1 for
   * tasks that must never run twice.
   */
  readonly maxAttempts?: number
  /** By default 3 s, 7 s, 20 s, 1 min, 2.5 min, … 6 h. A tenth of jitter is added. */
  readonly retryDelay?: (attempt: number) => Duration.DurationInput
  /** The time limit of one attempt. By default 1 minute (`long`, `render`: 1 hour), at most 3 hours. */
  readonly timeout?: Duration.DurationInput
  /** The effects outside the gateway when the task runs. By default none. */
  readonly sends?: OutsideEffect
}

/** The engine considers a task abandoned after four hours. */
const longestTimeout = Duration.hours(3)

const exponential = (attempt: number): Duration.Duration => Duration.seconds(Math.exp(Math.min(attempt, 10)))

/** Makes a task: a value that callers enqueue and that one handler is bound to. */
export const make = <A, I>(name: string, options: TaskOptions<A, I>): Task<A> => {
  const { pool = "quick", maxAttempts = 25, retryDelay = exponential } = options
  const timeout = Duration.decode(options.timeout ?? (pool === "long" || pool === "render" ? "1 hour" : "1 minute"))
  if (Duration.greaterThan(timeout, longestTimeout)) throw new Error(`An attempt of ${name} may take 3 hours at most.`)
  return {
    name,
    pool,
    maxAttempts,
    retryDelay,
    timeout,
    sends: options.sends,
    encode: Schema.encodeSync(options.payload),
    decode: Schema.decodeUnknownEither(options.payload)
  }
}
