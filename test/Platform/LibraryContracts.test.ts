import { EventEmitter } from "node:events"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { SqlClient, TransactionConnection } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { Logger, run, runMigrations, type WorkerEvents } from "graphile-worker"
import pg from "pg"
import packageJson from "../../package.json" with { type: "json" }
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { AcrossAccounts, directStatements } from "../../src/Layers/Platform/Postgres/statements/DirectStatements.ts"
import { NamedStatementClient, noPreparedPlan } from "../../src/Layers/Platform/Postgres/statements/NamedStatements.ts"
import { TestDatabase, TestDatabaseLocation } from "../support/TestDatabase.ts"

// Parts of libraries that the sources replace or use without documentation. If an upgrade breaks one of them, a test
// here fails by name, instead of wrong plans, lost tasks or slow statements later.

describe("libraries that we patch or read privately", () => {
  for (const name of ["@effect/sql", "@effect/sql-pg", "graphile-worker", "pg"] as const) {
    it(`${name} is pinned to one version`, () => {
      assert.match(packageJson.dependencies[name], /^\d+\.\d+\.\d+$/)
    })
  }
})

/** Answers each statement with its own text. */
const echo = (log: Array<string>): Connection => {
  const execute: Connection["execute"] = (text, values) =>
    Effect.sync(() => {
      log.push(`${text} [${values.join(", ")}]`)
      return [{ text }]
    })
  return {
    execute,
    executeRaw: (text, values) => execute(text, values, undefined),
    executeUnprepared: execute,
    executeValues: () => Effect.succeed([]),
    executeStream: () => Stream.empty
  }
}

layer(TestDatabase)("@effect/sql", (it) => {
  const withDirectClient = <A, E>(use: (sql: SqlClient, log: Array<string>) => Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const { connection } = yield* DatabaseLocation
      const acquire = Effect.acquireRelease(
        Effect.sync(() => new pg.Pool({ ...connection, max: 1 })),
        (pool) => Effect.promise(() => pool.end())
      )
      const context = yield* Layer.build(PgClient.layerFromPool({ acquire }))
      return yield* use(directStatements(Context.get(context, PgClient.PgClient), echo(log)), log)
    }).pipe(Effect.scoped)

  it.effect("runs a statement by its method `commit`, of a template and of `unsafe` alike", () =>
    withDirectClient((sql, log) =>
      Effect.gen(function* () {
        yield* sql`select ${1}::int`
        yield* sql.unsafe("select $1::int", [2])
        yield* sql`select ${sql.literal("3")} ${sql`where ${4} = 4`}`
        assert.deepStrictEqual(log, ["select $1::int [1]", "select $1::int [2]", "select 3 where $1 = 4 [4]"])
      })
    )
  )

  it.effect("puts the connection of a transaction into the context, before its depth", () =>
    withDirectClient((sql, log) =>
      Effect.gen(function* () {
        const inTransaction: Array<string> = []
        yield* sql`select 1`.pipe(Effect.provideService(TransactionConnection, [echo(inTransaction), 0]))
        assert.deepStrictEqual(inTransaction, ["select 1 []"])
        assert.deepStrictEqual(log, [])
        const [row] = yield* sql.withTransaction(sql<{ readonly id: string }>`select pg_current_xact_id()::text as id`)
        assert.match(row?.id ?? "", /^\d+$/)
        assert.deepStrictEqual(log, [])
      })
    )
  )

  it.effect("hands on the context of the fiber, by which a statement over all accounts is marked", () =>
    withDirectClient((sql, log) =>
      Effect.gen(function* () {
        yield* Effect.provideService(sql`select 1`, AcrossAccounts, true)
        yield* sql`select 2`
        assert.deepStrictEqual(log, ["/* reachable nodes only */ select 1 []", "select 2 []"])
      })
    )
  )

  it.effect("lets a query be reserved a session, whose values come as arrays", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const session = yield* sql.reserve
        assert.deepStrictEqual(yield* session.executeValues("select $1::int, 'a'", [1]), [[1, "a"]])
      })
    )
  )
})

