import { createHash } from "node:crypto"

/** The longest database name in bytes, without the suffix that is added to the gateway's. */
const longestBase = 40

/** The prefix of test account databases, derived from the gateway's database. A digest distinguishes long names. */
const baseOf = (database: string): string =>
  Buffer.byteLength(database) <= longestBase
    ? database
    : `${Buffer.from(database).subarray(0, 30).toString("latin1")}_${createHash("sha256").update(database).digest("hex").slice(0, 8)}`

/** The database of a test account in one generation. */
export const testDatabaseName = (database: string, key: string, generation: number): string =>
  `${baseOf(database)}_test_${key}_${generation}`

/** The empty database that new ones are copied from. */
export const testTemplateName = (database: string): string => `${baseOf(database)}_test_template`

/** True if the name is that of a test account's database of this gateway. */
export const isTestDatabaseOf =
  (database: string) =>
  (name: string): boolean => {
    const start = `${baseOf(database)}_test_`
    return name.startsWith(start) && /^[0-9a-z]{10}_\d+$/.test(name.slice(start.length))
  }
