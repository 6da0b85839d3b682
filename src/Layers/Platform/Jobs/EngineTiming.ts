import type { Duration } from "effect"

export interface EngineTiming {
  /** How often a worker sends a heartbeat. */
  readonly heartbeat: Duration.Duration
  /** The time after its last heartbeat when a worker counts as dead and others take its tasks. */
  readonly deadAfter: Duration.Duration
  /**
   * The interval at which the engine polls for due tasks while some wait. The database announces tasks that are due at
   * once.
   */
  readonly poll: Duration.Duration
  /**
   * The interval at which it polls while no task waits. The time of later tasks is known, and new ones are announced.
   */
  readonly rest: Duration.Duration
  /**
   * The time limit for stopping: handlers end, the library records which tasks are done, and other tasks are returned.
   */
  readonly stop: Duration.Duration
  /** The longest pause before a broken pool restarts. */
  readonly longestRestart: Duration.Duration
}
