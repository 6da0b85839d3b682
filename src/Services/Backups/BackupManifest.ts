import { Schema } from "effect"
import { Timestamp } from "../Core/Timestamp.ts"

/** The name of a backup's folder: when it started, and random digits. Names sort by time. */
export const BackupName = Schema.String.pipe(Schema.pattern(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/), Schema.brand("BackupName"))
export type BackupName = typeof BackupName.Type

/** The number of a table's rows and a digest that does not depend on their order. */
export const TableDigest = Schema.Struct({ table: Schema.String, rows: Schema.String, digest: Schema.String })
export type TableDigest = typeof TableDigest.Type

/** The name of a segment of the write-ahead log: timeline, log and segment, eight hexadecimal digits each. */
const Segment = Schema.String.pipe(Schema.pattern(/^[0-9A-F]{24}$/))

/** The part of the write-ahead log that a copy of the server's files needs to become consistent. */
const WalRange = Schema.Struct({
  first: Segment,
  last: Segment,
  /** Recovery stops here. The digests are those of the tables at this point. */
  restore_point: Schema.String
})

/**
 * `base`: the files of the embedded server. `dump`: the output of `pg_dump`. A folder with a manifest is a complete
 * backup, because the manifest is written before the folder gets its name.
 */
export const BackupManifest = Schema.Struct({
  format: Schema.Literal(1),
  kind: Schema.Literal("base", "dump"),
  name: BackupName,
  started_at: Timestamp,
  /** The time of the snapshot that the digests describe. */
  snapshot_at: Timestamp,
  gateway_version: Schema.String,
  /** The major version of the server. */
  postgres_version: Schema.Int,
  wal: Schema.NullOr(WalRange),
  files: Schema.Array(
    Schema.Struct({
      name: Schema.String.pipe(Schema.pattern(/^[\w.-]{1,100}$/)),
      bytes: Schema.Int,
      sha256: Schema.String
    })
  ),
  tables: Schema.Array(TableDigest)
})
export type BackupManifest = typeof BackupManifest.Type

/** Makes the name of a backup that starts now. `random` is eight hexadecimal digits. */
export const nameOf = (startedAt: Timestamp, random: string): BackupName =>
  BackupName.make(`${startedAt.replace(/[-:]/g, "")}-${random}`)

/** How two lists of digests differ, one line per table. Empty if they are equal. */
export const differences = (
  expected: ReadonlyArray<TableDigest>,
  present: ReadonlyArray<TableDigest>
): ReadonlyArray<string> => {
  const byTable = new Map(present.map((table) => [table.table, table]))
  const expectedTables = new Set(expected.map(({ table }) => table))
  const missing = expected.flatMap(({ digest, rows, table }) => {
    const other = byTable.get(table)
    if (other === undefined) return [`${table} is missing`]
    if (other.rows !== rows) return [`${table} has ${other.rows} rows instead of ${rows}`]
    return other.digest === digest ? [] : [`${table} has other rows`]
  })
  const added = present
    .filter(({ table }) => !expectedTables.has(table))
    .map(({ table }) => `${table} is not in the backup`)
  return [...missing, ...added]
}
