import { NodeRuntime } from "@effect/platform-node"
import { Array, Console, Effect, Option } from "effect"
import { callTool, checkAnswers, checkValidation } from "./support/agents/Answers.ts"
import { type BenchDatabase, makeDatabase } from "./support/BenchDatabase.ts"
import { type BenchSettings, benchSettings } from "./support/BenchSettings.ts"
import { callsUnderTest } from "./support/CallsUnderTest.ts"
import {
  applicationName,
  databaseUse,
  prepareUse,
  startCountingServer,
  type UsePerOperation,
  usePerOperation
} from "./support/DatabaseUse.ts"
import { startGateway } from "./support/Gateway.ts"
import { startLoad } from "./support/Load.ts"
import { startOtlpSink } from "./support/OtlpSink.ts"
import { conditions, figure, median, table, writeResults } from "./support/Report.ts"
import { type SampleAccount, seedAccounts } from "./support/SampleLeads.ts"
import { processorMicros, type ServerProcess, startProcess } from "./support/ServerProcess.ts"

/** Four calls of the gateway, of a Fastify peer and of a minimal server, interleaved on one database; see README.md. */

/** The result of one run of a load on one server. */
interface Measurement extends UsePerOperation {
  readonly call: string
  readonly connections: number
  readonly server: string
  readonly round: number
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Processor time of the server process per request, in microseconds. */
  readonly cpuMicros: number
}

const startPeer = (name: string, file: string, database: BenchDatabase, ofSettings: object) =>
  startProcess({
    name,
    args: ["--import", "tsx", file],
    env: { DATABASE_URL: database.url, ANSWER_OF_SETTINGS: JSON.stringify(ofSettings) }
  })

const applicationNames: { readonly [server: string]: string } = {
  gateway: applicationName,
  fastify: "fastify-peer",
  floor: "floor"
}

const warmUpSeconds = 1

let runs = 0

const measureAll = (
  settings: BenchSettings,
  database: BenchDatabase,
  servers: ReadonlyArray<ServerProcess>,
  account: SampleAccount
) =>
  Effect.gen(function* () {
    const load = yield* startLoad()
    const measurements: Array<Measurement> = []

    const apply = (server: ServerProcess, call: string, connections: number, seconds: number) =>
      load({
        url: server.url,
        token: account.token,
        call,
        connections,
        seconds,
        run: { id: `r${++runs}`, firstLeadId: account.firstLeadId, leads: account.leads }
      })

    const measure = (server: ServerProcess, call: string, connections: number, round: number) =>
      Effect.gen(function* () {
        const usedBefore = yield* databaseUse(database.client, applicationNames[server.name])
        const before = yield* Effect.promise(() => processorMicros(server.pid))
        const result = yield* apply(server, call, connections, settings.seconds)
        const after = yield* Effect.promise(() => processorMicros(server.pid))
        const usedAfter = yield* databaseUse(database.client, applicationNames[server.name])
        if (result.failures > 0 || result.answers === 0) {
          return yield* Effect.dieMessage(
            `${server.name} failed ${result.failures} of ${result.answers} times on ${call} at ${connections} connections`
          )
        }
        measurements.push({
          call,
          connections,
          server: server.name,
          round,
          requestsPerSecond: result.requestsPerSecond,
          p50: result.p50,
          p99: result.p99,
          cpuMicros: (after - before) / result.answers,
          ...usePerOperation(usedBefore, usedAfter, result.answers)
        })
      })

    for (const { name } of callsUnderTest.filter((call) => call.name.includes(settings.only))) {
      for (const connections of settings.connections) {
        for (const server of servers) yield* apply(server, name, connections, warmUpSeconds)
        for (let round = 0; round < settings.rounds; round++) {
          // Each round begins with a different server, so that none always follows the same one.
          const order = servers.map((_, index) => servers[(index + round) % servers.length])
          for (const server of order) if (server !== undefined) yield* measure(server, name, connections, round)
        }
        yield* Console.error(`${name} at ${connections} connections is measured`)
      }
    }
    return measurements
  })

const medianOf = (measurements: ReadonlyArray<Measurement>, field: keyof Measurement): number =>
  median(measurements.map((measurement) => Number(measurement[field])))

const columns = ["requestsPerSecond", "p50", "p99", "cpuMicros", "databaseMicros", "walBytes", "statements"] as const

/** One line for each call, number of connections and server: medians, and as ratios to the peer. */
const reportOf = (measurements: ReadonlyArray<Measurement>): string => {
  const groups = Array.groupBy(measurements, ({ call, connections }) => `${call} × ${connections}`)
  const rows = Object.entries(groups).flatMap(([group, ofGroup]) => {
    const byServer = Array.groupBy(ofGroup, ({ server }) => server)
    const peer = byServer["fastify"] ?? []
    return Object.entries(byServer).map(([server, ofServer]) => [
      `${group}, ${server}`,
      ...columns.map((column) => figure(medianOf(ofServer, column))),
      ...(["requestsPerSecond", "p99", "cpuMicros"] as const).map((column) =>
        figure(medianOf(ofServer, column) / medianOf(peer, column))
      )
    ])
  })
  return table(
    [
      "call × connections, server",
      "requests/s",
      "p50 ms",
      "p99 ms",
      "CPU µs",
      "database CPU µs",
      "WAL bytes",
      "statements",
      "requests/s ÷ peer",
      "p99 ÷ peer",
      "CPU ÷ peer"
    ],
    rows
  )
}

const program = Effect.gen(function* () {
  const settings = yield* benchSettings
  const postgres = yield* startCountingServer
  const database = yield* makeDatabase(postgres, "bench")
  yield* prepareUse(database.client)
  const leads = Option.getOrElse(settings.leads, () => 100_000)
  const [account] = yield* seedAccounts(database.client, [
    { name: "Bench", leads },
    { name: "Neighbour", leads: 1000 }
  ])
  if (account === undefined) return yield* Effect.dieMessage("There is no account.")

  const sink = yield* startOtlpSink
  const gateway = yield* startGateway(database, {
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    TRACE_SAMPLE_RATIO: "0.01"
  })
  const { body } = yield* callTool(gateway, account.token, "whoami", {})
  const { made_by_rules, outside_services } = JSON.parse(body) as {
    readonly made_by_rules: unknown
    readonly outside_services: unknown
  }
  const ofSettings = { outside_services, made_by_rules }
  const fastify = yield* startPeer("fastify", "bench/peers/Fastify.ts", database, ofSettings)
  const floor = yield* startPeer("floor", "bench/peers/Floor.ts", database, ofSettings)
  const servers = [gateway, fastify, floor]

  yield* checkAnswers(servers, account.token, { id: "check", firstLeadId: account.firstLeadId, leads })
  yield* checkValidation(gateway, fastify, account.token, account.firstLeadId)
  yield* Console.error("all servers give the same answers")

  const started = conditions()
  const measurements = yield* measureAll(settings, database, servers, account)
  if (sink.batches() === 0) yield* Console.error("No spans were sent: the gateway was measured without tracing.")
  yield* writeResults(settings.results, measurements)
  yield* Console.log(
    `${started}\n${settings.rounds} rounds of ${settings.seconds} s, ${leads} leads\n\n${reportOf(measurements)}`
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
