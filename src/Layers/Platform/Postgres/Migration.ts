import { createHash } from "node:crypto"

/** One migration: a room's tables or, since the first release, a change to them. */
export interface Migration {
  readonly name: string
  readonly sql: string
  /** The number of releases before the one that added this step. The default is 0. */
  readonly releases?: number
}

/** The migrations in the order of their rooms. Those of a later release come after all others. */
export const inOrder = (steps: ReadonlyArray<Migration>): ReadonlyArray<Migration> =>
  [...steps].sort((one, other) => (one.releases ?? 0) - (other.releases ?? 0))

/** A test uses it to ensure that a released migration was not edited. */
export const checksum = ({ sql }: Migration): string => createHash("sha256").update(sql).digest("hex")
