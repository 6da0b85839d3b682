import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Clock, Effect, Option, Redacted } from "effect"
import { surplus, unneededSegments } from "../../Services/Backups/BackupChoice.ts"
import { type BackupError, backupError, systemError } from "../../Services/Backups/BackupError.ts"
import { type BackupManifest, nameOf } from "../../Services/Backups/BackupManifest.ts"
import { serverVersion } from "../../Services/Core/Outside/ServerVersion.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { DatabaseLocation } from "../Platform/Postgres/Database.ts"
import { Settings } from "../Platform/Settings.ts"
import { BackupSettings, requiredDirectory, requiredPassphrase } from "./BackupSettings.ts"
import {
  archivedFiles,
  finishBackup,
  listBackups,
  makeDraft,
  manifestBytesOf,
  removeArchived,
  removeBackup
} from "./BackupStore.ts"
import { copyServer } from "./Copies/BaseCopy.ts"
import { dumpDatabase } from "./Copies/DumpCopy.ts"
import { targetOf } from "./Copies/PostgresPrograms.ts"
import { type Secrets, sealSecrets } from "./SealedSecrets.ts"
import { majorVersion, openSession, refuseCluster, takeTurn } from "./Sessions.ts"

/** The files of the data directory outside the database. */
export const dataFiles = ["sealing-key", "owner-token"]

const readSecrets = Effect.gen(function* () {
  const { dataDir } = yield* Settings
  const { sealingKeys } = yield* BackupSettings
  const files = yield* Effect.tryPromise({
    try: async () => {
      const present = await Promise.all(
        dataFiles.map(async (name) => {
          const content = await fs.readFile(path.join(dataDir, name)).catch((cause: unknown) => {
            if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
            throw cause
          })
          return content === undefined ? [] : [[name, content.toString("base64")] as const]
        })
      )
      return Object.fromEntries(present.flat())
    },
    catch: systemError("The files of the data directory cannot be read")
  })
  return { files, sealing_key: Option.getOrNull(Option.map(sealingKeys.current, Redacted.value)) } satisfies Secrets
})

/** Removes backups beyond those to keep, and archived log that none of the others needs. */
const applyRetention = Effect.fnUntraced(function* (directory: string) {
  const { keep } = yield* BackupSettings
  const { whole } = yield* listBackups(directory)
  const removed = surplus(whole, keep)
  for (const { name } of removed) yield* removeBackup(directory, name)
  const remaining = whole.filter((backup) => !removed.includes(backup))
  yield* removeArchived(directory, unneededSegments(yield* archivedFiles(directory), remaining))
  return removed.map(({ name }) => name)
})

export interface CreatedBackup {
  readonly manifest: BackupManifest
  readonly bytes: number
  /** Names of older backups that were removed. */
  readonly removed: ReadonlyArray<string>
}

/** Makes a backup of the database and the keys, then applies the retention. */
export const createBackup: Effect.Effect<CreatedBackup, BackupError, DatabaseLocation | Settings | BackupSettings> =
  Effect.gen(function* () {
    const [directory, passphrase] = [yield* requiredDirectory, yield* requiredPassphrase]
    const { connection } = yield* DatabaseLocation
    const { dataDir, databaseUrl } = yield* Settings
    const session = yield* openSession(connection)
    yield* takeTurn(session)
    yield* refuseCluster(session)
    const secrets = yield* readSecrets
    if (secrets.sealing_key === null && secrets.files["sealing-key"] === undefined) {
      return yield* backupError(
        "failed",
        `There is no sealing key in ${dataDir}, and SEALING_KEY is not set. Run the command with the settings of the gateway.`
      )
    }

    const millis = yield* Clock.currentTimeMillis
    const startedAt = fromMillis(millis)
    const name = nameOf(startedAt, randomBytes(4).toString("hex"))
    const draft = yield* makeDraft(directory, name, millis)
    const content = yield* Option.match(databaseUrl, {
      onNone: () => copyServer(connection, path.join(dataDir, "postgres", "cluster"), draft, name),
      onSome: (url) => dumpDatabase(connection, targetOf(Redacted.value(url)), draft)
    })
    const manifest: BackupManifest = {
      format: 1,
      kind: Option.isNone(databaseUrl) ? "base" : "dump",
      name,
      started_at: startedAt,
      gateway_version: serverVersion,
      postgres_version: yield* majorVersion(session),
      ...content
    }
    const bytes = manifestBytesOf(manifest)
    yield* finishBackup(directory, draft, name, bytes, yield* sealSecrets(passphrase, bytes, secrets))
    return {
      manifest,
      bytes: content.files.reduce((total, file) => total + file.bytes, 0),
      removed: yield* applyRetention(directory)
    }
  }).pipe(Effect.scoped, Effect.withSpan("Backups.create"))
