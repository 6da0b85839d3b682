import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import { AllTools } from "../Tools/AllTools.ts"
import { acquire } from "./EmbeddedPostgres.ts"
import { firstStart } from "./FirstStart.ts"
import { serverLayer } from "./Http/Server.ts"
import { MetricsLive } from "./Metrics.ts"
import { AccessTokensPostgres } from "./Postgres/AccessTokens.ts"
import { AccountsPostgres } from "./Postgres/Accounts.ts"
import { DatabaseLayer, DatabaseLocation, migrate } from "./Postgres/Database.ts"
import { Settings, SettingsLive } from "./Settings.ts"
import { TracingLive } from "./Tracing.ts"

/** The database that the settings name, or a server of the gateway's own. */
const LocationLive = Layer.scoped(
  DatabaseLocation,
  Effect.gen(function* () {
    const { databaseUrl, dataDir, poolSize } = yield* Settings
    if (Option.isSome(databaseUrl))
      return { connection: { connectionString: Redacted.value(databaseUrl.value) }, poolSize }
    const { database, host, port, user } = yield* acquire({ dataDir: `${dataDir}/postgres` })
    return { connection: { database, host, port, user }, poolSize }
  })
)

/** JSON lines on standard output, from the level that the settings ask for. */
const LoggingLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ logLevel }) => Layer.merge(Logger.json, Logger.minimumLogLevel(logLevel)))
)

const MigratedDatabase = Layer.effectDiscard(migrate).pipe(
  Layer.provideMerge(DatabaseLayer),
  Layer.provide(LocationLive)
)

/** Tables, pools and what stands directly on them. */
export const Storage = Layer.mergeAll(AccountsPostgres, AccessTokensPostgres).pipe(Layer.provideMerge(MigratedDatabase))

const Domain = Layer.empty

const Foundation = Layer.mergeAll(LoggingLive, TracingLive).pipe(
  Layer.provideMerge(SettingsLive),
  Layer.provideMerge(NodeContext.layer)
)

/** What the operator's commands need. */
export const Operations = Storage.pipe(Layer.provideMerge(Foundation))

/** The gateway: all tiers, listening. */
export const App = serverLayer(AllTools).pipe(
  Layer.provide(Layer.effectDiscard(firstStart)),
  Layer.provide(MetricsLive),
  Layer.provide(Domain),
  Layer.provide(Operations)
)
