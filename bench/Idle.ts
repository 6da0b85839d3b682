import * as fs from "node:fs/promises"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Logger, LogLevel } from "effect"
import type pg from "pg"
import { makeDatabase, startServerWith } from "./support/BenchDatabase.ts"
import { startGateway } from "./support/Gateway.ts"
import { processorMicros, type ServerProcess } from "./support/ServerProcess.ts"

/**
 * The cost of an idle gateway: processor time of the process and its database over five minutes, which includes every
 * recurring task. Many accounts prospect, but none has due leads; see README.md.
 */

const accounts = 20_000
const campaignsEach = 5
const seconds = Number(process.env.IDLE_SECONDS ?? 300)
/** The measurement begins after this many seconds without a major garbage collection. The start is over by then. */
const quietSeconds = Number(process.env.IDLE_QUIET_SECONDS ?? 60)
const longestSettling = 600
const operationsToken = "idle-benchmark-operations-token"

const fill = (client: pg.Client) =>
  Effect.promise(async () => {
    await client.query(
      `with created as (
          insert into account (name, handle, plan, email, mail_display_name, is_prospecting_active)
          select 'Account ' || n, 'account' || n, 'paid', 'owner@account' || n || '.example', 'Sender ' || n, true
          from generate_series(1, $1::integer) n returning account_id, name
        )
        insert into business_profile (account_id, business_name) select account_id, name from created`,
      [accounts]
    )
    await client.query("insert into prospecting_config (account_id) select account_id from account")
    await client.query(
      `insert into campaign (account_id, name, is_active)
        select account_id, 'Campaign ' || n, true from account, generate_series(1, $1::integer) n`,
      [campaignsEach]
    )
    await client.query(
      `insert into lead (account_id, name, email, status, pipeline_state, next_touch_at)
        select account_id, 'Lead ' || n, 'l' || n || '@idle.example', 'Cold', 'in_pipeline', instant() + interval '3 days'
        from account, generate_series(1, 2) n`
    )
    await client.query("vacuum analyze")
  })

/** The database server's processes: those with the same parent as the client's backend. */
const serverPids = (client: pg.Client) =>
  Effect.promise(async () => {
    const parentOf = async (pid: string): Promise<string> => {
      const stat = await fs.readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? ""
    }
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid")
    const postmaster = await parentOf(String(rows[0]?.pid))
    const pids = (await fs.readdir("/proc")).filter((name) => /^\d+$/.test(name))
    const parents = await Promise.all(pids.map(parentOf))
    return [postmaster, ...pids.filter((_, at) => parents[at] === postmaster)].map(Number)
  })

const used = (pids: ReadonlyArray<number>) =>
  Effect.promise(
    async () => new Map(await Promise.all(pids.map(async (pid) => [pid, await processorMicros(pid)] as const)))
  )

/** Microseconds used between two measurements. Processes that ended are not counted, new ones are. */
const between = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number =>
  [...after].reduce((sum, [pid, micros]) => sum + Math.max(0, micros - (before.get(pid) ?? 0)), 0)

const share = (micros: number): string => `${((micros / (seconds * 1_000_000)) * 100).toFixed(2)} % of a core`

interface Statement {
  readonly query: string
  readonly calls: number
}

/** Statements since the last reset, by text, without those of the benchmark. */
const statementsOf = (client: pg.Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query<Statement>(
      `select regexp_replace(query, '\\s+', ' ', 'g') as query, sum(calls)::int as calls from pg_stat_statements
      where query not like '%pg_stat_%' and query not like '%pg_backend_pid%' group by 1 order by 2 desc`
    )
    return rows
  })

/** Major garbage collections so far. */
const majorCollections = (gateway: ServerProcess) =>
  Effect.promise(async () => {
    const answer = await fetch(`${gateway.url}/metrics`, { headers: { authorization: `Bearer ${operationsToken}` } })
    const counts = [
      ...(await answer.text()).matchAll(
        /^gateway_nodejs_gc_duration_seconds_count\{kind="(?:major|incremental)"\} (\d+)/gm
      )
    ]
    return counts.reduce((sum, [, count]) => sum + Number(count), 0)
  })

const isVacuuming = (client: pg.Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query("select from pg_stat_activity where backend_type = 'autovacuum worker'")
    return rows.length > 0
  })

/** Waits until the work after filling and starting is done. Returns how long that took. */
const settled = (client: pg.Client, gateway: ServerProcess) =>
  Effect.gen(function* () {
    const step = 10
    let [quiet, collections] = [0, yield* majorCollections(gateway)]
    for (let waited = 0; waited < longestSettling; waited += step) {
      if (quiet >= quietSeconds && !(yield* isVacuuming(client))) return waited
      yield* Effect.sleep(`${step} seconds`)
      const now = yield* majorCollections(gateway)
      quiet = now === collections ? quiet + step : 0
      collections = now
    }
    return longestSettling
  })

const benchmark = Effect.gen(function* () {
  const server = yield* startServerWith({ shared_preload_libraries: "pg_stat_statements" })
  const database = yield* makeDatabase(server, "idle")
  const { client } = database
  yield* fill(client)
  yield* Effect.promise(() => client.query("create extension pg_stat_statements"))
  // The first start compiles the gateway, and the compiler's memory is never returned.
  yield* Effect.scoped(startGateway(database))
  const gateway = yield* startGateway(database, { OPERATIONS_TOKEN: operationsToken })
  const waited = yield* settled(client, gateway)
  // Waits for the effects of the previous measurement.
  yield* Effect.sleep("5 seconds")
  const look = Effect.gen(function* () {
    return { gateway: yield* used([gateway.pid]), server: yield* used(yield* serverPids(client)) }
  })
  yield* Effect.promise(() => client.query("select pg_stat_statements_reset()"))
  const before = yield* look
  yield* Effect.sleep(`${seconds} seconds`)
  const after = yield* look
  const statements = yield* statementsOf(client)
  const [process_, database_] = [between(before.gateway, after.gateway), between(before.server, after.server)]
  const perMinute = (calls: number) => ((calls * 60) / seconds).toFixed(1)
  yield* Console.log(
    [
      `${accounts} accounts, ${accounts * campaignsEach} campaigns, nothing due, ${seconds} s, ${waited} s after the start`,
      `gateway ${share(process_)}, database ${share(database_)}, together ${share(process_ + database_)}`,
      `${perMinute(statements.reduce((sum, { calls }) => sum + calls, 0))} statements a minute:`,
      ...statements.slice(0, 25).map(({ calls, query }) => `${perMinute(calls).padStart(6)}  ${query.slice(0, 110)}`)
    ].join("\n")
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(
  benchmark.pipe(Effect.provide(Layer.merge(NodeContext.layer, Logger.minimumLogLevel(LogLevel.Warning))))
)
