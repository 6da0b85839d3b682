import { createHash } from "node:crypto"

/** A step of the schema: a room's tables, or from the first release on a change of them. */
export interface Migration {
  readonly name: string
  readonly sql: string
}

/** By which a test holds that a released step was not edited. */
export const checksum = ({ sql }: Migration): string => createHash("sha256").update(sql).digest("hex")
