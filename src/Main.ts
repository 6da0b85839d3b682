import { setFlagsFromString } from "node:v8"
import { Command, Options, ValidationError } from "@effect/cli"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { SqlError } from "@effect/sql/SqlError"
import { Cause, Clock, ConfigError, Console, Effect, Layer, Option } from "effect"
import {
  Configured,
  doctorChecks,
  Located,
  migrations,
  Operations,
  Restored,
  rooms,
  settingsLoaders,
  UnmigratedDatabase
} from "./Layers/App.ts"
import { backupCommand } from "./Layers/Backups/Commands.ts"
import { App } from "./Layers/Gateway.ts"
import { stdioCommand } from "./Layers/Mcp/StdioCommand.ts"
import { describeConfigError } from "./Layers/Platform/Environment.ts"
import { asksForHelp, commandHelp } from "./Layers/Platform/Operators/CommandHelp.ts"
import { doctorCommand, settingsCommand } from "./Layers/Platform/Operators/OperatorCommands.ts"
import { printable } from "./Layers/Platform/Operators/PrintedText.ts"
import { distribute } from "./Layers/Platform/Postgres/cluster/Distribution.ts"
import { migrationPlan } from "./Layers/Platform/Postgres/PendingMigrations.ts"
import { describeConnectionFailure } from "./Layers/Platform/Postgres/pool/ConnectionFailure.ts"
import { settingSources } from "./Layers/Platform/SettingSources.ts"
import { serveByWorkers, workerCount } from "./Layers/Platform/Workers/Serve.ts"
import { isWorker, obeyParent } from "./Layers/Platform/Workers/WorkerProcess.ts"
import { Accounts } from "./Services/Accounts/Accounts.ts"
import { serverVersion } from "./Services/Core/Outside/ServerVersion.ts"

/**
 * Collects garbage earlier. Otherwise V8 lets it grow to several times the live memory, and an import would use memory
 * in proportion to its file.
 */
const collectGarbageEarly = Effect.sync(() => setFlagsFromString("--heap-growing-percent=50"))

const serveAlone = Effect.zipRight(Effect.zipRight(collectGarbageEarly, obeyParent), Layer.launch(App))

const serve = Command.make("serve", {}, () =>
  Effect.gen(function* () {
    const count = isWorker ? 1 : yield* workerCount
    if (count === 1) yield* serveAlone
    // The workers join the embedded server, if there is one. It stays when one of them ends.
    else yield* Effect.provide(serveByWorkers(count), Located)
  })
).pipe(Command.withDescription("Starts the gateway, on its own database unless DATABASE_URL is set."))

const plan = Options.boolean("plan").pipe(
  Options.withDescription("Changes nothing: prints what would be done, and which statements lock a table for long.")
)

const printPlan = Effect.gen(function* () {
  for (const line of yield* migrationPlan(migrations)) yield* Console.log(line)
}).pipe(Effect.provide(UnmigratedDatabase))

const bringToNewest = Effect.zipRight(Accounts, Console.log("The database is at the newest version.")).pipe(
  Effect.provide(Operations)
)

const migrateCommand = Command.make("migrate", { plan }, (options) =>
  Effect.gen(function* () {
    if (options.plan) yield* printPlan
    else yield* bringToNewest
  })
).pipe(Command.withDescription("Brings the database to the newest version and ends."))

const distributeCommand = Command.make("distribute", {}, () =>
  Effect.gen(function* () {
    for (const line of yield* distribute) yield* Console.log(line)
  }).pipe(Effect.provide(Operations))
).pipe(
  Command.withDescription(
    "Spreads the tables over the nodes of a Citus cluster, and tells where each is. It can be repeated."
  )
)

const sample = Command.make(
  "sample",
  {
    seed: Options.integer("seed").pipe(
      Options.withDescription("The same seed on a new database gives the same account."),
      Options.withDefault(1)
    ),
    days: Options.integer("days").pipe(
      Options.withDescription("How far its past goes back, 7 to 365."),
      Options.withDefault(120)
    ),
    contacted: Options.integer("contacted").pipe(
      Options.withDescription("Leads that were contacted in that time, 10 to 4000: they are what takes time."),
      Options.withDefault(600)
    )
  },
  ({ contacted, days, seed }) =>
    Effect.gen(function* () {
      // The module is loaded here only, because its lists of names are of no use to a gateway that serves.
      const { makeSampleHistory, sizeOf } = yield* Effect.promise(() => import("./Layers/Sample/SampleHistory.ts"))
      const { accountId, leadCount, token } = yield* makeSampleHistory({
        seed,
        end: Math.floor((yield* Clock.currentTimeMillis) / 1000) * 1000,
        size: yield* sizeOf({ days, contacted }),
        progress: Console.log
      })
      yield* Console.log(`account ${accountId} with ${leadCount} leads; its token, shown this once:\n${token}`)
    }).pipe(Effect.provide(Operations))
).pipe(
  Command.withDescription(
    "Makes an account of 5 000 invented leads in five campaigns and three languages with months of history, to try things on."
  )
)

const name = "gateway"

const sources = settingSources(process.env)

const gateway = Command.make(name).pipe(
  Command.withDescription("The prospecting gateway. Settings come from the environment; see README.md."),
  Command.withSubcommands([
    serve,
    sample,
    migrateCommand,
    settingsCommand(settingsLoaders, process.env),
    doctorCommand(settingsLoaders, doctorChecks, process.env),
    stdioCommand,
    backupCommand(Configured, Located, Restored),
    Command.make("database").pipe(
      Command.withDescription("The database."),
      Command.withSubcommands([distributeCommand])
    ),
    ...rooms.commands.map((descriptor) =>
      Command.fromDescriptor(descriptor, ({ run }) => Effect.provide(run, Operations))
    )
  ])
)

/** Returns a readable line about what ended the program. The command line explains its own errors itself. */
const explain = (cause: Cause.Cause<object>) => {
  if (Cause.isInterruptedOnly(cause)) return Effect.void
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  if (error === undefined) return Console.error(`gateway: it failed unexpectedly\n${Cause.pretty(cause)}`)
  if (ValidationError.isValidationError(error)) return Effect.void
  if (ConfigError.isConfigError(error)) {
    const ofFiles = [...sources.problems].map(([name, problem]) => `${name}: ${problem}`)
    return Console.error(`gateway: ${ofFiles.length > 0 ? ofFiles.join("; ") : describeConfigError(error)}`)
  }
  if (error instanceof SqlError) {
    return Console.error(`gateway: ${describeConnectionFailure(error, sources.valueOf("DATABASE_URL"))}`)
  }
  const message = "error" in error ? error.error : "message" in error ? error.message : error
  return Console.error(`gateway: ${printable(String(message))}`)
}

const cli = Command.run(gateway, { name: "Prospecting gateway", version: serverVersion })

const args = process.argv.slice(2)

/** A command that cannot be parsed is answered with its help. */
const program = asksForHelp(gateway.descriptor, args)
  ? Console.log(commandHelp(name, gateway.descriptor, args))
  : Effect.tapError(cli(process.argv), (error) =>
      ValidationError.isValidationError(error)
        ? Console.error(`\n${commandHelp(name, gateway.descriptor, args)}`)
        : Effect.void
    )

program.pipe(
  Effect.tapErrorCause(explain),
  Effect.withConfigProvider(sources.provider),
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
