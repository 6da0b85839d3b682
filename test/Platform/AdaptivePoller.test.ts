import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Schedule, TestClock } from "effect"
import { makeAdaptivePoller, type PollResult } from "../../src/Layers/Platform/AdaptivePoller.ts"
import { DatabaseOnPools, DatabasePools, poolsLayer } from "../../src/Layers/Platform/Postgres/Database.ts"
import { CommitSignal } from "../../src/Layers/Platform/Postgres/pool/CommitSignal.ts"
import { ActivityExchange } from "../../src/Layers/Platform/Postgres/pool/CommitSignalExchange.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { isCluster } from "../support/isCluster.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** Polls that find what `next` returns. Returns the number of polls. */
const watched = (
  activity: CommitSignal,
  next: () => PollResult = () => ({ found: false }),
  longest: Duration.Duration = Duration.seconds(15)
) =>
  Effect.gen(function* () {
    const timing = { shortest: Duration.millis(200), longest }
    const lookout = yield* makeAdaptivePoller(activity, timing)
    const seen = { looks: 0 }
    const look = Effect.sync(() => {
      seen.looks += 1
      return next()
    })
    yield* Effect.forkScoped(lookout.poll(look))
    yield* Effect.yieldNow()
    return { seen, wake: lookout.wake }
  })

describe("who looks for work", () => {
  it.scoped("rests longer and longer while nobody writes, and never longer than was said", () =>
    Effect.gen(function* () {
      const { seen } = yield* watched(new CommitSignal())
      yield* TestClock.adjust("2 minutes")
      const atFirst = seen.looks
      yield* TestClock.adjust("60 seconds")
      assert.isBelow(atFirst, 20)
      assert.strictEqual(seen.looks - atFirst, 4)
    })
  )

  it.scoped(
    "looks at once when somebody writes after a silence, and no more often than was said while they go on",
    () =>
      Effect.gen(function* () {
        const activity = new CommitSignal()
        const { seen } = yield* watched(activity)
        yield* TestClock.adjust("2 minutes")
        const before = seen.looks
        activity.wrote()
        yield* TestClock.adjust("10 millis")
        assert.strictEqual(seen.looks, before + 1)
        for (let write = 0; write < 200; write++) {
          activity.wrote()
          yield* TestClock.adjust("10 millis")
        }
        assert.isAtMost(seen.looks - before, 11)
        assert.isAtLeast(seen.looks - before, 9)
      })
  )

  it.scoped("looks again at once when told to, and when what is known comes due", () =>
    Effect.gen(function* () {
      let dueIn: number | undefined
      const { wake, seen } = yield* watched(new CommitSignal(), () => ({ found: false, dueIn }))
      yield* TestClock.adjust("2 minutes")
      const before = seen.looks
      dueIn = 123
      wake()
      yield* TestClock.adjust("10 millis")
      assert.strictEqual(seen.looks, before + 1)
      dueIn = undefined
      yield* TestClock.adjust("122 millis")
      assert.strictEqual(seen.looks, before + 1)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(seen.looks, before + 2)
    })
  )

  it.scoped("rests longer where it hears of others, and looks at once when it hears of them no more", () =>
    Effect.gen(function* () {
      const activity = new CommitSignal()
      activity.hearing(true)
      const { seen } = yield* watched(activity, () => ({ found: false }), Duration.seconds(60))
      yield* TestClock.adjust("5 minutes")
      const before = seen.looks
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(seen.looks - before, 10)
      activity.hearing(false)
      yield* TestClock.adjust("10 millis")
      assert.strictEqual(seen.looks - before, 11)
      yield* TestClock.adjust("2 minutes")
      const unheard = seen.looks
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(seen.looks - unheard, 4)
    })
  )

  it.scoped("does not look without end for what is due and cannot be taken", () =>
    Effect.gen(function* () {
      const { seen } = yield* watched(new CommitSignal(), () => ({ found: false, dueIn: 0 }))
      yield* TestClock.adjust("10 minutes")
      assert.isBelow(seen.looks, 60)
    })
  )
})

const anHourLater = Object.assign(Clock.make(), { currentTimeMillis: Effect.sync(() => Date.now() + 3_600_000) })

/** Simulates a separate process: pools, and the exchange of commit notices. */
const Process = ActivityExchange.pipe(
  Layer.provideMerge(DatabaseOnPools),
  Layer.provideMerge(poolsLayer()),
  Layer.fresh
)

layer(TestDatabase, { excludeTestServices: true })("processes on one database", (suite) => {
  suite.scoped("hear of each other's writes, after the loss of all sessions too, and of their own only once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [here, there] = [yield* Layer.build(Process), yield* Layer.build(Process)]
      const heard = { here: 0, there: 0 }
      const listening = (of: typeof here, name: keyof typeof heard) =>
        Effect.provide(
          Effect.map(DatabasePools, ({ activity }) => activity.listen(() => (heard[name] += 1))),
          of
        )
      yield* listening(here, "here")
      yield* listening(there, "there")
      const isListening = Effect.map(
        sql<{ readonly count: number }>`select count(*) from pg_stat_activity
          where datname = current_database() and application_name = 'prospecting-gateway activity'
            and query like 'listen%' and state = 'idle'`,
        ([row]) => row?.count === 2
      )
      const until = <E, R>(isSo: Effect.Effect<boolean, E, R>) =>
        Effect.repeat(isSo, { until: (so) => so, schedule: Schedule.spaced("10 millis") })
      yield* until(isListening)
      yield* sql`create table written (id integer primary key, number integer)`
      const writing = (statement: string) =>
        Effect.provide(
          Effect.flatMap(Effect.all([UnitOfWork, SqlClient]), ([unit, client]) => unit.write(client.unsafe(statement))),
          here
        )
      const write = writing(
        "insert into written values (1, 1) on conflict (id) do update set number = written.number + 1"
      )
      Object.assign(heard, { here: 0, there: 0 })
      yield* write
      yield* until(Effect.sync(() => heard.there > 0))
      assert.deepStrictEqual(heard, { here: 1, there: 1 })

      // After a silence, only a transaction that wrote something is announced, whatever its statements look like.
      const afterSilence = (statement: string) => Effect.withClock(writing(statement), anHourLater)
      // A cluster's coordinator does not know what its workers wrote, so both are announced.
      if (!isCluster) {
        Object.assign(heard, { here: 0, there: 0 })
        yield* afterSilence("update written set number = 0 where id = 2 returning id")
        yield* afterSilence("select id from written where id = 2 for update")
        assert.deepStrictEqual(heard, { here: 0, there: 0 })
      }
      Object.assign(heard, { here: 0, there: 0 })
      yield* afterSilence(
        "with added as (insert into written values (3, 1) returning id) select id from added where id = 4"
      )
      assert.strictEqual(heard.here, 1)
      yield* until(Effect.sync(() => heard.there > 0))

      yield* sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'prospecting-gateway activity'`
      yield* until(isListening)
      Object.assign(heard, { here: 0, there: 0 })
      yield* write
      yield* until(Effect.sync(() => heard.there > 0))
    })
  )
})
