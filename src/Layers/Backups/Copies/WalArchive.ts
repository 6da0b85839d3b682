import * as fs from "node:fs/promises"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type BackupError, backupError, systemError } from "../../../Services/Backups/BackupError.ts"
import { mayUse, serverUser } from "../../Platform/EmbeddedPostgres/OperatingSystem.ts"
import { BackupSettings, requiredDirectory } from "../BackupSettings.ts"
import { walFolder } from "../BackupStore.ts"

/** Matches paths without characters that are special in single quotes or in the server's setting. */
const plainPath = /^[\w/.,@+ -]+$/

/**
 * The command that stores a segment. It overwrites nothing. After a crash, the server sends a segment again, and it
 * must be identical.
 */
const commandFor = (folder: string): string => {
  const file = `'${folder}/%f.gz'`
  return [
    `if test -f ${file}; then gzip -dc ${file} | cmp -s - %p`,
    `else gzip -1 -c %p > '${folder}/%f.tmp' && sync '${folder}/%f.tmp' && mv '${folder}/%f.tmp' ${file}; fi`
  ].join("; ")
}

/** Settings that make the embedded server archive its log continuously. Empty if archiving is disabled. */
export const walArchiving: Effect.Effect<
  Readonly<Record<string, string | number>>,
  BackupError,
  BackupSettings
> = Effect.gen(function* () {
  const { archivesWal, walSeconds } = yield* BackupSettings
  if (!archivesWal) return {}
  const folder = walFolder(yield* requiredDirectory)
  if (!plainPath.test(folder)) {
    return yield* backupError(
      "backup_dir_unusable",
      "BACKUP_WAL needs a BACKUP_DIR of letters, digits and the characters / . , @ + - _ and space."
    )
  }
  const user = yield* Effect.mapError(serverUser, ({ message }) => backupError("backup_dir_unusable", message))
  yield* Effect.tryPromise({
    try: async () => {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      if (!user.isSelf) await fs.lchown(folder, user.uid, user.gid)
    },
    catch: systemError(`${folder} cannot be used`)
  })
  if (!(yield* mayUse(user, folder, 7))) {
    return yield* backupError(
      "backup_dir_unusable",
      `The user of the embedded database cannot enter ${folder}. Choose a BACKUP_DIR whose parents everyone may enter.`
    )
  }
  return { archive_mode: "on", archive_command: commandFor(folder), archive_timeout: walSeconds }
})

/** Logs a warning if archiving is enabled but does not work. */
export const watchArchiving = Effect.gen(function* () {
  const { archivesWal } = yield* BackupSettings
  if (!archivesWal) return
  const sql = yield* SqlClient
  const [state] = yield* sql<{ readonly mode: string; readonly fails: boolean; readonly segment: string | null }>`
    select current_setting('archive_mode') as mode, last_failed_wal as segment,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as fails
    from pg_stat_archiver`
  if (state === undefined) return
  if (state.mode !== "on") {
    yield* Effect.logWarning("The database server was started without BACKUP_WAL: stop all gateways, and start again")
  } else if (state.fails) {
    yield* Effect.annotateLogs(
      Effect.logError("The write-ahead log is not archived: is the disk of the backups full?"),
      { segment: state.segment }
    )
  }
}).pipe(Effect.catchAllCause((cause) => Effect.logWarning("The archive of the log was not checked", cause)))
