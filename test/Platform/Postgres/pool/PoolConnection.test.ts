import { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Schedule, Stream, Tracer } from "effect"
import { fromSql } from "../../../../src/Layers/Platform/Postgres/Sql.ts"
import { UnitOfWork } from "../../../../src/Services/Core/Calls/UnitOfWork.ts"
import { TestDatabase } from "../../../support/TestDatabase.ts"

const untraced = Effect.withTracerEnabled(false)

/** How many statements with the mark run on the server. */
const running = (mark: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly running: number }>`
      select count(*) as running from pg_stat_activity
      where state = 'active' and pid <> pg_backend_pid() and query like ${`%${mark}%`}`
    return rows[0]?.running ?? 0
  })

const waitUntil = (mark: string, count: number) =>
  Effect.repeat(running(mark), { until: (now) => now === count, schedule: Schedule.spaced("10 millis") })

layer(TestDatabase, { excludeTestServices: true })("statements without a trace", (it) => {
  for (const access of ["read", "write"] as const) {
    it.effect(`(${access}) end on the server when they are interrupted, and the session serves on`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const unit = yield* UnitOfWork
        const run = access === "read" ? unit.read : <A, E, R>(effect: Effect.Effect<A, E, R>) => effect
        const mark = `interrupted_${access}`
        const fibers = yield* Effect.forEach([1, 2, 3], (n) =>
          Effect.fork(run(sql.unsafe(`select pg_sleep(600) as ${mark}, $1::int`, [n])))
        )
        yield* waitUntil(mark, 3)
        yield* Fiber.interruptAll(fibers)
        yield* waitUntil(mark, 0)
        const answers = yield* Effect.forEach(
          Array.from({ length: 30 }, (_, n) => n),
          (n) => run(sql<{ readonly n: number }>`select ${n}::int as n`),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          answers.map(([row]) => row?.n),
          Array.from({ length: 30 }, (_, n) => n)
        )
      }).pipe(untraced)
    )
  }

  it.effect("that wait for a session when they are interrupted take none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const sessions = yield* Effect.forEach([1, 2, 3, 4, 5], (n) =>
        Effect.fork(sql.unsafe("select pg_sleep(600) as holding, $1::int", [n]))
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const waiting = yield* Effect.fork(sql`create table never_made ()`)
          yield* Effect.yieldNow()
          yield* Fiber.interruptFork(waiting)
        })
      )
      yield* Effect.forEach(sessions, Fiber.interruptFork)
      yield* waitUntil("holding", 0)
      const rows = yield* sql`select to_regclass('never_made') as made`
      assert.deepStrictEqual(rows, [{ made: null }])
    }).pipe(untraced)
  )

  it.effect("fail with what the server said", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const error = yield* Effect.flip(sql`select 1 / ${0}::int`)
      assert.instanceOf(error, SqlError)
      assert.propertyVal(error.cause, "code", "22012")
    }).pipe(untraced)
  )

  it.effect("belong to the transaction around them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      yield* sql`create table kept (n int)`
      const failed = yield* Effect.exit(
        unit.write(Effect.zipRight(sql`insert into kept values (1)`, Effect.fail("undo" as const)))
      )
      assert.isTrue(Exit.isFailure(failed))
      yield* unit.write(sql`insert into kept values (2)`)
      assert.deepStrictEqual(yield* sql`select n from kept`, [{ n: 2 }])
    }).pipe(untraced)
  )

  it.effect("cannot write where they read, also inside of another read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const write = sql`create table written ()`
      for (const tried of [unit.read(write), unit.read(unit.read(write))]) {
        const error = yield* Effect.flip(tried)
        assert.propertyVal(error.cause, "code", "25006")
      }
    }).pipe(untraced)
  )

  it.effect("may be streamed inside a transaction and outside", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const count = Stream.runCount(sql`select from generate_series(1, ${500}::int)`.stream)
      assert.strictEqual(yield* count, 500)
      assert.strictEqual(yield* sql.withTransaction(count), 500)
    }).pipe(untraced)
  )

  it.effect("have a span as soon as there is a trace", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const names: Array<string> = []
      const noting = Tracer.make({
        span: (name, parent, context, links, startTime, kind) => {
          names.push(name)
          return new NotedSpan(name, parent, context, links, startTime, kind)
        },
        context: (f) => f()
      })
      yield* Effect.withTracer(sql`select 1`, noting)
      assert.deepStrictEqual(names, ["SELECT"])
      yield* Effect.withTracer(untraced(sql`select 1`), noting)
      assert.deepStrictEqual(names, ["SELECT"])
    })
  )

  it.effect("may take half a minute, and wait ten seconds for a lock; one that takes longer can be tried again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const bounds = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`
      for (const run of [bounds, unit.read(bounds), unit.write(bounds)]) {
        assert.deepStrictEqual(yield* run, [{ statement: "30s", lock: "10s" }])
      }
      const slow = unit.write(
        Effect.zipRight(sql`set local statement_timeout = 5`, sql`select pg_sleep(20)`).pipe(fromSql())
      )
      assert.deepInclude(yield* Effect.flip(slow), { _tag: "Transient" })
    })
  )

  it.effect("keep U+0000 out of the database, alone, in lists and in a transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const ask = sql<{ readonly one: string; readonly list: ReadonlyArray<string> }>`
        select ${"a\u0000b"}::text as one, ${["\u0000", "c"]}::text[] as list`
      for (const run of [ask, unit.read(ask), unit.write(ask), unit.write(Effect.withTracerEnabled(ask, true))]) {
        assert.deepStrictEqual(yield* run, [{ one: "a\ufffdb", list: ["\ufffd", "c"] }])
      }
    })
  )
})

class NotedSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly spanId = "0000000000000001"
  readonly traceId = "00000000000000000000000000000001"
  readonly sampled = true
  readonly attributes = new Map<string, unknown>()
  status: Tracer.SpanStatus
  constructor(
    readonly name: string,
    readonly parent: Tracer.Span["parent"],
    readonly context: Tracer.Span["context"],
    readonly links: Tracer.Span["links"],
    startTime: bigint,
    readonly kind: Tracer.SpanKind
  ) {
    this.status = { _tag: "Started", startTime }
  }
  end(): void {}
  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value)
  }
  event(): void {}
  addLinks(): void {}
}
