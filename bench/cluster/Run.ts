import { randomBytes } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { Effect, Layer } from "effect"
import pg from "pg"
import { migrate } from "../../src/Layers/App.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { postgresServers } from "../support/PostgresServer.ts"
import { conditions, figure, table } from "../support/Report.ts"
import { seedAccounts } from "../support/SampleLeads.ts"
import { check, type Found } from "./Checks.ts"
import { startGateways } from "./Gateways.ts"
import { type Ledger, startWork } from "./Work.ts"

/**
 * Three gateways behind a proxy, on a database with a replica: the effects of failures on callers, and what is lost.
 */

const [bin, ...stages] = process.argv.slice(2)
if (bin === undefined) {
  console.error(`npm run test:cluster -- BIN [kills] [rolling] [failover] [failover-async]
  BIN holds the programs of a Postgres (with pg_basebackup); haproxy has to be on the path. CLUSTER_SECONDS (300) of kills,
  one each CLUSTER_PAUSE (10) seconds, with CLUSTER_CALLERS (8) at once.`)
  process.exit(2)
}
const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
const seconds = setting("CLUSTER_SECONDS", 300)
const between = setting("CLUSTER_PAUSE", 10)
const callers = setting("CLUSTER_CALLERS", 8)
const firstPort = setting("CLUSTER_PORT", 7950)
const gatewayCount = 3
/** Seconds within which others must finish the work of a killed gateway. */
const takenOverSeconds = 30

const serverSettings = `
shared_buffers = '128MB'
max_connections = 200
max_prepared_transactions = 10
wal_level = replica
max_wal_senders = 4
`

type Stage = "kills" | "rolling" | "failover" | "failover-async"
const isStage = (name: string): name is Stage => ["kills", "rolling", "failover", "failover-async"].includes(name)

interface Result {
  readonly stage: Stage
  readonly ledger: Ledger
  readonly found: Found
  readonly events: number
  /** The longest time without an answered call, in milliseconds. */
  readonly silence: number
}

const longestSilence = ({ answeredAt }: Ledger): number =>
  answeredAt.reduce((longest, at, place) => Math.max(longest, at - (answeredAt[place - 1] ?? at)), 0)

const runStage = async (stage: Stage): Promise<Result> => {
  const servers = postgresServers(bin)
  let stopGateways: () => Promise<void> = () => Promise.resolve()
  try {
    const primary = servers.start("first", firstPort + 10, serverSettings)
    const admin = { host: primary.host, port: primary.port, user: "postgres" }
    const asAdmin = async (database: string, ...statements: ReadonlyArray<string>) => {
      const client = new pg.Client({ ...admin, database })
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    }
    await asAdmin("postgres", "create database gateway")
    const location = Layer.succeed(DatabaseLocation, { connection: { ...admin, database: "gateway" }, poolSize: 2 })
    await Effect.runPromise(
      Effect.zipRight(migrate, migrateEngine).pipe(Effect.provide(DatabaseLayer.pipe(Layer.provideMerge(location))))
    )
    const client = new pg.Client({ ...admin, database: "gateway" })
    await client.connect()
    const accounts = await Effect.runPromise(
      seedAccounts(
        client,
        ["One", "Two", "Three", "Four"].map((name) => ({ name, leads: 200 })),
        false
      )
    )
    await client.end()
    const follower = servers.follow(primary, "second", firstPort + 11)
    if (stage !== "failover-async") {
      await asAdmin(
        "postgres",
        "alter system set synchronous_standby_names = 'second'",
        // A commit is acknowledged once it is on the replica's disk.
        "alter system set synchronous_commit = 'on'",
        "select pg_reload_conf()"
      )
    }
    const gateways = await startGateways({
      directory: servers.directory,
      count: gatewayCount,
      firstPort,
      databases: [
        { name: "first", host: primary.host, port: primary.port },
        { name: "second", host: follower.host, port: follower.port }
      ],
      environment: {
        SEALING_KEY: randomBytes(32).toString("base64"),
        DATABASE_REPLICA_URL: `postgres://postgres@${follower.host}:${follower.port}/gateway`
      }
    })
    stopGateways = gateways.stop
    const work = startWork(
      gateways.url,
      accounts.map(({ token }) => token),
      callers
    )
    await pause(5_000)
    let events = 0
    if (stage === "kills") {
      const end = Date.now() + seconds * 1000
      for (; Date.now() < end; events++) {
        const at = events % gatewayCount
        await gateways.end(at, "SIGKILL")
        gateways.startAgain(at)
        await pause(between * 1000)
      }
    } else if (stage === "rolling") {
      for (; events < gatewayCount; events++) {
        await gateways.end(events, "SIGTERM")
        gateways.startAgain(events)
        await gateways.untilReady(events)
        await pause(2_000)
      }
    } else {
      primary.crash()
      servers.promote("second")
      await gateways.leadDatabaseTo("second")
      events = 1
      await pause(20_000)
    }
    const ledger = await work.stop()
    const database = {
      ...(stage.startsWith("failover") ? { ...admin, port: follower.port } : admin),
      database: "gateway"
    }
    // The last killed gateways are still down, so the others must take over.
    const checked = await check(database, ledger, takenOverSeconds)
    return { stage, ledger, found: checked, events, silence: longestSilence(ledger) }
  } finally {
    await stopGateways()
    servers.stop()
  }
}

const percentile = (times: ReadonlyArray<number>, share: number): number => {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const requestedStages = stages.filter(isStage)
const results: Array<Result> = []
for (const stage of requestedStages.length > 0
  ? requestedStages
  : (["kills", "rolling", "failover", "failover-async"] as const)) {
  results.push(await runStage(stage))
}
console.log(`${conditions()}\n${callers} callers, ${gatewayCount} gateways\n`)
console.log(
  table(
    ["stage", "events", "answered", "p50, ms", "p99, ms", "longest silence, ms", "acknowledged leads, mails, imports"],
    results.map(({ events, ledger, silence, stage }) => [
      stage,
      `${events}`,
      `${ledger.times.length}`,
      figure(percentile(ledger.times, 0.5)),
      figure(percentile(ledger.times, 0.99)),
      figure(silence),
      `${ledger.leads.size}, ${ledger.mails.size}, ${ledger.imports.size}`
    ])
  )
)
for (const { found, ledger, stage } of results) {
  console.log(`\n${stage}: outcomes ${JSON.stringify(ledger.outcomes)}; found ${JSON.stringify(found)}`)
}
const isWhole = results.every(
  ({ found, ledger, stage }) =>
    // Without a synchronous replica, the last acknowledged commits may be lost.
    (stage === "failover-async" || Object.values(found).every((number) => number === 0)) &&
    (stage !== "rolling" || Object.keys(ledger.outcomes).every((outcome) => outcome === "200"))
)
console.log(isWhole ? "\nnothing lost, nothing twice" : "\nFAILED")
process.exitCode = isWhole ? 0 : 1
