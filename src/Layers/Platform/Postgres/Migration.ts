import { createHash } from "node:crypto"

/** One migration: a room's tables, or a change to them. */
export interface Migration {
  readonly name: string
  readonly sql: string
  /**
   * The release that the migration came with. 0, the default, creates a room's tables. 1 changes them before the first
   * release, 2 after it, and each further release adds one.
   */
  readonly releases?: number
}

/**
 * Returns the migrations in the order of their rooms. Those with a higher number of `releases` come after all others.
 */
export const inOrder = (steps: ReadonlyArray<Migration>): ReadonlyArray<Migration> =>
  [...steps].sort((one, other) => (one.releases ?? 0) - (other.releases ?? 0))

/** Returns a hash of the migration. A test uses it to ensure that a released migration was not edited. */
export const checksum = ({ sql }: Migration): string => createHash("sha256").update(sql).digest("hex")
