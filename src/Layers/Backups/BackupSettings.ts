import * as path from "node:path"
import { Config, type ConfigError, Context, Effect, Layer, Option, Redacted } from "effect"
import { type BackupError, backupError } from "../../Services/Backups/BackupError.ts"
import { checked, given, integerBetween } from "../Platform/Environment.ts"
import { sealingKeys } from "../Platform/Sealing.ts"

const shortestPassphrase = 12

const config = Config.all({
  directory: Config.map(
    given("BACKUP_DIR"),
    Option.map((directory) => path.resolve(directory))
  ),
  passphrase: Config.option(
    checked(
      "BACKUP_PASSPHRASE",
      Config.redacted("BACKUP_PASSPHRASE"),
      "at least 12 characters",
      (text) => Redacted.value(text).length >= shortestPassphrase
    )
  ),
  everyHours: Config.option(integerBetween("BACKUP_EVERY_HOURS", 1, 8760)),
  keep: Config.withDefault(integerBetween("BACKUP_KEEP", 1, 1000), 7),
  archivesWal: Config.withDefault(Config.boolean("BACKUP_WAL"), false),
  walSeconds: Config.withDefault(integerBetween("BACKUP_WAL_SECONDS", 1, 86_400), 300),
  sealingKeys
})

/** Reads and checks the settings of backups. */
export const loadBackupSettings: Effect.Effect<unknown, ConfigError.ConfigError> = config

/** The settings of backups: their folder, their schedule, and the keys that they include. */
export class BackupSettings extends Context.Tag("BackupSettings")<
  BackupSettings,
  {
    readonly directory: Option.Option<string>
    readonly passphrase: Option.Option<Redacted.Redacted>
    readonly everyHours: Option.Option<number>
    /** The number of backups that are kept. */
    readonly keep: number
    /** True if the embedded server archives its write-ahead log. */
    readonly archivesWal: boolean
    /** How many seconds the archive may lag behind. */
    readonly walSeconds: number
    readonly sealingKeys: {
      readonly current: Option.Option<Redacted.Redacted>
      readonly previous: Option.Option<Redacted.Redacted>
    }
  }
>() {
  static readonly layer: Layer.Layer<BackupSettings, ConfigError.ConfigError> = Layer.effect(BackupSettings, config)
}

const orFail = <A>(value: Option.Option<A>, error: BackupError): Effect.Effect<A, BackupError> =>
  Option.match(value, { onNone: () => error, onSome: Effect.succeed })

/** The folder of the backups, which every command needs. */
export const requiredDirectory = Effect.flatMap(BackupSettings, ({ directory }) =>
  orFail(directory, backupError("backup_dir_missing", "Set BACKUP_DIR to the folder of the backups."))
)

/** The passphrase that seals the keys of a backup. */
export const requiredPassphrase = Effect.flatMap(BackupSettings, ({ passphrase }) =>
  orFail(
    passphrase,
    backupError(
      "passphrase_missing",
      "Set BACKUP_PASSPHRASE, at least 12 characters. A backup contains the sealing key, and the passphrase seals it."
    )
  )
)
