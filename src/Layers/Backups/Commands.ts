import { Command, Options } from "@effect/cli"
import { Console, Effect, Layer, Option } from "effect"
import { backupError } from "../../Services/Backups/BackupError.ts"
import type { BackupManifest } from "../../Services/Backups/BackupManifest.ts"
import { fromMillis, parseInstant } from "../../Services/Core/Timestamp.ts"
import { printsSafely } from "../Platform/Operators/PrintedText.ts"
import type { DatabaseLocation } from "../Platform/Postgres/Database.ts"
import type { Settings } from "../Platform/Settings.ts"
import { BackupSettings, requiredDirectory } from "./BackupSettings.ts"
import { listBackups } from "./BackupStore.ts"
import { createBackup } from "./CreateBackup.ts"
import { backupBefore, type RestoredServices, restoreBackup } from "./RestoreBackup.ts"
import { verifyBackup } from "./VerifyBackup.ts"

const kinds = { base: "embedded server", dump: "dump" } as const

const sizeOf = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

const bytesOf = ({ files }: BackupManifest): number => files.reduce((total, { bytes }) => total + bytes, 0)

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const directory = yield* requiredDirectory
    const { damaged, whole } = yield* listBackups(directory)
    for (const manifest of whole) {
      yield* Console.log(
        `${manifest.name} ${kinds[manifest.kind]}, state of ${manifest.snapshot_at}, ${sizeOf(bytesOf(manifest))}, gateway ${manifest.gateway_version}, PostgreSQL ${manifest.postgres_version}`
      )
    }
    for (const name of damaged) yield* Console.log(`${name} damaged: its manifest cannot be read`)
    yield* Console.log(`${whole.length} backups in ${directory}`)
  }).pipe(printsSafely, Effect.provide(BackupSettings.layer))
).pipe(Command.withDescription("Lists the whole backups, oldest first."))

const backup = Options.text("backup").pipe(Options.withDescription("The name that list shows."))

const verify = Command.make("verify", { backup }, ({ backup }) =>
  verifyBackup(backup).pipe(
    Effect.flatMap(({ tables }) =>
      Console.log(`${backup} is whole: a scratch server has the same ${tables.length} tables`)
    ),
    Effect.provide(BackupSettings.layer)
  )
).pipe(Command.withDescription("Restores a backup into a scratch server and compares all tables."))

const instantOf = (text: Option.Option<string>) =>
  Option.match(text, {
    onNone: () => Effect.succeed(Option.none()),
    onSome: (value) => {
      const instant = parseInstant(value)
      return instant === undefined
        ? Effect.fail(
            backupError("time_not_covered", `--to ${value} is not a time. Send ISO 8601, such as 2027-01-31T14:05:00Z.`)
          )
        : Effect.succeed(Option.some(fromMillis(instant.millis)))
    }
  })

const restore = <E1, E2>(settings: Layer.Layer<Settings, E1>, services: RestoredServices<E2>) =>
  Command.make(
    "restore",
    {
      backup: Options.optional(backup),
      to: Options.text("to").pipe(
        Options.withDescription(
          "Replays the archived log up to this time (ISO 8601), from the given backup or the newest one before it."
        ),
        Options.optional
      ),
      outreach: Options.choice("outreach", ["pause", "keep"]).pipe(
        Options.withDescription(
          "pause: accounts contact no one until their owners resume, since messages sent after the backup are due again."
        ),
        Options.withDefault("pause" as const)
      )
    },
    ({ backup, outreach, to }) =>
      Effect.gen(function* () {
        const instant = yield* instantOf(to)
        const backupName = yield* Option.match(backup, {
          onSome: Effect.succeed,
          onNone: () =>
            Option.match(instant, {
              onSome: backupBefore,
              onNone: () => backupError("backup_not_found", "Name a backup, or a time with --to.")
            })
        })
        const restored = yield* restoreBackup(
          { name: backupName, to: instant, pausesOutreach: outreach === "pause" },
          services
        )
        yield* Console.log(`restored ${backupName}, state of ${restored.stateAt}`)
        if (restored.tables > 0) yield* Console.log(`${restored.tables} tables have the digests of the backup`)
        yield* Console.log(`erased again: ${restored.erased} leads, and ${restored.blocked} other contacts blocked`)
        if (outreach === "pause") yield* Console.log(`outreach paused: ${restored.paused} accounts`)
      }).pipe(Effect.provide(Layer.merge(settings, BackupSettings.layer)))
  ).pipe(
    Command.withDescription("Restores a backup into an empty DATA_DIR, or into the empty database of DATABASE_URL.")
  )

/** `gateway backup`. `database` starts the embedded server if it does not run. */
export const backupCommand = <E1, E2, E3>(
  settings: Layer.Layer<Settings, E1>,
  database: Layer.Layer<DatabaseLocation | Settings, E2>,
  services: RestoredServices<E3>
) =>
  Command.make("backup").pipe(
    Command.withDescription("Backups of the database and of the keys."),
    Command.withSubcommands([
      Command.make("create", {}, () =>
        Effect.gen(function* () {
          const { bytes, manifest, removed } = yield* createBackup
          yield* Console.log(
            `${manifest.name}: ${manifest.tables.length} tables, ${sizeOf(bytes)}, state of ${manifest.snapshot_at}`
          )
          for (const old of removed) yield* Console.log(`removed ${old}`)
        }).pipe(Effect.provide(Layer.merge(database, BackupSettings.layer)))
      ).pipe(Command.withDescription("Makes a backup. The gateway may run.")),
      list,
      verify,
      restore(settings, services)
    ])
  )
