import { NodeRuntime } from "@effect/platform-node"
import { Array, Console, Effect, Fiber, Option, Schedule } from "effect"
import type pg from "pg"
import { type BareTimes, bareRegistrations, readLogPosition, type Writes } from "./support/BareWrites.ts"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { benchSettings } from "./support/BenchSettings.ts"
import { pathOf } from "./support/CallsUnderTest.ts"
import { floods } from "./support/Floods.ts"
import { startGateway } from "./support/Gateway.ts"
import { startLoad } from "./support/Load.ts"
import type { LoadResult } from "./support/LoadWorker.ts"
import { conditions, figure, table } from "./support/Report.ts"
import { seedAccounts } from "./support/SampleLeads.ts"
import { startProcess } from "./support/ServerProcess.ts"

/** How much one account's flood delays another account's calls, compared with an idle gateway. */

const floodConnections = 500
/** The process that floods yields to all others, so that its own work is not measured. */
const lowestPriority = 19
/** The processes that measure have no priority over the database, which would then wait for them. */
const usualPriority = 0
/** Bytes a second from which a flood writes enough for the disk to delay others. */
const leastWrites = 256 * 1024
const calls = ["whoami", "get_lead", "register_lead"]
/** The other caller has a different address than the flood. */
const neighbourAddress = "127.0.0.2"
/** Milliseconds between its new connections. A client that opens a thousand per second is delayed by design. */
const neighbourPause = 4
/** Milliseconds by which a flood may delay others at the 99th percentile. */
const allowance = 50

/** The other account's two connections are open from the first call, or opened for each call. */
const connectionsOf = (isAnew: boolean): string => (isAnew ? "new" : "kept")

const timesOf = ({ failures, longest, p50, p99, p99WithoutWaits }: LoadResult): ReadonlyArray<string> => [
  figure(p50),
  figure(p99),
  figure(p99WithoutWaits),
  figure(longest),
  String(failures)
]

const subscribe = (url: string, token: string, address: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}${pathOf("create_webhook_subscription")}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ url: address })
    })
    const { subscription_id: id } = (await response.json()) as { readonly subscription_id: number }
    return id
  })

interface Measured {
  readonly call: string
  readonly isAnew: boolean
  readonly result: LoadResult
}

const heads = [
  "call",
  "connections",
  "beside",
  "p50 ms",
  "p99 ms",
  "p99 without waits for a core ms",
  "longest ms",
  "failures",
  "allowed p99 ms",
  "machine's share ms",
  "flood's answers/s",
  "flood's refusals"
]

const bareHeads = ["beside", "asked MB/s", "p50 ms", "p99 ms", "longest ms", "reached MB/s", "machine's share ms"]

const bareTimesOf = ({ bytesPerSecond, longest, p50, p99 }: BareTimes): ReadonlyArray<string> =>
  [p50, p99, longest, bytesPerSecond / 1e6].map(figure)

interface Beside {
  readonly allowed: number
  readonly ofMachine: number
  readonly flooded: LoadResult
}

const rowOf = (
  call: string,
  isAnew: boolean,
  name: string,
  result: LoadResult,
  beside?: Beside
): ReadonlyArray<string> => [
  call,
  connectionsOf(isAnew),
  name,
  ...timesOf(result),
  ...(beside === undefined
    ? ["", "", "", ""]
    : [
        figure(beside.allowed),
        figure(beside.ofMachine),
        figure(beside.flooded.requestsPerSecond),
        String(beside.flooded.failures)
      ])
]

const registrationsIn = (results: ReadonlyArray<Measured>): number =>
  results.reduce((sum, { call, result }) => sum + (call === "register_lead" ? result.answers : 0), 0)

/** Whether the flood is among those of `BENCH_ONLY`. */
const isMeasured = (only: string, flood: string): boolean => only.split(",").some((part) => flood.includes(part.trim()))

/** Waits until a flood's background work is done before the next one begins. */
const jobsDone = (client: pg.Client) =>
  Effect.promise(() =>
    client.query<{ readonly left: number }>(
      "select count(*)::int as left from graphile_worker.jobs where attempts < max_attempts and run_at <= now()"
    )
  ).pipe(
    Effect.map(({ rows: [jobCounts] }) => jobCounts?.left ?? 0),
    Effect.repeat({ until: (left) => left === 0, schedule: Schedule.spaced("250 millis") }),
    Effect.timeout("3 minutes")
  )

