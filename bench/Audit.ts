import { randomUUID } from "node:crypto"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Logger, LogLevel, Option } from "effect"
import { fromJsonBody, isRefused } from "../src/Api/RequestArguments.ts"
import { Domain } from "../src/Layers/App.ts"
import { DatabaseLayer, DatabaseLocation } from "../src/Layers/Platform/Postgres/Database.ts"
import { SettingsLive } from "../src/Layers/Platform/Settings.ts"
import { AuditTrail } from "../src/Services/Accounts/AuditTrail.ts"
import { AccountId } from "../src/Services/Accounts/Ids.ts"
import { KeyedWrites } from "../src/Services/Accounts/KeyedWrites.ts"
import { RequestTrail } from "../src/Services/Accounts/RequestTrail.ts"
import { AuditLog } from "../src/Services/Core/AuditLog.ts"
import { Caller } from "../src/Services/Core/Caller.ts"
import { RequestLog } from "../src/Services/Core/RequestLog.ts"
import { AllTools } from "../src/Tools/AllTools.ts"
import { NumberLiteral, type RawArguments } from "../src/Tools/Core/ArgumentCoercion.ts"
import { loggedArguments } from "../src/Tools/Core/LoggedArguments.ts"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { benchSettings } from "./support/BenchSettings.ts"
import { conditions, figure, median, table, writeResults } from "./support/Report.ts"

/**
 * The cost of a write with and without the audit log, and of a read with and without the log of requests and the counts of
 * usage, including the batches of the logs. Rounds alternate between all of them.
 */

const callsPerRound = 200

const silent = AuditLog.of({ record: () => {} })

const ways = ["plain", "unaudited", "keyed", "read", "logged read"] as const
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
    const requestTrail = yield* RequestTrail
    const requestLog = yield* RequestLog
    const { modeOf } = yield* KeyedWrites
    const write = (way: Way) => (number: number) => {
      const raw = fromJsonBody(Buffer.from(JSON.stringify({ name: `Name ${number}` })))
      if (isRefused(raw)) return Effect.die(raw)
      return AllTools.call("update_user_name", raw, way === "keyed" ? modeOf(randomUUID()) : undefined)
    }
    const getLead = Option.getOrThrow(AllTools.get("get_lead"))
    const read = (way: Way) => (number: number) =>
      Effect.gen(function* () {
        const raw: RawArguments = new Map([["lead_id", new NumberLiteral(String(number))]])
        const { accountId, requestId, tokenId } = yield* Caller
        yield* Effect.exit(AllTools.call("get_lead", raw))
        if (way === "read") return
        requestLog.record({
          at: Date.now(),
          accountId,
          tokenId,
          requestId: `${requestId}-${number}`,
          route: "POST /rest/v1/tools/{name}",
          tool: "get_lead",
          status: 404,
          reason: "lead_not_found",
          milliseconds: 1,
          arguments: loggedArguments(getLead.parameters, (name) => raw.get(name))
        })
      })
    const isRead = (way: Way): boolean => way === "read" || way === "logged read"
    const round = (way: Way) =>
      Effect.gen(function* () {
        const startedAt = performance.now()
        const calls = Effect.forEach(
          Array.from({ length: callsPerRound }, (_, number) => number),
          isRead(way) ? read(way) : write(way)
        )
        yield* way === "unaudited" ? Effect.provideService(calls, AuditLog, silent) : calls
        yield* isRead(way) ? requestTrail.flush : trail.flush
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
      ["a call", "ms", "ratio to plain or read"],
      ways.map((way) => [
        way,
        figure(of(way)),
        figure(of(way) / of(way === "read" || way === "logged read" ? "read" : "plain"))
      ])
    )}`
  )
})

NodeRuntime.runMain(
  Effect.scoped(program).pipe(Effect.provide(Logger.json), Logger.withMinimumLogLevel(LogLevel.Warning))
)
