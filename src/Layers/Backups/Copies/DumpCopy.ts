import * as path from "node:path"
import { Effect } from "effect"
import { type BackupError, backupError, systemError } from "../../../Services/Backups/BackupError.ts"
import type { TableDigest } from "../../../Services/Backups/BackupManifest.ts"
import { acquire, type DatabaseAddress } from "../../Platform/EmbeddedPostgres.ts"
import type { ConnectionOptions } from "../../Platform/Postgres/pool/Pool.ts"
import { type StoredBackup, storedFile } from "../BackupStore.ts"
import { majorVersion, openSession, rowOf, run, takeSnapshot } from "../Sessions.ts"
import { digestTables } from "../TableDigests.ts"
import type { Content } from "./BaseCopy.ts"
import { complete, findProgram, type ProgramTarget } from "./PostgresPrograms.ts"

const dumpFile = "database.dump"

/** Dumps a database and digests its tables in one snapshot. */
export const dumpDatabase = (
  connection: ConnectionOptions,
  target: ProgramTarget,
  folder: string
): Effect.Effect<Content, BackupError> =>
  Effect.gen(function* () {
    const session = yield* openSession(connection)
    const program = yield* findProgram("pg_dump", yield* majorVersion(session))
    const at = yield* takeSnapshot(session)
    const { snapshot } = yield* rowOf<{ readonly snapshot: string }>(
      session,
      "select pg_export_snapshot() as snapshot",
      "The snapshot cannot be shared"
    )
    const file = path.join(folder, dumpFile)
    yield* complete(
      program,
      ["--format=custom", "--no-owner", "--no-privileges", `--snapshot=${snapshot}`, `--file=${file}`, "--no-password"],
      target
    )
    const tables = yield* digestTables(session)
    const stored = yield* Effect.tryPromise({
      try: () => storedFile(folder, dumpFile),
      catch: systemError("The dump cannot be read")
    })
    return { snapshot_at: at, wal: null, files: [stored], tables }
  }).pipe(Effect.scoped)

/** Loads a dump into an empty database, as one transaction. */
export const loadDump = (backup: StoredBackup, target: ProgramTarget): Effect.Effect<void, BackupError> =>
  Effect.gen(function* () {
    const program = yield* findProgram("pg_restore", backup.manifest.postgres_version)
    yield* complete(
      program,
      [
        "--exit-on-error",
        "--single-transaction",
        "--no-owner",
        "--no-privileges",
        "--no-password",
        `--dbname=${target["PGDATABASE"] ?? ""}`,
        path.join(backup.folder, dumpFile)
      ],
      target
    )
  })

const scratchDatabase = "restored"

const targetIn = ({ host, port, user }: DatabaseAddress): ProgramTarget => ({
  PGHOST: host,
  PGPORT: String(port),
  PGUSER: user,
  PGDATABASE: scratchDatabase
})

/** Loads a dump into a scratch server in an empty folder, and digests the tables. */
export const digestDump = (
  backup: StoredBackup,
  folder: string
): Effect.Effect<ReadonlyArray<TableDigest>, BackupError> =>
  Effect.gen(function* () {
    const server = yield* acquire({ dataDir: folder, settings: { fsync: false }, stopTimeout: "5 minutes" }).pipe(
      Effect.mapError(({ message }) => backupError("failed", `The scratch server does not start. ${message}`))
    )
    yield* Effect.scoped(
      Effect.gen(function* () {
        const admin = yield* openSession(server)
        const major = yield* majorVersion(admin)
        if (major < backup.manifest.postgres_version) {
          return yield* backupError(
            "version_differs",
            `The dump is of PostgreSQL ${backup.manifest.postgres_version}, and the scratch server of ${major}. Restore it into an empty database to check it.`
          )
        }
        yield* run(admin, `create database ${scratchDatabase}`, "The scratch database cannot be created")
      })
    )
    yield* loadDump(backup, targetIn(server))
    return yield* Effect.scoped(
      Effect.flatMap(openSession(server.forDatabase(scratchDatabase)), (session) => digestTables(session))
    )
  }).pipe(Effect.scoped)
