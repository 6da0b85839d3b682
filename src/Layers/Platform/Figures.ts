import type { Effect } from "effect"
import type { Transient } from "../../Errors.ts"

/** A number that a room has for operators, read whenever `/metrics` is asked for: cheap, whatever waits. */
export interface Figure {
  /** By the rules of Prometheus: with the unit at its end. */
  readonly name: string
  readonly help: string
  readonly read: Effect.Effect<number, Transient>
}
