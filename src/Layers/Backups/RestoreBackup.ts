import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type { SqlClient } from "@effect/sql/SqlClient"
import { ConfigProvider, Effect, type Layer, Option, Redacted } from "effect"
import type { Accounts } from "../../Services/Accounts/Accounts.ts"
import { startFor } from "../../Services/Backups/BackupChoice.ts"
import { type BackupError, backupError, systemError } from "../../Services/Backups/BackupError.ts"
import { differences, type TableDigest } from "../../Services/Backups/BackupManifest.ts"
import { canOpen } from "../../Services/Backups/SealingKeys.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { ErasureRecords } from "../../Services/Leads/Erasure/ErasureRecords.ts"
import { Settings } from "../Platform/Settings.ts"
import { BackupSettings, requiredDirectory, requiredPassphrase } from "./BackupSettings.ts"
import { listBackups, openBackup, type StoredBackup, syncFolder } from "./BackupStore.ts"
import { loadDump } from "./Copies/DumpCopy.ts"
import { targetOf } from "./Copies/PostgresPrograms.ts"
import { checkDataDirectory, placeFiles, restoringPrefix, serverOf } from "./DataDirectoryCheck.ts"
import { readLedger } from "./ErasureLedger.ts"
import { type RecoveryTarget, recoverServer } from "./Recovery.ts"
import { openSecrets, type Secrets } from "./SealedSecrets.ts"
import { openSession, rowOf, run } from "./Sessions.ts"
import { type SettledRestore, settleRestore } from "./SettleRestore.ts"
import { digestTables } from "./TableDigests.ts"
import { markerSchema, unfinishedRestore } from "./UnfinishedRestore.ts"

/** The gateway's services on the database of the settings, without background work. */
export type RestoredServices<E> = Layer.Layer<SqlClient | ErasureRecords | Accounts, E>

export interface RestoreOptions {
  readonly name: string
  /** Replays archived log up to this time. */
  readonly to: Option.Option<Timestamp>
  readonly pausesOutreach: boolean
}

export interface RestoredBackup extends SettledRestore {
  readonly stateAt: Timestamp
  readonly tables: number
}

/** Fails if the tables are not those of the backup. */
export const compareTables = (
  backup: StoredBackup,
  present: ReadonlyArray<TableDigest>
): Effect.Effect<number, BackupError> => {
  const changes = differences(backup.manifest.tables, present)
  return changes.length === 0
    ? Effect.succeed(present.length)
    : backupError("different", `The restored tables differ from the backup: ${changes.slice(0, 10).join("; ")}.`)
}

/**
 * The key files to write. A key may have come from a setting or a file. Fails if the gateway's settings contain a
 * different key.
 */
const filesOf = (secrets: Secrets) =>
  Effect.gen(function* () {
    const { sealingKeys } = yield* BackupSettings
    const ofFile = secrets.files["sealing-key"]
    const key = secrets.sealing_key ?? (ofFile && Buffer.from(ofFile, "base64").toString("utf8").trim())
    const valueOf = (setting: Option.Option<Redacted.Redacted>) =>
      Option.getOrUndefined(Option.map(setting, Redacted.value))
    const present = { current: valueOf(sealingKeys.current), previous: valueOf(sealingKeys.previous) }
    if (!canOpen(present, key)) {
      return yield* backupError(
        "sealing_key_differs",
        "SEALING_KEY is not the key of the backup, so the secrets of accounts could not be opened. Unset it, or set SEALING_KEY_PREVIOUS to the key of the backup."
      )
    }
    return secrets.sealing_key === null
      ? secrets.files
      : { ...secrets.files, "sealing-key": Buffer.from(`${secrets.sealing_key}\n`).toString("base64") }
  })

const restoreServer = Effect.fnUntraced(function* <E>(
  backup: StoredBackup,
  target: RecoveryTarget,
  directory: string,
  files: Readonly<Record<string, string>>,
  settle: (dataDir: string) => Effect.Effect<SettledRestore, E>
) {
  const { dataDir } = yield* Settings
  yield* checkDataDirectory(dataDir, directory, files, false)
  const draft = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const folder = path.resolve(dataDir, `${restoringPrefix}${randomBytes(4).toString("hex")}`)
        await fs.mkdir(path.join(folder, "postgres"), { recursive: true, mode: 0o700 })
        // The database server's user must be able to enter the folder.
        await fs.chmod(folder, 0o755)
        return folder
      },
      catch: systemError(`${dataDir} cannot be used`)
    }),
    (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  )
  const server = path.join(draft, "postgres")
  const tables = yield* recoverServer(backup, target, directory, server, (address) =>
    target.kind === "time"
      ? Effect.succeed(0)
      : Effect.scoped(Effect.flatMap(openSession(address), digestTables)).pipe(
          Effect.flatMap((present) => compareTables(backup, present))
        )
  )
  yield* placeFiles(draft, files)
  const settled = yield* settle(draft)
  const running = yield* serverOf(server)
  if (running !== undefined) {
    return yield* backupError("failed", `The server of the restore (process ${running}) did not stop. Restore again.`)
  }
  yield* placeFiles(dataDir, files)
  // This is the last step. Before it, the data directory has no database.
  yield* Effect.tryPromise({
    try: async () => {
      await fs.rename(server, path.join(dataDir, "postgres"))
      await syncFolder(dataDir)
    },
    catch: systemError("The restored database cannot be moved into place")
  })
  return { ...settled, tables }
}, Effect.scoped)

