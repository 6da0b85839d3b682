import * as fs from "node:fs/promises"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Logger, LogLevel } from "effect"
import type pg from "pg"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { startGateway } from "./support/Gateway.ts"
import { processorMicros } from "./support/ServerProcess.ts"

/**
 * What a gateway costs that has nothing to do: processor time of the process and of its database over a minute, with many
 * accounts that prospect and have nobody due; see README.md.
 */

const accounts = 20_000
const campaignsEach = 5
const seconds = Number(process.env.IDLE_SECONDS ?? 60)
const settling = Number(process.env.IDLE_SETTLING_SECONDS ?? 20)

export const fill = (client: pg.Client) =>
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

/** The server's processes: what the client's backend has the parent of in common. */
export const serverPids = (client: pg.Client) =>
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

/** Microseconds that were used between two looks; what ended meanwhile is not counted, what began is. */
const between = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number =>
  [...after].reduce((sum, [pid, micros]) => sum + Math.max(0, micros - (before.get(pid) ?? 0)), 0)

const share = (micros: number): string => `${((micros / (seconds * 1_000_000)) * 100).toFixed(2)} % of a core`

const statementsOf = (client: pg.Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query<{ commits: number }>(
      "select xact_commit + xact_rollback as commits from pg_stat_database where datname = current_database()"
    )
    return Number(rows[0]?.commits)
  })

const benchmark = Effect.gen(function* () {
  const server = yield* startServer
  const database = yield* makeDatabase(server, "idle")
  yield* fill(database.client)
  const gateway = yield* startGateway(database)
  yield* Effect.sleep(`${settling} seconds`)
  const look = Effect.gen(function* () {
    return {
      gateway: yield* used([gateway.pid]),
      server: yield* used(yield* serverPids(database.client)),
      transactions: yield* statementsOf(database.client)
    }
  })
  const before = yield* look
  yield* Effect.sleep(`${seconds} seconds`)
  const after = yield* look
  const [process_, database_] = [between(before.gateway, after.gateway), between(before.server, after.server)]
  yield* Console.log(
    [
      `${accounts} accounts, ${accounts * campaignsEach} campaigns, nothing due, ${seconds} s`,
      `gateway ${share(process_)}, database ${share(database_)}, together ${share(process_ + database_)}`,
      `${((after.transactions - before.transactions) / seconds).toFixed(1)} transactions a second`
    ].join("\n")
  )
}).pipe(Effect.scoped)

if (process.argv[1]?.endsWith("Idle.ts"))
  NodeRuntime.runMain(
    benchmark.pipe(Effect.provide(Layer.merge(NodeContext.layer, Logger.minimumLogLevel(LogLevel.Warning))))
  )
