import type { Duration } from "effect"

export interface EngineTiming {
  /** How often a worker shows that it lives. */
  readonly heartbeat: Duration.Duration
  /** How long after its last heartbeat a worker is dead and its tasks are others'. */
  readonly deadAfter: Duration.Duration
  /** How often due tasks are looked for while some wait; those due at once are announced by the database. */
  readonly poll: Duration.Duration
  /** And while none does: what is due later is known, and what is new is announced. */
  readonly rest: Duration.Duration
  /** How long a stop may take: handlers end, the library records what is done, the rest is handed back. */
  readonly stop: Duration.Duration
  /** The longest pause before a pool that broke starts again. */
  readonly longestRestart: Duration.Duration
}
