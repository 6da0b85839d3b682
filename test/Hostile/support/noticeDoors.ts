import type { SqlError } from "@effect/sql/SqlError"
import type { Effect } from "effect"

export interface Notice {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Door {
  /** Whether nothing but its secret address proves a notice, so that any other body there is taken too. */
  readonly isAddressSecret?: boolean
  readonly genuine: () => Notice
  readonly forged: () => Readonly<Record<string, Notice>>
  /** Genuine ones from before the first, which arrive after it. */
  readonly reordered: () => Readonly<Record<string, Notice>>
  /** All that a notice of this door can change. */
  readonly state: Effect.Effect<ReadonlyArray<unknown>, SqlError>
}
