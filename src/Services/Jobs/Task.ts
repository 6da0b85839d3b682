import { Data, Duration, type Either, type ParseResult, Schema } from "effect"

/** The task cannot succeed, however often it is tried. `reason` is for people and logs: no personal data. */
export class TaskFailed extends Data.TaggedError("TaskFailed")<{ readonly reason: string }> {}

/**
 * Where a task waits. `quick` ones take seconds at most and are fetched in batches, which keeps no order; `serial` ones
 * can be given a queue whose tasks run one after another; `urgent` ones are what a person waits for, and have hands of
 * their own, so that they never queue behind outreach; `long` ones take minutes and hold up none of the others; `render`
 * ones make pictures and videos, which would otherwise take the hands that imports wait for.
 */
export type WorkerPool = "quick" | "serial" | "urgent" | "long" | "render"

/** A kind of internal work that is written down in a transaction and done after it commits. */
export interface Task<in out A> {
  readonly name: string
  readonly pool: WorkerPool
  readonly maxAttempts: number
  /** How long to wait after the attempt with this number (the first is 1) has failed. */
  readonly retryDelay: (attempt: number) => Duration.DurationInput
  readonly timeout: Duration.Duration
  /** To plain JSON, which is stored. */
  readonly encode: (payload: A) => unknown
  readonly decode: (stored: unknown) => Either.Either<A, ParseResult.ParseError>
}

export interface TaskOptions<A, I> {
  /** What an attempt is given: ids, not personal data, since a failed task's payload is kept for weeks. */
  readonly payload: Schema.Schema<A, I>
  /** `quick` unless told. */
  readonly pool?: WorkerPool
  /**
   * 25 unless told. A crash costs one attempt of as many tasks as the process does at a time, begun or not, so 1 means
   * "rather not at all than twice".
   */
  readonly maxAttempts?: number
  /** 3 s, 7 s, 20 s, 1 min, 2.5 min, … 6 h unless told; one tenth of jitter is added. */
  readonly retryDelay?: (attempt: number) => Duration.DurationInput
  /** For one attempt: 1 minute (`long`, `render`: 1 hour) unless told, 3 hours at most. */
  readonly timeout?: Duration.DurationInput
}

/** The engine takes a task that runs longer than four hours for abandoned. */
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
    encode: Schema.encodeSync(options.payload),
    decode: Schema.decodeUnknownEither(options.payload)
  }
}
