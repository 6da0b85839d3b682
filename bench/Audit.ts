import { randomUUID } from "node:crypto"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Logger, LogLevel } from "effect"
import { fromJsonBody, isRefused } from "../src/Api/RequestArguments.ts"
import { Domain } from "../src/Layers/App.ts"
import { DatabaseLayer, DatabaseLocation } from "../src/Layers/Platform/Postgres/Database.ts"
import { SettingsLive } from "../src/Layers/Platform/Settings.ts"
import { AuditTrail } from "../src/Services/Accounts/AuditTrail.ts"
import { AccountId } from "../src/Services/Accounts/Ids.ts"
import { KeyedWrites } from "../src/Services/Accounts/KeyedWrites.ts"
import { AuditLog } from "../src/Services/Core/AuditLog.ts"
import { Caller } from "../src/Services/Core/Caller.ts"
import { AllTools } from "../src/Tools/AllTools.ts"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { benchSettings } from "./support/BenchSettings.ts"
import { conditions, figure, median, table, writeResults } from "./support/Report.ts"

/** The cost of a write with and without the audit log, including the log's batches. Rounds alternate between both. */

const callsPerRound = 200

const silent = AuditLog.of({ record: () => {} })

const ways = ["plain", "unaudited", "keyed"] as const
type Way = (typeof ways)[number]

const program = Effect.gen(function* () {
  const settings = yield* benchSettings
  const postgres = yield* startServer
  const database = yield* makeDatabase(postgres, "bench")
  const { database: name, host, port, user } = postgres.forDatabase("bench")
  yield* Effect.promise(async () => {
    await database.client.query("insert into account (name, handle, plan) values ('Bench', 'bench', 'paid')")
    await database.client.query("insert into prospecting_config (account_id) values (1)")
  })
  const started = conditions()
  const measurements: Array<{ readonly way: Way; readonly millis: number }> = []

  const rounds = Effect.gen(function* () {
    const trail = yield* AuditTrail
    const { modeOf } = yield* KeyedWrites
    const write = (way: Way) => (number: number) => {
      const raw = fromJsonBody(Buffer.from(JSON.stringify({ name: `Name ${number}` })))
      if (isRefused(raw)) return Effect.die(raw)
      return AllTools.call("update_user_name", raw, way === "keyed" ? modeOf(randomUUID()) : undefined)
    }
    const round = (way: Way) =>
      Effect.gen(function* () {
        const startedAt = performance.now()
        const calls = Effect.forEach(
          Array.from({ length: callsPerRound }, (_, number) => number),
          write(way)
        )
        yield* way === "unaudited" ? Effect.provideService(calls, AuditLog, silent) : calls
        yield* trail.flush
        return (performance.now() - startedAt) / callsPerRound
      })
    for (const way of [...ways, ...ways]) yield* round(way)
    for (let number = 0; number < settings.rounds * 10; number++) {
      for (const way of number % 2 === 0 ? ways : ways.toReversed()) {
        measurements.push({ way, millis: yield* round(way) })
      }
    }
  })
  const location = Layer.succeed(DatabaseLocation, { connection: { database: name, host, port, user }, poolSize: 5 })
  yield* rounds.pipe(
    Effect.provideService(Caller, Caller.forTask(AccountId.make(1), "paid", "bench")),
    Effect.provide(Domain.pipe(Layer.provideMerge(DatabaseLayer.pipe(Layer.provideMerge(location))))),
    Effect.provide(SettingsLive),
    Effect.provide(NodeContext.layer),
    Effect.withTracerEnabled(false)
  )
  yield* writeResults(settings.results, measurements)
  const of = (way: Way) => median(measurements.filter((one) => one.way === way).map(({ millis }) => millis))
  yield* Console.log(
    `${started}\n\n${table(
      ["a write", "ms", "ratio to plain"],
      ways.map((way) => [way, figure(of(way)), figure(of(way) / of("plain"))])
    )}`
  )
})

NodeRuntime.runMain(
  Effect.scoped(program).pipe(Effect.provide(Logger.json), Logger.withMinimumLogLevel(LogLevel.Warning))
)
