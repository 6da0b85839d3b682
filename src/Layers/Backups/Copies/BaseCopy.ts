import { createReadStream } from "node:fs"
import * as path from "node:path"
import { Effect, Schedule } from "effect"
import { type Client, DatabaseError } from "pg"
import { segmentsBetween } from "../../../Services/Backups/BackupChoice.ts"
import { type BackupError, backupError, systemError } from "../../../Services/Backups/BackupError.ts"
import type { BackupManifest, BackupName } from "../../../Services/Backups/BackupManifest.ts"
import type { ConnectionOptions } from "../../Platform/Postgres/pool/Pool.ts"
import { type StoredFile, storeFile } from "../BackupStore.ts"
import { openSession, rowOf, takeSnapshot } from "../Sessions.ts"
import { digestTables } from "../TableDigests.ts"
import { BaseBackupStream } from "./BaseBackupStream.ts"

export const baseArchive = "base.tar.gz"

/** The file of a segment of the write-ahead log in a backup. */
export const segmentFile = (segment: string): string => `wal-${segment}.gz`

/** The fields that a backup's content adds to its manifest. */
export type Content = Pick<BackupManifest, "snapshot_at" | "wal" | "files" | "tables">

/** How long locking may delay other statements. It is shorter than the server's deadlock timeout. */
const lockMillis = 400
const deadlockMillis = 100
const retryLocks = Schedule.exponential("200 millis", 1.5).pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.upTo("5 minutes")
)

const allTables = `
select coalesce(string_agg(format('%I.%I', n.nspname, c.relname), ', ' order by c.oid), '') as tables
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and c.relpersistence = 'p' and not c.relispartition
  and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`

const isBusy = (cause: unknown): boolean =>
  cause instanceof DatabaseError && (cause.code === "55P03" || cause.code === "40P01")

/** Locks all tables against writes. Writers wait at most `lockMillis` for an attempt. */
const lockTables = (client: Client) =>
  Effect.tryPromise({
    try: async () => {
      await client.query(`set lock_timeout = ${lockMillis}; set deadlock_timeout = ${deadlockMillis}`)
      await client.query("begin")
      try {
        const { rows } = await client.query<{ readonly tables: string }>(allTables)
        const tables = rows[0]?.tables ?? ""
        if (tables !== "") await client.query(`lock table ${tables} in share mode`)
      } catch (cause) {
        await client.query("rollback")
        throw cause
      }
    },
    catch: (cause) =>
      isBusy(cause)
        ? backupError(
            "tables_busy",
            "For five minutes, there was no moment without a long write. Try again when imports have ended."
          )
        : systemError("The tables cannot be locked")(cause)
  }).pipe(Effect.retry({ schedule: retryLocks, while: ({ reason }) => reason === "tables_busy" }))

/**
 * Marks a point in the log at which no write is in progress, and takes a snapshot of the same state. Recovery to the
 * point gives the rows that the snapshot sees. Writers are blocked for this moment, because a transaction may be in the
 * log before it is visible.
 */
const markPoint = (locking: Client, snapshot: Client, name: BackupName) =>
  Effect.gen(function* () {
    yield* lockTables(locking)
    const at = yield* takeSnapshot(snapshot)
    const { position } = yield* rowOf<{ readonly position: string }>(
      locking,
      `select pg_create_restore_point('${name}')::text as position`,
      "The point of the backup cannot be marked"
    )
    return { at, position }
  }).pipe(Effect.ensuring(Effect.promise(() => locking.query("rollback").catch(() => undefined))))

/** `pg` only accepts the replication option in a connection string. */
const replicationSession = ({ database = "", host = "", port = 0, user = "" }: ConnectionOptions) =>
  openSession({
    connectionString: `postgres://${encodeURIComponent(user)}@/${encodeURIComponent(database)}?host=${encodeURIComponent(host)}&port=${port}&replication=database`
  })

const copySegment = async (cluster: string, folder: string, segment: string): Promise<StoredFile> =>
  storeFile(folder, segmentFile(segment), createReadStream(path.join(cluster, "pg_wal", segment)), true)

/** Copies the files of a running server, and the log from them to a marked point. The server stays available. */
export const copyServer = (
  connection: ConnectionOptions,
  cluster: string,
  folder: string,
  name: BackupName
): Effect.Effect<Content, BackupError> =>
  Effect.gen(function* () {
    const [locking, snapshot] = yield* Effect.all([openSession(connection), openSession(connection)])
    const copied = yield* Effect.scoped(
      Effect.gen(function* () {
        const replication = yield* replicationSession(connection)
        // Keeps the server from removing the log before it is copied. The slot ends with the session.
        const slot = `backup_${name.slice(-8)}`
        yield* rowOf(
          replication,
          `CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`,
          "The log cannot be kept for the backup"
        )
        const stream = new BaseBackupStream(name)
        const base = yield* Effect.tryPromise({
          try: () => storeFile(folder, baseArchive, replication.query(stream), true),
          catch: systemError("The files of the database cannot be copied")
        })
        const { at, position } = yield* markPoint(locking, snapshot, name)
        // Completes the segment that contains the point, so that it can be copied.
        const { bytes } = yield* rowOf<{ readonly bytes: number }>(
          locking,
          "select pg_size_bytes(current_setting('wal_segment_size'))::int as bytes, pg_switch_wal()",
          "The log cannot be switched"
        )
        const start = stream.start
        const segments = segmentsBetween(start.timeline, start.position, position, bytes)
        const files = yield* Effect.forEach(segments, (segment) =>
          Effect.tryPromise({
            try: () => copySegment(cluster, folder, segment),
            catch: systemError(`The segment ${segment} of the log cannot be copied`)
          })
        )
        return { at, files: [base, ...files], segments }
      })
    )
    const [first, last] = [copied.segments[0], copied.segments.at(-1)]
    if (first === undefined || last === undefined) return yield* backupError("failed", "The backup has no log.")
    return {
      snapshot_at: copied.at,
      wal: { first, last, restore_point: name },
      files: copied.files,
      tables: yield* digestTables(snapshot)
    }
  }).pipe(Effect.scoped)
