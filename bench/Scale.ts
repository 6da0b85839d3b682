import { NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Option } from "effect"
import { rollUp } from "../src/Layers/Reports/RollUps.ts"
import { AccountId } from "../src/Services/Accounts/Ids.ts"
import { AllTools } from "../src/Tools/AllTools.ts"
import { callTool } from "./support/agents/Answers.ts"
import { makeDatabase, startReadServer } from "./support/BenchDatabase.ts"
import { benchSettings } from "./support/BenchSettings.ts"
import type { CallUnderTest } from "./support/CallsUnderTest.ts"
import { startGateway } from "./support/Gateway.ts"
import { startLoad } from "./support/Load.ts"
import { readCalls, reportPrefix } from "./support/ReadCalls.ts"
import { conditions, figure, median, table, writeResults } from "./support/Report.ts"
import { seedReportHistory } from "./support/ReportHistory.ts"
import { seedHistory } from "./support/SampleHistory.ts"
import { type SampleAccount, seedAccounts, withoutWords } from "./support/SampleLeads.ts"
import type { ServerProcess } from "./support/ServerProcess.ts"

/**
 * Every read tool of an account with a million leads compared with one with ten thousand; see README.md. Each has its
 * own database and gateway, because in one database the small account would use the large account's tables and indexes.
 */

/** Seconds of each round of a call, and of the warm-up before the first one. */
const defaultSeconds = 1
const warmUpSeconds = 0.5

const settings = Config.all({
  shared: benchSettings,
  seconds: Config.withDefault(Config.integer("BENCH_SECONDS"), defaultSeconds),
  smallLeads: Config.withDefault(Config.integer("BENCH_SMALL_LEADS"), 10_000)
})

/** The highest acceptable ratio. */
const target = 2

interface Subject {
  readonly gateway: ServerProcess
  readonly account: SampleAccount
}

/** Logs how long each part of the filling took. */
const laps = (name: string) => {
  let at = performance.now()
  return (what: string) =>
    Effect.suspend(() => {
      const seconds = (performance.now() - at) / 1000
      at = performance.now()
      return Console.error(`${name}: ${what}, ${figure(seconds)} s`)
    })
}

interface Measurement {
  readonly call: string
  /** Medians of the rounds, in milliseconds. */
  readonly small: number
  readonly large: number
  /** For the large account: 95 % of its answers are faster. */
  readonly slowest: number
}

const report = (measurements: ReadonlyArray<Measurement>): string =>
  table(
    ["call", "p50 ms, small", "p50 ms, large", "p95 ms, large", "large ÷ small"],
    measurements.map(({ call, large, slowest, small }) => [
      call,
      figure(small),
      figure(large),
      figure(slowest),
      `${figure(large / small)}${large / small > target ? " (over)" : ""}`
    ])
  )

/** The catalog's read tools that no call covers. */
const notMeasured = (): ReadonlyArray<string> => {
  const measured = new Set(readCalls.map(({ tool }) => tool))
  return AllTools.entries.flatMap(({ tool }) => (tool.kind === "read" && !measured.has(tool.name) ? [tool.name] : []))
}

const program = Effect.gen(function* () {
  const { seconds, shared, smallLeads } = yield* settings
  const leads = Option.getOrElse(shared.leads, () => 1_000_000)
  const postgres = yield* startReadServer

  const calls = readCalls.filter(({ name }) => name.includes(shared.only))
  const hasReports = calls.some(({ name }) => name.startsWith(reportPrefix))
  const areReports = calls.every(({ name }) => name.startsWith(reportPrefix))

  const prepare = (name: string, count: number) =>
    Effect.gen(function* () {
      const database = yield* makeDatabase(postgres, name)
      const lap = laps(name)
      // Reports do not use search words, and there are five million messages.
      if (areReports) yield* withoutWords(database.client)
      const [account] = yield* seedAccounts(database.client, [{ name: "Bench", leads: count }], !areReports)
      if (account === undefined) return yield* Effect.dieMessage("There is no account.")
      yield* lap("leads")
      yield* seedHistory(database.client, account, areReports ? "reported" : "all")
      yield* lap("history")
      if (hasReports) {
        yield* seedReportHistory(database.client, account)
        yield* Effect.promise(() => database.client.query("select recount_leads($1)", [account.accountId]))
        yield* lap("messages")
        // The first request only starts the recording of changes to past days.
        const accountId = AccountId.make(account.accountId)
        const days = yield* Effect.zipRight(rollUp(accountId), rollUp(accountId)).pipe(Effect.provide(database.layer))
        yield* lap(`${days} days rolled up`)
        yield* Effect.promise(() => database.client.query("vacuum analyze"))
        yield* lap("vacuum")
      }
      yield* Console.error(`${figure(count)} leads and what belongs to them are made`)
      return { gateway: yield* startGateway(database), account } satisfies Subject
    })
  const small = yield* prepare("small", smallLeads)
  const large = yield* prepare("large", leads)
  const load = yield* startLoad()
  let runs = 0

  const timesOf = (call: CallUnderTest, { account, gateway }: Subject, duration: number) =>
    Effect.gen(function* () {
      const run = { id: `r${++runs}`, firstLeadId: account.firstLeadId, leads: account.leads }
      const order = { url: gateway.url, token: account.token, call: call.name, connections: 1, seconds: duration, run }
      const result = yield* load(order)
      // A slow call may have no answer during its warm-up.
      if (result.failures > 0 || (result.answers === 0 && duration > warmUpSeconds)) {
        const { body } = yield* callTool(gateway, account.token, call.tool, call.args(0, run))
        return yield* Effect.dieMessage(`${call.name} failed ${result.failures} of ${result.answers} times: ${body}`)
      }
      return result
    })

  const measurements: Array<Measurement> = []
  for (const call of calls) {
    for (const subject of [small, large]) yield* timesOf(call, subject, warmUpSeconds)
    const times: { small: Array<number>; large: Array<number>; slowest: Array<number> } = {
      small: [],
      large: [],
      slowest: []
    }
    for (let round = 0; round < shared.rounds; round++) {
      times.small.push((yield* timesOf(call, small, seconds)).p50)
      const { p50, p95 } = yield* timesOf(call, large, seconds)
      times.large.push(p50)
      times.slowest.push(p95)
    }
    measurements.push({
      call: call.name,
      small: median(times.small),
      large: median(times.large),
      slowest: median(times.slowest)
    })
    yield* Console.error(`${call.name} is measured`)
  }
  yield* writeResults(shared.results, measurements)
  yield* Console.log(
    `${conditions()}\n${shared.rounds} rounds of ${seconds} s at one connection; ` +
      `${figure(smallLeads)} leads beside ${figure(leads)}\n\n${report(measurements)}`
  )
  const missing = notMeasured()
  if (missing.length > 0) yield* Console.log(`\nNot measured: ${missing.join(", ")}`)
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
