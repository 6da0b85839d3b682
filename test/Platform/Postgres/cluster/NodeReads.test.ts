import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import pg from "pg"
import { inject } from "vitest"
import { FairSemaphore } from "../../../../src/Layers/Platform/Fairness/FairSemaphore.ts"
import { TenantUsage } from "../../../../src/Layers/Platform/Fairness/TenantUsage.ts"
import { unknownCluster } from "../../../../src/Layers/Platform/Postgres/cluster/Cluster.ts"
import { identity, isMissed, NodeReads } from "../../../../src/Layers/Platform/Postgres/cluster/NodeReads.ts"
import { DatabaseLocation, nodeReads, turnsOfSessions } from "../../../../src/Layers/Platform/Postgres/Database.ts"
import { atServer, type ConnectionOptions, makePool } from "../../../../src/Layers/Platform/Postgres/pool/Pool.ts"
import { makePoolConnection } from "../../../../src/Layers/Platform/Postgres/pool/PoolConnection.ts"
import { isCluster } from "../../../support/isCluster.ts"
import { TestDatabaseLocation } from "../../../support/TestDatabase.ts"

describe("the same database of another server", () => {
  it.each([
    [
      "postgres://ana:a%40b@10.0.0.1:5432/gateway?sslmode=require",
      "postgres://ana:a%40b@10.0.0.9:6000/gateway?sslmode=require"
    ],
    ["postgres://ana@/gateway?host=%2Frun%2Fpostgresql", "postgres://ana@10.0.0.9:6000/gateway"]
  ])("%s", (one, other) => {
    assert.strictEqual(atServer({ connectionString: one }, "10.0.0.9", 6000).connectionString, other)
  })
})

const leads =
  "select l.name from lead l join account a on a.account_id = l.account_id where l.account_id = $1 and l.name = $2"
const nodeText = (shard: number) =>
  `SELECT l.name FROM (public.lead_${shard} l JOIN public.account_102001 a ON (true)) WHERE ((l.account_id = $1) AND (l.name = $2))`

const planOf = (queries: ReadonlyArray<string>, below: object = {}) => {
  const Job = { "Task Count": queries.length, Tasks: queries.map((Query) => ({ Query })) }
  return JSON.stringify([{ Plan: { "Distributed Query": { Job, ...below } } }])
}

/**
 * A simulated cluster of two nodes, as its coordinator reports it. Accounts below 0 are on one node, the others on the
 * other.
 */
const toldBy = (plan: string, second: string) => (text: string, values: ReadonlyArray<unknown>) => {
  const row = (...cells: ReadonlyArray<string>) => cells
  const layout = [
    row("account", "n", "102001", "", "", "1", "one.example", "5432"),
    row("account", "n", "102001", "", "", "2", "two.example", "5432"),
    row("lead", "h", "102010", "-2147483648", "-1", "1", "one.example", "5432"),
    row("lead", "h", "102011", "0", "2147483647", "2", "two.example", "5432")
  ]
  if (text.includes("run_command_on_workers")) {
    return Promise.resolve([row("one.example:5432", "another server"), row("two.example:5432", second)])
  }
  if (text.startsWith("explain")) return Promise.resolve([row(plan)])
  return Promise.resolve(text.includes("worker_hash") ? [row(String(values[0]))] : layout)
}