layer(TestDatabaseLocation)("pg", (it) => {
  const withPool = <A>(use: (pool: pg.Pool) => Promise<A>) =>
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      return yield* Effect.acquireUseRelease(
        Effect.sync(() => new pg.Pool({ ...connection, max: 1, Client: NamedStatementClient })),
        (pool) => Effect.promise(() => use(pool)),
        (pool) => Effect.promise(() => pool.end())
      )
    })
  const prepared = "select statement from pg_prepared_statements where statement like 'select __::int as number%'"

  it.effect("makes sessions by the class of the pool, whose `query` we replace", () =>
    withPool(async (pool) => {
      const session: pg.PoolClient & { readonly processID?: number | null } = await pool.connect()
      assert.strictEqual(session.constructor, NamedStatementClient)
      const { rows } = await session.query<{ readonly id: number }>("select pg_backend_pid() as id")
      assert.strictEqual(session.processID, rows[0]?.id)
      session.release()
    })
  )

  it.effect("keeps the plan of a named statement in the session, with a promise and with a callback", () =>
    withPool(async (pool) => {
      await pool.query("select $1::int as number", [1])
      await new Promise<void>((resolve, reject) => {
        pool.query("select $1::int as number -- again", [1], (failure) =>
          failure === undefined || failure === null ? resolve() : reject(failure)
        )
      })
      await pool.query(`${noPreparedPlan}select $1::int as number`, [1])
      const { rows } = await pool.query<{ readonly statement: string }>(prepared)
      assert.deepStrictEqual(rows.map(({ statement }) => statement).toSorted(), [
        "select $1::int as number",
        "select $1::int as number -- again"
      ])
    })
  )

  it.effect("takes U+0000 in no text", () =>
    withPool(async (pool) => {
      const { rows } = await pool.query<{ readonly value: string }>("select $1::text as value", ["a\u0000b"])
      assert.strictEqual(rows[0]?.value, "a\ufffdb")
    })
  )

  it.effect("asks `verify` before a new session is used", () =>
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      const verified: Array<string> = []
      yield* Effect.promise(async () => {
        const pool = new pg.Pool({
          ...connection,
          max: 1,
          verify: (session, then) => {
            session.query("select 1", (failure: Error | null) => {
              verified.push("verified")
              then(failure ?? undefined)
            })
          }
        })
        await pool.query("select 2")
        await pool.query("select 3")
        await pool.end()
      })
      assert.deepStrictEqual(verified, ["verified"])
    })
  )
})

const schema = "contract_worker"

/** The columns that our statements name. `EngineTables.ts` and `DueTasks.ts` read and write them. */
const privateTables = {
  _private_jobs: [
    "id bigint",
    "job_queue_id integer",
    "task_id integer",
    "priority smallint",
    "run_at timestamp with time zone",
    "attempts smallint",
    "max_attempts smallint",
    "last_error text",
    "created_at timestamp with time zone",
    "updated_at timestamp with time zone",
    "locked_at timestamp with time zone",
    "locked_by text",
    "is_available boolean"
  ],
  _private_job_queues: ["id integer", "locked_at timestamp with time zone", "locked_by text", "is_available boolean"],
  _private_tasks: ["id integer", "identifier text"]
}

const require = createRequire(import.meta.url)
const librarySource = (file: string): string =>
  readFileSync(path.join(path.dirname(require.resolve("graphile-worker")), file), "utf8")

