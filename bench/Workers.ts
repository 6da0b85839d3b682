import * as fs from "node:fs/promises"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Layer, Logger, LogLevel, Schedule } from "effect"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { benchSettings, positive } from "./support/BenchSettings.ts"
import { startGateway } from "./support/Gateway.ts"
import { startLoad } from "./support/Load.ts"
import { limitProcessor } from "./support/ProcessorLimit.ts"
import { conditions, figure, median, table, writeResults } from "./support/Report.ts"
import { type SampleAccount, seedAccounts } from "./support/SampleLeads.ts"
import { processorMicros } from "./support/ServerProcess.ts"

/**
 * What more processes on one port bring: `WORKERS=1` next to `WORKERS=2`, in turns. Each process that serves is limited to a
 * share of a processor, so that two have twice the time of one also on a machine with two; see README.md.
 */

const settings = Config.all({
  shared: benchSettings,
  /** Hundredths of a processor for each process that serves. */
  share: Config.withDefault(positive("BENCH_SHARE"), 30),
  operationsPort: Config.withDefault(positive("BENCH_OPERATIONS_PORT"), 18_464)
})

const calledTool = "whoami"
/** Of each process: calls that arrive together share statements, so fewer of them would make each call dearer. */
const connections = 50

const childrenOf = (parent: number) =>
  Effect.promise(async () => {
    const pids = (await fs.readdir("/proc")).filter((name) => /^\d+$/.test(name))
    const parents = await Promise.all(
      pids.map(async (pid) => {
        const stat = await fs.readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
      })
    )
    return pids.filter((_, at) => parents[at] === parent).map(Number)
  })

/** Processes that serve: the children, or the process itself if it is alone. */
const servingProcesses = (parent: number, count: number) =>
  count === 1
    ? Effect.succeed([parent])
    : childrenOf(parent).pipe(
        Effect.filterOrFail((pids) => pids.length === count),
        Effect.retry(Schedule.spaced("200 millis").pipe(Schedule.upTo("60 seconds"))),
        Effect.orDie
      )

/** Calls that the process with these metrics has answered. */
const answeredCalls = (port: number) =>
  Effect.tryPromise(async () => {
    const page = await fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text())
    return page
      .split("\n")
      .filter((line) => line.startsWith("gateway_tool_calls_total{") && line.includes(`tool="${calledTool}"`))
      .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0)
  }).pipe(Effect.retry(Schedule.spaced("200 millis").pipe(Schedule.upTo("60 seconds"))), Effect.orDie)

interface Measured {
  readonly workers: number
  readonly callsPerSecond: number
  /** Of all processes, for one call. */
  readonly microsPerCall: number
  readonly calls: number
  /** The share of each process in the calls. */
  readonly shares: ReadonlyArray<number>
  readonly isLimited: boolean
  readonly failures: number
}

const measure = (
  database: Effect.Effect.Success<ReturnType<typeof makeDatabase>>,
  account: SampleAccount,
  workers: number
) =>
  Effect.gen(function* () {
    const { operationsPort, share, shared } = yield* settings
    const gateway = yield* startGateway(database, {
      WORKERS: String(workers),
      OPERATIONS_PORT: String(operationsPort)
    })
    const pids = yield* servingProcesses(gateway.pid, workers)
    const ports = pids.map((_, at) => operationsPort + at)
    yield* Effect.forEach(ports, answeredCalls)
    const limits = yield* Effect.forEach(pids, (pid) => limitProcessor(pid, share / 100))
    const load = yield* startLoad()
    const order = {
      url: gateway.url,
      token: account.token,
      call: calledTool,
      connections: connections * workers,
      run: { id: "workers", firstLeadId: account.firstLeadId, leads: account.leads, words: [] }
    }
    yield* load({ ...order, seconds: 3 })
    const used = Effect.promise(async () => {
      const all = await Promise.all([...new Set([gateway.pid, ...pids])].map(processorMicros))
      return all.reduce((sum, micros) => sum + micros, 0)
    })
    const [callsBefore, usedBefore] = [yield* Effect.forEach(ports, answeredCalls), yield* used]
    const result = yield* load({ ...order, seconds: shared.seconds })
    const [callsAfter, usedAfter] = [yield* Effect.forEach(ports, answeredCalls), yield* used]
    const calls = callsAfter.map((count, at) => count - (callsBefore[at] ?? 0))
    const total = calls.reduce((sum, count) => sum + count, 0)
    return {
      workers,
      callsPerSecond: result.requestsPerSecond,
      microsPerCall: (usedAfter - usedBefore) / total,
      calls: total,
      shares: calls.map((count) => count / total),
      isLimited: limits.every((isSet) => isSet),
      failures: result.failures
    } satisfies Measured
  }).pipe(Effect.scoped)

const benchmark = Effect.gen(function* () {
  const { shared } = yield* settings
  const server = yield* startServer
  const database = yield* makeDatabase(server, "workers")
  const [account] = yield* seedAccounts(database.client, [{ name: "Bench", leads: 1000 }], false)
  if (account === undefined) return yield* Effect.dieMessage("The account was not made.")
  const results: Array<Measured> = []
  for (let round = 0; round < shared.rounds; round++) {
    for (const workers of [1, 2]) results.push(yield* measure(database, account, workers))
  }
  const of = (workers: number) => results.filter((result) => result.workers === workers)
  const middle = (workers: number, value: (result: Measured) => number) => median(of(workers).map(value))
  const row = (workers: number) => [
    String(workers),
    figure(middle(workers, ({ callsPerSecond }) => callsPerSecond)),
    figure(middle(workers, ({ microsPerCall }) => microsPerCall)),
    figure(of(workers).reduce((sum, { calls }) => sum + calls, 0)),
    of(workers)
      .map(({ shares }) => shares.map((share) => `${Math.round(share * 100)} %`).join(" / "))
      .join(", "),
    String(of(workers).reduce((sum, { failures }) => sum + failures, 0))
  ]
  const ratio = (value: (result: Measured) => number) => figure(middle(2, value) / middle(1, value))
  yield* Console.log(
    [
      conditions(),
      results.every(({ isLimited }) => isLimited)
        ? `${connections} connections for each process, which is limited to a share of a processor`
        : "The processes could NOT be limited: two share the processors of one.",
      "",
      table(["workers", "calls/s", "µs of processor a call", "calls", "shares", "failures"], [row(1), row(2)]),
      "",
      `two next to one: ${ratio(({ callsPerSecond }) => callsPerSecond)} × the calls, ${ratio(({ microsPerCall }) => microsPerCall)} × the processor time of a call`
    ].join("\n")
  )
  yield* writeResults(shared.results, results)
}).pipe(Effect.scoped)

NodeRuntime.runMain(
  benchmark.pipe(Effect.provide(Layer.merge(NodeContext.layer, Logger.minimumLogLevel(LogLevel.Warning))))
)
