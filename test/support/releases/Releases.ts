import * as fs from "node:fs"
import * as path from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { Schema } from "effect"

/** What is kept of each release: its tables and statements, and the checksums of its migrations. */
export const releasesFolder = path.resolve(import.meta.dirname, "../../Releases")

export const ReleasedMigrations = Schema.Array(Schema.Struct({ name: Schema.String, checksum: Schema.String }))

export interface Release {
  readonly version: string
  readonly migrations: typeof ReleasedMigrations.Type
  /** The database as the release creates it, as SQL. */
  readonly schema: () => string
  /** The statements that the release asks the database. */
  readonly statements: () => ReadonlyArray<string>
}

export const files = { migrations: "migrations.json", schema: "schema.sql", statements: "statements.sql.gz" }

/** One statement a line. Compressed, since most are alike, and would be found by every search for a table. */
export const packed = (statements: ReadonlyArray<string>): Buffer =>
  gzipSync(statements.map((statement) => `${statement};\n`).join(""), { level: 9 })

const unpacked = (content: Buffer): ReadonlyArray<string> =>
  gunzipSync(content)
    .toString("utf8")
    .split(";\n")
    .filter((statement) => statement !== "")

const numbersOf = (version: string): ReadonlyArray<number> => version.split(".").map(Number)

const isBefore = (one: string, other: string): boolean => {
  const [a, b] = [numbersOf(one), numbersOf(other)]
  const at = a.findIndex((number, index) => number !== b[index])
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0)
}

export const versionName = /^\d+\.\d+\.\d+$/

/** All releases, oldest first. */
export const keptReleases = (folder: string = releasesFolder): ReadonlyArray<Release> =>
  fs
    .readdirSync(folder)
    .filter((name) => versionName.test(name))
    .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    .map((version) => {
      const read = (file: string) => fs.readFileSync(path.join(folder, version, file), "utf8")
      return {
        version,
        migrations: Schema.decodeSync(Schema.parseJson(ReleasedMigrations))(read(files.migrations)),
        schema: () => read(files.schema),
        statements: () => unpacked(fs.readFileSync(path.join(folder, version, files.statements)))
      }
    })

/** The versions that the changelog lists, oldest first. */
export const versionsIn = (changelog: string): ReadonlyArray<string> =>
  [...changelog.matchAll(/^## \[?(\d+\.\d+\.\d+)/gm)].map(([, version = ""]) => version).reverse()
