import type { Duration } from "effect"

export interface EngineTiming {
  /** How often a worker sends a heartbeat. */
  readonly heartbeat: Duration.Duration
  /** How long after its last heartbeat a worker counts as dead and others take its tasks. */
  readonly deadAfter: Duration.Duration
  /** How often the engine looks for due tasks while some wait. The database announces those that are due at once. */
  readonly poll: Duration.Duration
  /** How often it looks while none waits. The time of later tasks is known, and new ones are announced. */
  readonly rest: Duration.Duration
  /** The time limit of a stop: handlers end, the library records what is done, and other tasks are returned. */
  readonly stop: Duration.Duration
  /** The longest pause before a broken pool restarts. */
  readonly longestRestart: Duration.Duration
}