layer(TestDatabaseLocation, { excludeTestServices: true })("reads of an account", (it) => {
  /** Both nodes are this database, which has the identity of the second one. */
  const learnt = (plan: string, account: number) =>
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      const second = yield* Effect.promise(async () => {
        const client = new pg.Client(connection)
        await client.connect()
        const { rows } = await client.query<{ readonly identity: string }>(identity)
        await client.end()
        return rows[0]?.identity ?? ""
      })
      const reads = yield* Effect.acquireRelease(
        Effect.sync(() => new NodeReads(() => makePool({ connection, size: 1, applicationName: "node" }))),
        (reads) => Effect.promise(() => reads.close())
      )
      const learn = (values: ReadonlyArray<unknown>) =>
        Effect.promise(() =>
          reads.learn({
            account,
            ask: toldBy(plan, second),
            text: leads,
            values,
            typesOf: () => Promise.resolve(["bigint", "text"])
          })
        )
      assert.isTrue(reads.isUnknown(leads, account))
      yield* learn([account, "Ana"])
      return { reads, learn }
    })

  it.scoped("are asked of its node as the coordinator asks it, of the tables of its shard", () =>
    Effect.gen(function* () {
      const { reads } = yield* learnt(planOf([nodeText(102010)]), 7)
      assert.isFalse(reads.isUnknown(leads, 7))
      yield* Effect.repeat(
        Effect.sync(() => reads.of(leads, 7)),
        { until: (nodeRead) => nodeRead !== undefined, schedule: Schedule.spaced("5 millis") }
      )
      const read = reads.of(leads, 7)
      assert.include(
        read?.text,
        "FROM (public.lead_102011 l JOIN public.account_102001 a ON (true)) WHERE ((l.account_id = $1::bigint) AND (l.name = $2::text))"
      )
      assert.include(read?.text, "shardid = 102011 and groupid = 2")
      // The node of another account must be found first.
      assert.isTrue(reads.isUnknown(leads, -7))
      assert.isUndefined(reads.of(leads, -7))
    })
  )

  it.scoped("are not asked of a node that says to be another one, or none", () =>
    Effect.gen(function* () {
      const { reads } = yield* learnt(planOf([nodeText(102010)]), -7)
      assert.isUndefined(reads.of(leads, -7))
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.isUndefined(reads.of(leads, -7))
    })
  )

  it.scoped.each([
    ["goes to several shards", planOf([nodeText(102010), nodeText(102011)])],
    ["has parts", planOf([nodeText(102010)], { Subplans: [{}] })],
    [
      "reads what a part left",
      planOf([`${nodeText(102010)} and name in (select read_intermediate_result('1', 'binary'))`])
    ],
    ["has lost a value", planOf([nodeText(102010).replace("$2", "'Ana'")])],
    ["is the coordinator's own", JSON.stringify([{ Plan: { "Node Type": "Seq Scan" } }])],
    ["reads a table that is nowhere", planOf([nodeText(102010).replace("account_102001", "stranger_102001")])]
  ])("are the coordinator's where the statement %s", ([, plan]) =>
    Effect.gen(function* () {
      const { reads } = yield* learnt(plan ?? "", 7)
      assert.isFalse(reads.isUnknown(leads, 7))
      assert.isUndefined(reads.of(leads, 7))
    })
  )

  it("are asked anew of the coordinator where rows or tables are gone, or the node is", () => {
    const failed = (code: string) => isMissed(Object.assign(new Error("no"), { code }))
    assert.deepStrictEqual(["22012", "42P01", "ECONNREFUSED", "57P01"].map(failed), [true, true, true, true])
    assert.deepStrictEqual(["57014", "22P02", "40001"].map(failed), [false, false, false])
  })
})

