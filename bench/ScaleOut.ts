import { NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Option } from "effect"
import { distribute } from "../src/Layers/Platform/Postgres/cluster/Distribution.ts"
import { evenOut, moveFilled, seedZipf } from "./citus/Balance.ts"
import { startCluster } from "./citus/Cluster.ts"
import { loseWorker, moveWhileCalled, placed } from "./citus/Disturbances.ts"
import { cellsOf, type Finding, isMissed } from "./citus/Finding.ts"
import { programsOf } from "./citus/Programs.ts"
import { routingCosts } from "./citus/RoutingCosts.ts"
import { clusterDatabase } from "./citus/SpreadDatabase.ts"
import { createDatabase, makeDatabase, openDatabase, serverAt } from "./support/BenchDatabase.ts"
import { benchSettings, positive } from "./support/BenchSettings.ts"
import { startGateway } from "./support/Gateway.ts"
import type { PostgresServer } from "./support/PostgresServer.ts"
import { conditions, table, writeResults } from "./support/Report.ts"
import { seedAccounts, withoutWords } from "./support/SampleLeads.ts"

/**
 * The same measurements on one Postgres and on Citus with one, two and four workers, and what only a cluster can do;
 * see README.md.
 */

const [source] = process.argv.slice(2)
if (source === undefined) {
  console.error(`npm run bench:scaleout -- SOURCE
  SOURCE is a folder with the source of Citus, which is built and installed first (as root), or the folder of the programs of a
  Postgres that has the extensions citus and pg_stat_statements.`)
  process.exit(2)
}

const settings = Config.all({
  shared: benchSettings,
  /** Repetitions of each statement and each call on one connection. */
  calls: Config.withDefault(positive("BENCH_CALLS"), 300),
  seconds: Config.withDefault(positive("BENCH_SECONDS"), 2),
  accounts: Config.withDefault(positive("BENCH_ACCOUNTS"), 10_000),
  /** Leads of the single large account. */
  large: Config.withDefault(positive("BENCH_LARGE"), 1_000_000),
  /** Shards of the large cluster, enough to balance four nodes. */
  shards: Config.withDefault(positive("BENCH_SHARDS"), 16),
  port: Config.withDefault(positive("BENCH_PORT"), 8100)
})

const mostWorkers = 4
/** One shard per worker is enough if nothing is moved. */
const fewShards = 4
const callers = 12

/** Acknowledged commits must survive a kill -9. Moving shards needs a replication slot for each session that copies. */
const serverSettings = `
synchronous_commit = on
max_locks_per_transaction = 1024
max_replication_slots = 100
max_wal_senders = 100
max_logical_replication_workers = 40
max_worker_processes = 60
`

const routing = (coordinator: PostgresServer, workers: ReadonlyArray<PostgresServer>) =>
  Effect.gen(function* () {
    const { calls, seconds } = yield* settings
    const server = serverAt(coordinator)
    const accounts = yield* Effect.scoped(
      Effect.flatMap(makeDatabase(server, "one"), ({ client }) =>
        seedAccounts(
          client,
          Array.from({ length: 8 }, (_, number) => ({ name: `Bench${number}`, leads: 1000 })),
          false
        )
      )
    )
    const spread = (count: number) =>
      Effect.gen(function* () {
        const name = `workers${count}`
        yield* createDatabase(server, name, "one")
        const database = yield* clusterDatabase(coordinator, workers.slice(0, count), name, fewShards)
        yield* distribute.pipe(Effect.provide(database.layer))
        yield* Console.error(`a cluster of ${count} is filled`)
        return database
      })
    const clusters = yield* Effect.forEach([1, 2, mostWorkers], spread)
    const databases = [yield* openDatabase(server, "one"), ...clusters]
    return yield* routingCosts({ databases, accounts, rounds: calls, seconds })
  }).pipe(Effect.scoped)

const large = (coordinator: PostgresServer, workers: ReadonlyArray<PostgresServer>) =>
  Effect.gen(function* () {
    const { accounts, large: largeLeads, shards, shared } = yield* settings
    const name = "large"
    const callable = yield* Effect.scoped(
      Effect.gen(function* () {
        const { client } = yield* makeDatabase(serverAt(coordinator), name)
        yield* withoutWords(client)
        const [account] = yield* seedAccounts(client, [{ name: "Large", leads: largeLeads }], false)
        if (account === undefined) return yield* Effect.dieMessage("There is no account.")
        const leads = Option.getOrElse(shared.leads, () => 300_000)
        const others = yield* Effect.promise(() => seedZipf(client, { accounts, leads, withToken: callers }))
        return [...others, account]
      })
    )
    const largeId = callable.at(-1)?.accountId ?? 0
    yield* Console.error("the large database is filled")
    const database = yield* clusterDatabase(coordinator, workers, name, shards)
    const moved = yield* moveFilled(database, coordinator, name)
    yield* Console.error("the large database is moved")
    const evened = yield* Effect.promise(() => evenOut(database.client, largeId))
    yield* Console.error("the large database is evened out")
    const gateway = yield* startGateway(database)
    const subjects = yield* Effect.promise(() => placed(database.client, callable))
    const shardMoved = yield* Effect.promise(() => moveWhileCalled(database.client, gateway.url, subjects))
    const afterwards = yield* Effect.promise(() => placed(database.client, callable))
    const victim = workers.find(({ port }) => port === afterwards[0]?.worker)
    if (victim === undefined) return yield* Effect.dieMessage("The first account is on no worker.")
    // Half of each worker's accounts are called. The leads of the others become due, except those of the large account,
    // which has too many.
    const sorted = afterwards.toSorted((one, other) => one.worker - other.worker)
    const isContacting = ({ accountId }: (typeof sorted)[number], at: number) => at % 2 === 1 && accountId !== largeId
    const called = sorted.filter((account, at) => !isContacting(account, at))
    const contacting = sorted.filter(isContacting)
    const lost = yield* Effect.promise(() => loseWorker(database.client, victim, gateway.url, called, contacting))
    return [...moved, ...evened, ...shardMoved, ...lost]
  }).pipe(Effect.scoped)

const program = Effect.gen(function* () {
  const { port, shared } = yield* settings
  const {
    nodes: [coordinator, ...workers]
  } = yield* Effect.acquireRelease(
    Effect.sync(() => startCluster(programsOf(source), mostWorkers, port, fewShards, serverSettings)),
    ({ stop }) => Effect.sync(stop)
  )
  if (coordinator === undefined) return yield* Effect.dieMessage("There is no coordinator.")
  const findings: Array<Finding> = []
  if ("routing".includes(shared.only)) findings.push(...(yield* routing(coordinator, workers)))
  if ("large".includes(shared.only)) findings.push(...(yield* large(coordinator, workers)))
  yield* writeResults(shared.results, findings)
  yield* Console.log(
    `${conditions()}\n\n${table(["", "one Postgres", "1 worker", "2 workers", "4 workers", "wanted"], findings.map(cellsOf))}`
  )
  const missed = findings.filter(isMissed)
  yield* Console.log(missed.length === 0 ? "\nall as wanted" : `\n${missed.length} missed`)
  process.exitCode = missed.length === 0 ? 0 : 1
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
