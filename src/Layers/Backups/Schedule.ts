import { Clock, Effect, Option, Schedule } from "effect"
import { isDue } from "../../Services/Backups/BackupChoice.ts"
import { fromMillis, toMillis } from "../../Services/Core/Timestamp.ts"
import type { Figure } from "../Platform/Figures.ts"
import { BackupSettings } from "./BackupSettings.ts"
import { listBackups } from "./BackupStore.ts"
import { watchArchiving } from "./Copies/WalArchive.ts"
import { createBackup } from "./CreateBackup.ts"
import { followErasures } from "./ErasureLedger.ts"

const betweenLooks = "5 minutes"

/** Makes a backup if the newest one is old enough. If another gateway makes one, this does nothing. */
const backUpIfDue = (directory: string, everyHours: number) =>
  Effect.gen(function* () {
    const { whole } = yield* listBackups(directory)
    if (!isDue(whole, yield* Clock.currentTimeMillis, everyHours)) return
    const { bytes, manifest, removed } = yield* createBackup
    yield* Effect.annotateLogs(Effect.logInfo("A backup was made"), {
      backup: manifest.name,
      bytes,
      removed: removed.length
    })
  }).pipe(
    Effect.catchAll((error) =>
      error.reason === "already_running"
        ? Effect.void
        : Effect.annotateLogs(Effect.logError("The scheduled backup failed"), {
            reason: error.reason,
            error: error.message
          })
    ),
    Effect.catchAllCause((cause) => Effect.logError("The scheduled backup failed", cause))
  )

/** Copies erasures and makes backups while the gateway runs, if the settings name a folder for them. */
export const backupLoops = Effect.gen(function* () {
  const { directory, everyHours } = yield* BackupSettings
  if (Option.isNone(directory)) return
  yield* Effect.forkScoped(followErasures(directory.value))
  const look = Option.isSome(everyHours) ? backUpIfDue(directory.value, everyHours.value) : Effect.void
  yield* Effect.forkScoped(Effect.zipRight(watchArchiving, look).pipe(Effect.repeat(Schedule.spaced(betweenLooks))))
})

/** A gauge with the start of the newest complete backup; 0 if there is none. */
export const backupFigures = Effect.map(BackupSettings, ({ directory }) =>
  Option.toArray(directory).map(
    (folder): Figure => ({
      name: "gateway_last_backup_timestamp_seconds",
      help: "When the newest whole backup started. 0 without one.",
      read: listBackups(folder).pipe(
        Effect.map(({ whole }) => toMillis(whole.at(-1)?.started_at ?? fromMillis(0)) / 1000),
        Effect.orElseSucceed(() => 0)
      )
    })
  )
)