layer(TestDatabaseLocation, { excludeTestServices: true })("on a cluster, reads", (it) => {
  const sessions = (open?: (connection: ConnectionOptions) => NodeReads) =>
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      return yield* Effect.acquireRelease(
        Effect.sync(() => {
          const reads = (open ?? ((at) => nodeReads(at, 2)))(connection)
          const options = { connection, size: 2, applicationName: "reads", spread: unknownCluster() }
          return { reads, read: makePool({ ...options, readOnly: true, reads }), write: makePool(options) }
        }),
        ({ read, reads, write }) => Effect.promise(() => Promise.all([read.end(), write.end(), reads.close()]))
      )
    })
  const names = "select c.name from campaign c where c.account_id = $1 order by c.name"
  const readNames = (pool: pg.Pool, account: number) =>
    Effect.promise(async () =>
      (await pool.query<{ readonly name: string }>(names, [account])).rows.map(({ name }) => name)
    )
  const insert = (pool: pg.Pool, account: number, name: string) =>
    Effect.promise(() => pool.query("insert into campaign (account_id, name) values ($1, $2)", [account, name]))
  const makeAccount = (pool: pg.Pool) =>
    Effect.promise(async () => {
      const { rows } = await pool.query<{ readonly id: number }>(
        "insert into account (name, email, handle, plan) values ('A', 'a@a.example', 'a' || nextval('account_account_id_seq'), 'paid') returning account_id as id"
      )
      return rows[0]?.id ?? 0
    })
  const untilOfNode = (reads: NodeReads, text: string, account: number, read: Effect.Effect<unknown>) =>
    Effect.repeat(
      Effect.zipRight(
        read,
        Effect.sync(() => reads.of(text, account))
      ),
      {
        until: (nodeRead) => nodeRead !== undefined,
        schedule: Schedule.spaced("5 millis")
      }
    )

  it.scoped.skipIf(!isCluster)("are the node's, follow a shard that moves, and see what is written meanwhile", () =>
    Effect.gen(function* () {
      const { read, reads, write } = yield* sessions()
      const account = yield* makeAccount(write)
      yield* untilOfNode(reads, names, account, readNames(read, account))
      assert.deepStrictEqual(yield* readNames(read, account), [])
      yield* insert(write, account, "one")
      assert.deepStrictEqual(yield* readNames(read, account), ["one"])
      const before = reads.of(names, account)?.pool
      yield* Effect.promise(() =>
        write.query(
          `select citus_move_shard_placement(s.shardid, f.nodename, f.nodeport, t.nodename, t.nodeport, 'block_writes')
           from (select get_shard_id_for_distribution_column('campaign', $1::bigint) as shardid) s
           join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node f on f.groupid = p.groupid
           join pg_dist_node t on t.groupid not in (0, f.groupid)`,
          [account]
        )
      )
      yield* insert(write, account, "two")
      assert.deepStrictEqual(yield* readNames(read, account), ["one", "two"])
      yield* untilOfNode(reads, names, account, readNames(read, account))
      assert.notStrictEqual(reads.of(names, account)?.pool, before)
      yield* insert(write, account, "three")
      assert.deepStrictEqual(yield* readNames(read, account), ["one", "three", "two"])
    })
  )

  it.scoped.skipIf(!isCluster)("of a transaction, and of nodes that are out of reach, are the coordinator's", () =>
    Effect.gen(function* () {
      const { read, reads, write } = yield* sessions(
        (at) =>
          new NodeReads(() => makePool({ connection: atServer(at, "127.0.0.1", 1), size: 1, applicationName: "node" }))
      )
      const account = yield* makeAccount(write)
      yield* insert(write, account, "one")
      for (let n = 0; n < 5; n++) assert.deepStrictEqual(yield* readNames(read, account), ["one"])
      assert.isUndefined(reads.of(names, account))
    })
  )

  it.scoped.skipIf(!isCluster)("that nobody waits for any more are ended on the node", () =>
    Effect.gen(function* () {
      const { read, reads, write } = yield* sessions()
      const { connection } = yield* DatabaseLocation
      const account = yield* makeAccount(write)
      yield* insert(write, account, "one")
      const sleep = "select pg_sleep($2::int) from campaign c where c.account_id = $1"
      const slowRead = (seconds: number) => Effect.promise(() => read.query(sleep, [account, seconds]))
      yield* untilOfNode(reads, sleep, account, slowRead(0))
      const use = new TenantUsage(() => 0)
      const shared = makePoolConnection({
        pool: read,
        turns: new FairSemaphore({ ...turnsOfSessions(2), use }),
        quick: write
      })
      const sleeping = yield* Effect.fork(shared.execute(sleep, [account, 3600], undefined))
      const isAsleep = Effect.promise(async () => {
        const answers = await Promise.all(
          inject("postgres").workerPorts.map(async (port) => {
            const client = new pg.Client({ ...connection, port })
            await client.connect()
            const { rows } = await client.query<object>(
              `select from pg_stat_activity where datname = current_database() and state = 'active' and wait_event = 'PgSleep'`
            )
            await client.end()
            return rows.length
          })
        )
        return answers.some((number) => number > 0)
      })
      yield* Effect.repeat(isAsleep, { until: (is) => is })
      yield* Fiber.interrupt(sleeping)
      yield* Effect.repeat(isAsleep, { until: (is) => !is })
      assert.deepStrictEqual(yield* readNames(read, account), ["one"])
    })
  )
})
