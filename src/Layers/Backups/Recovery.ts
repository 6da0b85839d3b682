import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect } from "effect"
import { neededFiles } from "../../Services/Backups/BackupChoice.ts"
import { type BackupError, backupError, systemError } from "../../Services/Backups/BackupError.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { acquire, type DatabaseAddress, type EmbeddedPostgresError } from "../Platform/EmbeddedPostgres.ts"
import { archivedFiles, type StoredBackup, unzipped, unzipTo, walFolder } from "./BackupStore.ts"
import { baseArchive, segmentFile } from "./Copies/BaseCopy.ts"
import { extractTar } from "./Copies/TarFiles.ts"

/** Recovery may replay the log of several days, at about 100 MB per second. */
const longestRecovery = "12 hours"

/** The target of a recovery: the point of the backup, or a time that the archived log covers. */
export type RecoveryTarget =
  | { readonly kind: "point" }
  | { readonly kind: "time"; readonly to: Timestamp; readonly directory: string }

const recoverySettings = (backup: StoredBackup, target: RecoveryTarget): string =>
  [
    // The complete log is in place before the server starts, so nothing must be fetched.
    "restore_command = 'false'",
    "recovery_target_action = 'promote'",
    ...(target.kind === "point"
      ? [`recovery_target_name = '${backup.manifest.wal?.restore_point ?? ""}'`, "recovery_target_timeline = 'current'"]
      : [
          // Time zone names such as Z are unknown when the server reads its settings, so an offset is used.
          `recovery_target_time = '${target.to.replace("T", " ").replace("Z", "+00")}'`,
          "recovery_target_timeline = 'latest'"
        ])
  ].join("\n")

/** Archived files that the recovery needs. Timeline histories prevent two restores from using the same timeline. */
const archivedFor = (backup: StoredBackup, target: RecoveryTarget, directory: string) =>
  Effect.map(archivedFiles(directory), (all) => {
    const needed = neededFiles(all, backup.manifest.wal?.first ?? "")
    return target.kind === "time" ? needed : needed.filter((name) => name.includes(".history."))
  })

const isThere = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false
  )

/** Writes the backup's files, the log, and the server settings for the recovery. */
const layOut = Effect.fnUntraced(function* (
  backup: StoredBackup,
  target: RecoveryTarget,
  directory: string,
  cluster: string
) {
  const archived = yield* archivedFor(backup, target, directory)
  yield* Effect.tryPromise({
    try: async () => {
      await extractTar(unzipped(path.join(backup.folder, baseArchive)), cluster)
      const log = path.join(cluster, "pg_wal")
      await fs.mkdir(log, { recursive: true, mode: 0o700 })
      const ofBackup = backup.manifest.files.flatMap(({ name }) => {
        const segment = /^wal-(\w+)\.gz$/.exec(name)?.[1]
        return segment !== undefined && segmentFile(segment) === name ? [[segment, path.join(backup.folder, name)]] : []
      })
      const ofArchive = archived.map((name) => [name.replace(/\.gz$/, ""), path.join(walFolder(directory), name)])
      for (const [segment = "", file = ""] of [...ofBackup, ...ofArchive]) {
        const place = path.join(log, segment)
        if (!(await isThere(place))) await unzipTo(file, place)
      }
      await fs.writeFile(path.join(cluster, "recovery.signal"), "", { mode: 0o600 })
      await fs.appendFile(path.join(cluster, automatic), `\n${recoverySettings(backup, target)}\n`)
    },
    catch: systemError("The backup cannot be unpacked")
  })
})

const automatic = "postgresql.auto.conf"

/** Removes the recovery settings, because the recovery is complete. */
const forget = (cluster: string) =>
  Effect.tryPromise({
    try: async () => {
      const file = path.join(cluster, automatic)
      const text = await fs.readFile(file, "utf8")
      const otherLines = text.split("\n").filter((line) => !/^(?:restore_command|recovery_target_\w+) = /.test(line))
      await fs.writeFile(file, otherLines.join("\n"))
    },
    catch: systemError("The settings of the recovery cannot be removed")
  })

const notCovered = (message: string): BackupError =>
  backupError(
    "time_not_covered",
    `The archived log ends before that time, or no transaction follows it. Choose an earlier time.\n${message}`
  )

const explain = (error: EmbeddedPostgresError): BackupError =>
  /recovery ended before configured recovery target/.test(error.message)
    ? notCovered(error.message)
    : backupError("failed", `The restored database does not start. ${error.message}`)

/**
 * Recovers the backup into `folder`, which must be empty, and runs `use` on the recovered server. The server stops
 * afterwards. `directory` contains the archived log.
 */
export const recoverServer = <A, R>(
  backup: StoredBackup,
  target: RecoveryTarget,
  directory: string,
  folder: string,
  use: (address: DatabaseAddress) => Effect.Effect<A, BackupError, R>
): Effect.Effect<A, BackupError, R> =>
  Effect.gen(function* () {
    const cluster = path.join(folder, "cluster")
    yield* layOut(backup, target, directory, cluster)
    const result = yield* Effect.scoped(
      acquire({
        dataDir: folder,
        // Without sessions during recovery, the server answers only once the target is reached.
        settings: { hot_standby: false },
        startTimeout: longestRecovery,
        stopTimeout: "5 minutes"
      }).pipe(Effect.mapError(explain), Effect.flatMap(use))
    )
    yield* forget(cluster)
    return result
  })
