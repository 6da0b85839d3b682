import { createHash, randomBytes } from "node:crypto"
import { Effect } from "effect"
import type pg from "pg"
import { distribute } from "../../src/Layers/Platform/Postgres/cluster/Distribution.ts"
import { makeToken } from "../../src/Services/Accounts/Tokens/AccessTokenFormat.ts"
import { type BenchDatabase, openDatabase, serverAt } from "../support/BenchDatabase.ts"
import type { PostgresServer } from "../support/PostgresServer.ts"
import { filled, type SampleAccount } from "../support/SampleLeads.ts"
import { atMost, exactly, type Finding, ofFour } from "./Finding.ts"

/** The allowed deviation of a node from the mean of the nodes with accounts. */
const tolerance = 0.2

/**
 * Accounts whose sizes follow Zipf's law: the k-th has a k-th of the largest one's leads, and at least one. The
 * `withToken` accounts after the largest can be called.
 */
export const seedZipf = async (
  client: pg.Client,
  { accounts, leads, withToken }: { readonly accounts: number; readonly leads: number; readonly withToken: number }
): Promise<ReadonlyArray<SampleAccount>> => {
  await client.query(
    `insert into account (name, email, phone, handle, plan, is_prospecting_active)
     select 'Zipf ' || k, 'zipf' || k || '@zipf.example', '+5511999990000', 'zipf' || k, 'paid', false
     from generate_series(1, $1::int) k`,
    [accounts]
  )
  await client.query(
    "insert into prospecting_config (account_id) select account_id from account where handle ~ '^zipf'"
  )
  let harmonic = 0
  for (let k = 1; k <= accounts; k++) harmonic += 1 / k
  await filled(client, ["lead"], async () => {
    await client.query(
      `insert into lead (account_id, name, email, company, status, pipeline_state, created_at)
       select a.account_id, 'Lead ' || n, 'lead' || n || '@' || a.handle || '.example', 'Company ' || n % 1000, 'Cold',
         'user_controlled', timestamptz '2025-01-01' + make_interval(secs => n)
       from (select account_id, handle, substr(handle, 5)::int as k from account where handle ~ '^zipf') a
       cross join generate_series(1, greatest(1, round($1::float8 / (a.k * $2::float8))::int)) n
       order by a.k, n`,
      [leads, harmonic]
    )
  })
  await client.query("vacuum analyze lead")
  const { rows } = await client.query<{ account_id: number; first: number; leads: number }>(
    `select a.account_id::int, min(l.lead_id)::int as first, count(*)::int as leads
     from account a join lead l using (account_id)
     where a.handle ~ '^zipf' and substr(a.handle, 5)::int between 10 and 9 + $1::int group by 1 order by 1`,
    [withToken]
  )
  const samples: Array<SampleAccount> = []
  for (const { account_id: accountId, first: firstLeadId, leads } of rows) {
    const token = makeToken(randomBytes)
    await client.query("insert into access_token (account_id, label, token_hash) values ($1, 'bench', $2)", [
      accountId,
      createHash("sha256").update(token).digest()
    ])
    await client.query("select recount_leads($1)", [accountId])
    samples.push({ accountId, token, firstLeadId, leads })
  }
  return samples
}

const rowsOf = async (client: pg.Client): Promise<ReadonlyMap<string, number>> => {
  const { rows: tables } = await client.query<{ readonly name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1"
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ readonly found: number }>(`select count(*)::int as found from "${name}"`)
    counts.set(name, rows[0]?.found ?? 0)
  }
  return counts
}