const contentOf = `
select exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')) as filled,
  exists (select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
    and pid <> pg_backend_pid()) as used,
  to_regnamespace('${markerSchema}') is not null as marked`

const restoreDump = Effect.fnUntraced(function* <E>(
  backup: StoredBackup,
  url: string,
  directory: string,
  files: Readonly<Record<string, string>>,
  settle: Effect.Effect<SettledRestore, E>
) {
  const { dataDir } = yield* Settings
  yield* checkDataDirectory(dataDir, directory, files, true)
  const session = yield* openSession({ connectionString: url })
  const { filled, marked, used } = yield* rowOf<{
    readonly filled: boolean
    readonly used: boolean
    readonly marked: boolean
  }>(session, contentOf, "The database cannot be looked at")
  if (marked) return yield* unfinishedRestore
  if (used)
    return yield* backupError("in_use", "Other sessions use the database of DATABASE_URL. Stop the gateways first.")
  if (filled) {
    return yield* backupError(
      "not_empty",
      "The database of DATABASE_URL is not empty. A restore overwrites nothing. Create an empty one."
    )
  }
  yield* run(session, `create schema ${markerSchema}`, "The database cannot be written")
  yield* loadDump(backup, targetOf(url))
  const tables = yield* Effect.flatMap(digestTables(session), (present) => compareTables(backup, present))
  yield* placeFiles(dataDir, files)
  const settled = yield* settle
  yield* run(session, `drop schema ${markerSchema}`, "The restore cannot be completed")
  return { ...settled, tables }
}, Effect.scoped)

/** The settings, with some values replaced. */
const withSettings =
  (settings: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.configProviderWith((provider) =>
      Effect.withConfigProvider(
        effect,
        ConfigProvider.orElse(ConfigProvider.fromMap(new Map(Object.entries(settings))), () => provider)
      )
    )

/**
 * Restores a backup into an empty data directory, or into the empty database of `DATABASE_URL`. All checks are made
 * before anything is changed.
 */
export const restoreBackup = <E>(
  options: RestoreOptions,
  services: RestoredServices<E>
): Effect.Effect<RestoredBackup, BackupError | E, Settings | BackupSettings> =>
  Effect.gen(function* () {
    const [directory, passphrase] = [yield* requiredDirectory, yield* requiredPassphrase]
    const { databaseUrl } = yield* Settings
    const backup = yield* openBackup(directory, options.name)
    const files = yield* Effect.flatMap(openSecrets(passphrase, backup.manifestBytes, backup.secrets), filesOf)
    const { kind, snapshot_at } = backup.manifest
    if (Option.isSome(options.to) && options.to.value < snapshot_at) {
      return yield* backupError(
        "time_not_covered",
        `The backup is of ${snapshot_at}, which is later. Choose an older backup or a later time.`
      )
    }
    const recorded = yield* readLedger(directory)
    const stateAt = Option.getOrElse(options.to, () => snapshot_at)
    const settle = settleRestore(recorded, stateAt, options.pausesOutreach).pipe(Effect.provide(services))
    if (kind === "dump") {
      if (Option.isNone(databaseUrl)) {
        return yield* backupError("wrong_kind", "The backup is a dump. Set DATABASE_URL to an empty database.")
      }
      if (Option.isSome(options.to)) {
        return yield* backupError("wrong_kind", "A dump has no log to replay. Restore it without a time.")
      }
      return { stateAt, ...(yield* restoreDump(backup, Redacted.value(databaseUrl.value), directory, files, settle)) }
    }
    if (Option.isSome(databaseUrl)) {
      return yield* backupError(
        "wrong_kind",
        "The backup is of the embedded server. Unset DATABASE_URL, and it is restored into DATA_DIR."
      )
    }
    const target: RecoveryTarget = Option.match(options.to, {
      onNone: () => ({ kind: "point" }) as const,
      onSome: (to) => ({ kind: "time", to, directory }) as const
    })
    const restored = yield* restoreServer(backup, target, directory, files, (dataDir) =>
      settle.pipe(withSettings({ DATA_DIR: dataDir, BACKUP_WAL: "false" }))
    )
    return { stateAt, ...restored }
  }).pipe(Effect.withSpan("Backups.restore"))

/** The name of the newest backup whose archived log covers the time. */
export const backupBefore = (instant: Timestamp): Effect.Effect<string, BackupError, BackupSettings> =>
  Effect.gen(function* () {
    const { whole } = yield* Effect.flatMap(requiredDirectory, listBackups)
    const start = startFor(whole, instant)
    return start === undefined
      ? yield* backupError("time_not_covered", `No backup of the embedded server is older than ${instant}.`)
      : start.name
  })
