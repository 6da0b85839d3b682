import { createHash } from "node:crypto"

/** A step of the schema: a room's tables, or from the first release on a change of them. */
export interface Migration {
  readonly name: string
  readonly sql: string
  /** The number of releases before the one that added this step. The default is 0. */
  readonly releases?: number
}

/** Steps in the order of their rooms, but that those of a later release come after all others. */
export const inOrder = (steps: ReadonlyArray<Migration>): ReadonlyArray<Migration> =>
  [...steps].sort((one, other) => (one.releases ?? 0) - (other.releases ?? 0))

/** By which a test holds that a released step was not edited. */
export const checksum = ({ sql }: Migration): string => createHash("sha256").update(sql).digest("hex")