/** Checks the locks every 200 ms: the highest number at once, and the strongest lock on the table of leads. */
const watchLocks = async (client: pg.Client, work: Promise<unknown>) => {
  let most = 0
  const modes = new Set<string>()
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  while (!isOver) {
    const { rows } = await client.query<{ readonly locks: number; readonly modes: ReadonlyArray<string> | null }>(
      `select count(*)::int as locks, array_agg(distinct mode) filter (where relation = 'lead'::regclass) as modes
       from pg_locks where pid <> pg_backend_pid()`
    )
    most = Math.max(most, rows[0]?.locks ?? 0)
    for (const mode of rows[0]?.modes ?? []) modes.add(mode)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await work
  return { most, modes: [...modes].sort() }
}

/** Moves a filled database to the cluster. Measures the time and checks that everything arrives. */
export const moveFilled = (database: BenchDatabase, coordinator: Pick<PostgresServer, "host" | "port">, name: string) =>
  Effect.gen(function* () {
    const before = yield* Effect.promise(() => rowsOf(database.client))
    const watcher = yield* openDatabase(serverAt(coordinator), name)
    const began = performance.now()
    const moving = Effect.runPromise(distribute.pipe(Effect.provide(database.layer)))
    const locks = yield* Effect.promise(() => watchLocks(watcher.client, moving))
    const seconds = (performance.now() - began) / 1000
    const after = yield* Effect.promise(() => rowsOf(database.client))
    const different = [...before].filter(([table, rows]) => after.get(table) !== rows)
    yield* Effect.logInfo(`distribute locked the table of leads by ${locks.modes.join(", ")}`)
    return [
      ofFour(`distribute ${before.get("lead") ?? 0} leads, s`, seconds),
      ofFour("most locks on the coordinator meanwhile", locks.most),
      ofFour("tables with another number of rows afterwards", different.length, exactly(0))
    ] satisfies ReadonlyArray<Finding>
  }).pipe(Effect.scoped)

interface NodeSize {
  readonly port: number
  readonly bytes: number
  readonly leads: number
}

/** Each worker's size without the account `apart`, which has a separate shard. */
const sizesWithout = async (client: pg.Client, apart: number): Promise<ReadonlyArray<NodeSize>> => {
  const { rows } = await client.query<NodeSize>(
    `with group_of as (
       select s.shardid, s.logicalrelid from pg_dist_shard s
       join pg_dist_partition p on p.logicalrelid = s.logicalrelid and p.colocationid = (
         select colocationid from pg_dist_partition where logicalrelid = 'lead'::regclass)
       where s.shardminvalue <> (select shardminvalue from pg_dist_shard
         where shardid = get_shard_id_for_distribution_column('lead', $1::bigint))
     ), counted as (select shardid, result::int as leads from run_command_on_shards('lead', 'select count(*) from %s'))
     select n.nodeport as port, sum(c.shard_size)::float8 as bytes, coalesce(sum(l.leads), 0)::int as leads
     from citus_shards c join group_of g on g.shardid = c.shardid
     join pg_dist_node n on n.nodename = c.nodename and n.nodeport = c.nodeport
     left join counted l on l.shardid = c.shardid
     group by 1 order by 1`,
    [apart]
  )
  return rows
}

/** The node of an account, by its port. */
export const workerOf = async (client: pg.Client, accountId: number): Promise<number> => {
  const { rows } = await client.query<{ readonly port: number }>(
    `select n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
     where p.shardid = get_shard_id_for_distribution_column('lead', $1::bigint)`,
    [accountId]
  )
  return rows[0]?.port ?? 0
}

/** The largest deviation of a node from the mean, without `apart`, whose account fills a whole node. */
const unevenness = (sizes: ReadonlyArray<NodeSize>, apart: number): number => {
  const shared = sizes.filter(({ port }) => port !== apart).map(({ bytes }) => bytes)
  const mean = shared.reduce((sum, bytes) => sum + bytes, 0) / shared.length
  return Math.max(...shared.map((bytes) => Math.abs(bytes / mean - 1)))
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** Gives the account `large` a separate shard and rebalances the shards by size. */
export const evenOut = async (client: pg.Client, large: number): Promise<ReadonlyArray<Finding>> => {
  const isolation = await timed(() =>
    client.query(
      "select isolate_tenant_to_new_shard('lead', $1::bigint, 'CASCADE', shard_transfer_mode => 'block_writes')",
      [large]
    )
  )
  const before = unevenness(await sizesWithout(client, large), await workerOf(client, large))
  // The default cost of 100 MB per shard is meant for larger shards than these.
  await client.query("set citus.rebalancer_by_disk_size_base_cost = '1MB'")
  const rebalancing = await timed(() =>
    client.query(
      "select rebalance_table_shards('lead', rebalance_strategy => 'by_disk_size', shard_transfer_mode => 'block_writes')"
    )
  )
  const sizes = await sizesWithout(client, large)
  const apart = await workerOf(client, large)
  return [
    ofFour("the large account isolated, s", isolation),
    ofFour("furthest from the mean before, %", 100 * before),
    ofFour("rebalanced by size, s", rebalancing),
    ofFour("furthest from the mean afterwards, %", 100 * unevenness(sizes, apart), atMost(100 * tolerance)),
    ...sizes.map(({ bytes, leads, port }) =>
      ofFour(
        `worker ${port}: MB of ${leads} leads${port === apart ? " beside the large account" : ""}`,
        bytes / 2 ** 20
      )
    )
  ]
}
