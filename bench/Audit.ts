import { NodeRuntime } from "@effect/platform-node"
import { Array, Console, Effect, Option } from "effect"
import { type BenchDatabase, makeDatabase } from "./support/BenchDatabase.ts"
import { benchSettings } from "./support/BenchSettings.ts"
import { callsUnderTest, updateLead, withKey } from "./support/CallsUnderTest.ts"
import {
  databaseUse,
  prepareUse,
  startCountingServer,
  type UsePerOperation,
  usePerOperation
} from "./support/DatabaseUse.ts"
import { startLoad } from "./support/Load.ts"
import { conditions, figure, median, table, writeResults } from "./support/Report.ts"
import { seedAccounts } from "./support/SampleLeads.ts"
import { processorMicros, type ServerProcess, startProcess } from "./support/ServerProcess.ts"

/**
 * What the log of requests with the counts of usage, the audit log, and an idempotency key cost a call over HTTP. Each is
 * measured in pairs of short runs, with and without it in turns, on gateways over one database. Ends with 1 if the log of requests
 * or a key costs more of the calls per second than is allowed.
 */

const connections = 50
/** Pairs of runs for each round that the settings ask for. */
const pairsPerRound = 5

interface Run extends UsePerOperation {
  readonly requestsPerSecond: number
  /** Processor time of the gateway per call, in microseconds. */
  readonly gatewayMicros: number
}

interface Side {
  readonly server: ServerProcess
  readonly call: string
}

interface Comparison {
  readonly what: string
  readonly without: Side
  readonly with: Side
  /** The share of calls per second that it may cost. Undefined where no goal is set. */
  readonly allowed?: number
}

const startLogging = (database: BenchDatabase, logs: "all" | "audit" | "requests") =>
  startProcess({
    name: `gateway with logs ${logs}`,
    args: ["--import", "tsx", "bench/peers/GatewayWithoutLogs.ts"],
    env: { LOG_LEVEL: "WARN", LOGS: logs, DATABASE_URL: database.url }
  })

const program = Effect.gen(function* () {
  const settings = yield* benchSettings
  const postgres = yield* startCountingServer
  const database = yield* makeDatabase(postgres, "bench")
  yield* prepareUse(database.client)
  const pairs = pairsPerRound * settings.rounds
  const leads = Option.getOrElse(settings.leads, () => 20_000)
  const [account] = yield* seedAccounts(database.client, [{ name: "Bench", leads }])
  if (account === undefined) return yield* Effect.dieMessage("There is no account.")
  const all = yield* startLogging(database, "all")
  const withoutRequests = yield* startLogging(database, "audit")
  const withoutAudit = yield* startLogging(database, "requests")
  const load = yield* startLoad()
  let runs = 0

  const apply = ({ call, server }: Side, seconds: number) =>
    load({
      url: server.url,
      token: account.token,
      call,
      connections,
      seconds,
      run: { id: `r${++runs}`, firstLeadId: account.firstLeadId, leads: account.leads }
    })

  // All gateways have one name, and the log writes over the same sessions as calls.
  const allSessions = databaseUse(database.client)

  const measure = (side: Side) =>
    Effect.gen(function* () {
      const sessionsBefore = yield* allSessions
      const before = yield* Effect.promise(() => processorMicros(side.server.pid))
      const result = yield* apply(side, settings.seconds)
      const after = yield* Effect.promise(() => processorMicros(side.server.pid))
      const sessionsAfter = yield* allSessions
      if (result.failures > 0 || result.answers === 0) {
        return yield* Effect.dieMessage(`${side.call} failed ${result.failures} of ${result.answers} times`)
      }
      return {
        requestsPerSecond: result.requestsPerSecond,
        gatewayMicros: (after - before) / result.answers,
        ...usePerOperation(sessionsBefore, sessionsAfter, result.answers)
      } satisfies Run
    })

  const registerLead = callsUnderTest.filter(({ name }) => name === "register_lead")
  const comparisons: ReadonlyArray<Comparison> = [
    ...["whoami", "get_lead"].map((call) => ({
      what: `log of requests and usage, ${call}`,
      without: { server: withoutRequests, call },
      with: { server: all, call },
      allowed: 0.03
    })),
    {
      what: "audit log, update_lead",
      without: { server: withoutAudit, call: updateLead.name },
      with: { server: all, call: updateLead.name }
    },
    ...[...registerLead, updateLead].map((call) => ({
      what: `an idempotency key, ${call.name}`,
      without: { server: all, call: call.name },
      with: { server: all, call: withKey(call).name },
      allowed: 0.15
    }))
  ].filter(({ what }) => what.includes(settings.only))

  const started = conditions()
  const judged: Array<{ readonly row: ReadonlyArray<string>; readonly isHeld: boolean }> = []
  for (const { allowed, what, ...sides } of comparisons) {
    yield* apply(sides.without, 2)
    yield* apply(sides.with, 2)
    const measured: Array<{ readonly without: Run; readonly with: Run }> = []
    for (let pair = 0; pair < pairs; pair++) {
      // Each pair begins with the other side, so that neither always follows the other.
      if (pair % 2 === 0) {
        const without = yield* measure(sides.without)
        measured.push({ without, with: yield* measure(sides.with) })
      } else {
        const withIt = yield* measure(sides.with)
        measured.push({ without: yield* measure(sides.without), with: withIt })
      }
    }
    yield* writeResults(
      settings.results,
      measured.map((pair) => ({ what, ...pair }))
    )
    const medians = (side: "without" | "with", field: keyof Run): number =>
      median(measured.map((pair) => pair[side][field]))
    const lost = 1 - median(measured.map((pair) => pair.with.requestsPerSecond / pair.without.requestsPerSecond))
    const micros = ({ databaseMicros, gatewayMicros }: Run): number => databaseMicros + gatewayMicros
    const dearer = median(measured.map((pair) => micros(pair.with) / micros(pair.without))) - 1
    const isHeld = allowed === undefined || lost <= allowed
    judged.push({
      isHeld,
      row: [
        what,
        ...Array.flatMap(["requestsPerSecond", "gatewayMicros", "databaseMicros"] as const, (field) => [
          figure(medians("without", field)),
          figure(medians("with", field))
        ]),
        `${figure(100 * lost)} %`,
        `${figure(100 * dearer)} %`,
        allowed === undefined ? "" : `${figure(100 * allowed)} %: ${isHeld ? "held" : "not held"}`
      ]
    })
    yield* Console.error(`${what} is measured`)
  }
  const columns = ["without: calls/s", "with", "without: gateway µs", "with", "without: database µs", "with"]
  yield* Console.log(
    `${started}\n${pairs} pairs of runs of ${settings.seconds} s, ${connections} connections, ${leads} leads\n\n${table(
      ["cost of", ...columns, "calls/s lost", "processor time added", "allowed"],
      judged.map(({ row }) => row)
    )}`
  )
  if (judged.some(({ isHeld }) => !isHeld)) process.exitCode = 1
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