const program = Effect.gen(function* () {
  const settings = yield* benchSettings
  const database = yield* makeDatabase(yield* startServer, "fairness")
  const leads = Option.getOrElse(settings.leads, () => 100_000)
  const [flooder, neighbour] = yield* seedAccounts(database.client, [
    { name: "Flooder", leads },
    { name: "Neighbour", leads: 1000 }
  ])
  if (flooder === undefined || neighbour === undefined) return yield* Effect.dieMessage("There are no accounts.")
  // A new server creates each segment of its log while commits wait. One that has run for a while uses old segments again.
  yield* Effect.promise(() => database.client.query("checkpoint"))
  const gateway = yield* startGateway(database, { OUTBOUND_ALLOW_LOOPBACK: "true" })
  const receiver = yield* startProcess({
    name: "receiver",
    args: ["--import", "tsx", "bench/support/WebhookReceiver.ts"],
    env: {}
  })
  const deadSubscriptions = yield* Effect.forEach(
    Array.makeBy(20, (index) => index),
    () => subscribe(gateway.url, flooder.token, `${receiver.url}/dead`)
  )
  const loads = yield* Effect.forEach(calls, () => startLoad(usualPriority))
  const floodLoad = yield* startLoad(lowestPriority)
  let runs = 0
  const order = (account: typeof neighbour, call: string, connections: number, seconds: number, isAnew = false) => ({
    ...(account === neighbour
      ? { localAddress: neighbourAddress, pause: neighbourPause, gatewayPid: gateway.pid }
      : {}),
    url: gateway.url,
    token: account.token,
    call,
    connections,
    seconds,
    isAnew,
    run: { id: `f${++runs}`, firstLeadId: account.firstLeadId, leads: account.leads, deadSubscriptions }
  })
  const logPosition = Effect.promise(() => readLogPosition(database.client))
  /** All calls at the same time, each from its own process. */
  const measure = Effect.gen(function* () {
    const before = yield* logPosition
    const results: globalThis.Array<Measured> = []
    for (const isAnew of [false, true]) {
      const loaded = yield* Effect.forEach(
        Array.zip(calls, loads),
        ([call, load]) =>
          Effect.map(load(order(neighbour, call, 2, settings.seconds, isAnew)), (result) => ({ call, isAnew, result })),
        { concurrency: "unbounded" }
      )
      results.push(...loaded)
    }
    return { results, logBytes: (yield* logPosition) - before }
  })
  const bare = (writes?: Writes) =>
    Effect.promise(() =>
      bareRegistrations(
        database,
        { accountId: neighbour.accountId, run: `b${++runs}`, seconds: settings.seconds },
        writes
      )
    )

  for (const [call, load] of Array.zip(calls, loads)) yield* load(order(neighbour, call, 2, 1))
  yield* Console.error(`warmed up; ${conditions()}`)
  yield* bare()
  const bareIdle = yield* bare()
  yield* Console.error("registrations by pg alone are measured")
  const idle = yield* measure
  yield* Console.error("calls next to nothing else are measured")
  const bytesOfRegistration = idle.logBytes / Math.max(1, registrationsIn(idle.results))
  const rows = idle.results.map(({ call, isAnew, result }) => rowOf(call, isAnew, "nothing else", result))
  const bareRows = [["nothing else", "", ...bareTimesOf(bareIdle), ""]]
  let isFair = true
  let isFairWithoutShare = true
  let isFairWithoutWaits = true
  for (const { name } of floods.filter((flood) => isMeasured(settings.only, flood.name))) {
    yield* jobsDone(database.client)
    const flood = yield* Effect.fork(floodLoad(order(flooder, name, floodConnections, 2 * settings.seconds + 2)))
    yield* Effect.sleep("1 second")
    const { logBytes, results } = yield* measure
    const flooded = yield* Fiber.join(flood)
    yield* jobsDone(database.client)
    const writes = {
      bytesPerSecond: (logBytes - bytesOfRegistration * registrationsIn(results)) / (2 * settings.seconds),
      commitsPerSecond: flooded.requestsPerSecond * (1 - flooded.failures / Math.max(1, flooded.answers))
    }
    const beside = writes.bytesPerSecond < leastWrites ? undefined : yield* bare(writes)
    const share = Math.max(0, (beside?.p99 ?? 0) - bareIdle.p99)
    if (beside !== undefined)
      bareRows.push([`writes of a ${name}`, figure(writes.bytesPerSecond / 1e6), ...bareTimesOf(beside), figure(share)])
    for (const [at, { call, isAnew, result }] of results.entries()) {
      const alone = idle.results[at]?.result
      const allowed = (alone?.p99 ?? 0) + allowance
      const ofMachine = call === "register_lead" ? share : 0
      isFairWithoutShare &&= result.failures === 0 && result.p99 <= allowed
      isFairWithoutWaits &&=
        result.failures === 0 && result.p99WithoutWaits <= (alone?.p99WithoutWaits ?? 0) + allowance
      isFair &&= result.failures === 0 && result.p99 <= allowed + ofMachine
      rows.push(rowOf(call, isAnew, name, result, { allowed, flooded, ofMachine }))
    }
    yield* Console.error(`${name} is measured; refused: ${JSON.stringify(flooded.reasons)}`)
  }
  const verdict = (fair: boolean): string => (fair ? "fair" : "NOT fair")
  yield* Console.log(
    [
      conditions(),
      `${settings.seconds} s each, ${leads} leads, ${floodConnections} connections of the flood`,
      table(heads, rows),
      "Registrations by pg alone, beside clients that write what the flood wrote:",
      table(bareHeads, bareRows),
      `${verdict(isFair)}: p99 at most ${allowance} ms and the machine's share over the idle one, no failures`,
      `${verdict(isFairWithoutShare)} without the machine's share`,
      `${verdict(isFairWithoutWaits)} without the time in which the gateway or the measuring process waited for a core`
    ].join("\n\n")
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
