import type { Effect } from "effect"
import type { Transient } from "../../Errors.ts"

/** A gauge that a room publishes on `/metrics`. It is read at each request, so reading it must be cheap. */
export interface Figure {
  /** A name by Prometheus' rules, with the unit at the end. */
  readonly name: string
  readonly help: string
  readonly read: Effect.Effect<number, Transient>
}
