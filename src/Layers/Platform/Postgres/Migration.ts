import { createHash } from "node:crypto"

/** One migration: a room's tables, or a change to them. */
export interface Migration {
  readonly name: string
  readonly sql: string
  /**
   * 0, the default, for the tables of a room. 1 for a change to them before the first release, 2 for one after it, and so on:
   * one more with each release.
   */
  readonly releases?: number
}

/** The migrations in the order of their rooms. Those with a higher number of `releases` come after all others. */
export const inOrder = (steps: ReadonlyArray<Migration>): ReadonlyArray<Migration> =>
  [...steps].sort((one, other) => (one.releases ?? 0) - (other.releases ?? 0))

/** A test uses it to ensure that a released migration was not edited. */
export const checksum = ({ sql }: Migration): string => createHash("sha256").update(sql).digest("hex")
