import { NodeRuntime } from "@effect/platform-node"
import { Array, Console, Effect, Fiber, Option, Schedule } from "effect"
import type pg from "pg"
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
/** The process that measures has no priority over the database, which would then wait for it. */
const usualPriority = 0
const calls = ["whoami", "get_lead", "register_lead"]
/** The other caller has a different address than the flood. */
const neighbourAddress = "127.0.0.2"
/** Milliseconds between its new connections. A client that opens a thousand per second is delayed by design. */
const neighbourPause = 4
/** Milliseconds by which a flood may delay others at the 99th percentile. */
const allowance = 50

/** The other account's two connections are open from the first call, or opened for each call. */
const connectionsOf = (isAnew: boolean): string => (isAnew ? "new" : "kept")

const timesOf = ({ failures, longest, p50, p99 }: LoadResult): ReadonlyArray<string> => [
  figure(p50),
  figure(p99),
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
  const load = yield* startLoad(usualPriority)
  const floodLoad = yield* startLoad(lowestPriority)
  let runs = 0
  const order = (account: typeof neighbour, call: string, connections: number, seconds: number, isAnew = false) => ({
    ...(account === neighbour ? { localAddress: neighbourAddress, pause: neighbourPause } : {}),
    url: gateway.url,
    token: account.token,
    call,
    connections,
    seconds,
    isAnew,
    run: { id: `f${++runs}`, firstLeadId: account.firstLeadId, leads: account.leads, deadSubscriptions }
  })
  const rows: globalThis.Array<ReadonlyArray<string>> = []
  let isFair = true
  const isMeasured = (call: string, flood: string) =>
    settings.only.split(",").some((part) => `${call} beside a ${flood}`.includes(part.trim()))
  const measured = calls
    .map((call) => ({ call, besides: floods.filter(({ name }) => isMeasured(call, name)) }))
    .filter(({ besides }) => besides.length > 0)
  const idleOf = new Map<string, ReadonlyArray<LoadResult>>()
  for (const { call } of measured) {
    yield* load(order(neighbour, call, 2, 1))
    const results: globalThis.Array<LoadResult> = []
    for (const isAnew of [false, true]) results.push(yield* load(order(neighbour, call, 2, settings.seconds, isAnew)))
    idleOf.set(call, results)
  }
  for (const { besides, call } of measured) {
    const idle = idleOf.get(call) ?? []
    for (const [at, result] of idle.entries())
      rows.push([call, connectionsOf(at === 1), "nothing else", ...timesOf(result), "", ""])
    for (const { name } of besides) {
      yield* jobsDone(database.client)
      const flood = yield* Effect.fork(floodLoad(order(flooder, name, floodConnections, 2 * settings.seconds + 2)))
      yield* Effect.sleep("1 second")
      const results: globalThis.Array<LoadResult> = []
      for (const isAnew of [false, true]) results.push(yield* load(order(neighbour, call, 2, settings.seconds, isAnew)))
      const flooded = yield* Fiber.join(flood)
      for (const [at, result] of results.entries()) {
        isFair &&= result.failures === 0 && result.p99 <= (idle[at]?.p99 ?? 0) + allowance
        rows.push([
          call,
          connectionsOf(at === 1),
          name,
          ...timesOf(result),
          figure(flooded.requestsPerSecond),
          String(flooded.failures)
        ])
      }
      yield* Console.error(`${call} beside a ${name} is measured; refused: ${JSON.stringify(flooded.reasons)}`)
    }
  }
  yield* Console.log(
    `${conditions()}\n${settings.seconds} s each, ${leads} leads, ${floodConnections} connections of the flood\n\n${table(
      [
        "call",
        "connections",
        "beside",
        "p50 ms",
        "p99 ms",
        "longest ms",
        "failures",
        "flood's answers/s",
        "flood's refusals"
      ],
      rows
    )}\n\n${isFair ? "fair" : "NOT fair"}: p99 at most ${allowance} ms over the idle one, no failures`
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