layer(TestDatabaseLocation)("graphile-worker", (it) => {
  const withPool = <A>(use: (pool: pg.Pool) => Promise<A>) =>
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      return yield* Effect.acquireUseRelease(
        Effect.sync(() => {
          const pool = new pg.Pool({ ...connection, max: 6 })
          pool.on("error", () => {})
          pool.on("connect", (client) => client.on("error", () => {}))
          return pool
        }),
        (pool) =>
          Effect.promise(async () => {
            await runMigrations({ pgPool: pool, schema })
            return use(pool)
          }),
        (pool) => Effect.promise(() => pool.end())
      )
    })

  it.effect("has the private tables and columns that our statements name", () =>
    withPool(async (pool) => {
      for (const [table, columns] of Object.entries(privateTables)) {
        const { rows } = await pool.query<{ readonly column: string }>(
          `select attname || ' ' || format_type(atttypid, null) as "column" from pg_attribute
            where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
          [`${schema}.${table}`]
        )
        const existing = rows.map(({ column }) => column)
        assert.includeMembers(existing, columns, table)
      }
    })
  )

  it.effect("takes a task out of reach by `is_available`, which follows its lock and its attempts", () =>
    withPool(async (pool) => {
      await pool.query(`select ${schema}.add_job('contract')`)
      const isAvailable = async (change: string) => {
        const { rows } = await pool.query<{ readonly is_available: boolean }>(
          `update ${schema}._private_jobs set ${change} returning is_available`
        )
        return rows[0]?.is_available
      }
      assert.isTrue(await isAvailable("attempts = 0"))
      assert.isFalse(await isAvailable("locked_at = now(), locked_by = 'somebody'"))
      assert.isTrue(await isAvailable("locked_at = null, locked_by = null"))
      assert.isFalse(await isAvailable("attempts = max_attempts"))
      await pool.query(`delete from ${schema}._private_jobs`)
    })
  )

  it.effect("announces new tasks on the channel that our statements notify", () =>
    withPool(async (pool) => {
      const session = await pool.connect()
      const announced = new Promise<string>((resolve) => {
        session.on("notification", ({ channel, payload = "" }) => resolve(`${channel} ${payload}`))
      })
      await session.query('listen "jobs:insert"')
      await pool.query(`select ${schema}.add_job('contract')`)
      assert.match(await announced, /^jobs:insert \{.*"count":\s*1\b/)
      session.release()
      await pool.query(`delete from ${schema}._private_jobs`)
    })
  )

  it.effect("tells by its events what we wait for, with the worker's name, its hands and its queue", () =>
    withPool(async (pool) => {
      const events: WorkerEvents = new EventEmitter()
      const seenEvents = new Set<string>()
      const names = [
        "pool:listen:success",
        "pool:listen:notification",
        "localQueue:getJobs:complete",
        "job:start",
        "job:complete",
        "job:error",
        "pool:gracefulShutdown"
      ] as const
      for (const name of names) events.on(name, () => seenEvents.add(name))
      const created = new Promise<string>((resolve) => {
        // While the pool is created, it has no workers to nudge.
        events.once("pool:create", ({ workerPool }) => {
          assert.property(workerPool, "nudge")
          resolve(workerPool.id)
        })
      })
      const queue = new Promise<unknown>((resolve) => {
        events.once("localQueue:init", ({ localQueue }) => resolve(localQueue.jobQueue))
      })
      let lockedBy = ""
      const contract = async () => {
        const { rows } = await pool.query<{ readonly locked_by: string }>(
          `select locked_by from ${schema}._private_jobs`
        )
        lockedBy = rows[0]?.locked_by ?? ""
      }
      // A failed task is first reported as an error, and as complete once that is recorded.
      const ended = new Promise<void>((resolve) => {
        let left = 2
        events.on("job:complete", () => {
          if (--left === 0) resolve()
        })
      })
      const runner = await run({
        pgPool: pool,
        schema,
        events,
        logger: new Logger(() => () => {}),
        noHandleSignals: true,
        concurrency: 1,
        pollInterval: 100,
        taskList: { contract, broken: () => Promise.reject(new Error("It fails.")) },
        preset: { worker: { localQueue: { size: 2, ttl: 3_000 }, completeJobBatchDelay: 5, failJobBatchDelay: 5 } }
      })
      await pool.query(`select ${schema}.add_job('contract'), ${schema}.add_job('broken')`)
      assert.isArray(await queue)
      await ended
      await runner.stop()
      assert.deepStrictEqual([...seenEvents].toSorted(), [...names].toSorted())
      // Our statements return a worker's tasks by this name.
      assert.strictEqual(lockedBy, await created)
      await pool.query(`delete from ${schema}._private_jobs`)
    })
  )

  it.effect("tells of hands that find nothing, where it has no queue of its own", () =>
    withPool(async (pool) => {
      const events: WorkerEvents = new EventEmitter()
      const isEmpty = new Promise<void>((resolve) => {
        events.once("worker:getJob:empty", () => resolve())
      })
      const runner = await run({
        pgPool: pool,
        schema,
        events,
        logger: new Logger(() => () => {}),
        noHandleSignals: true,
        concurrency: 1,
        taskList: { contract: () => {} }
      })
      await isEmpty
      await runner.stop()
    })
  )

  // This happens while the database is unavailable. The library only reports it in its log.
  it("logs in these words what could not be fetched, and what could not be recorded", () => {
    assert.include(librarySource("localQueue.js") + librarySource("worker.js"), "Error occurred fetching jobs")
    assert.match(librarySource("main.js"), /fatalError[\s\S]{0,200}jobs/)
    assert.include(librarySource("worker.js"), "worker:getJob:error")
  })
})
