import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect } from "effect"

/** A clock for the gateway and its database that continues from where it was last set. */
export interface MovableClock {
  /** The gateway's clock. Waiting still takes real time. */
  readonly clock: Clock.Clock
  /** Unix milliseconds. */
  readonly now: () => number
  /** Sets both to an instant (ISO 8601) in the future. */
  readonly moveTo: (instant: string) => Effect.Effect<void>
}

/** Gives the test file's database a different time than its server's, and moves both together. */
export const movableClock = (start: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const real = Clock.make()
    let shift = 0
    const now = () => real.unsafeCurrentTimeMillis() + shift
    const clock: Clock.Clock = {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: now,
      currentTimeMillis: Effect.sync(now),
      unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos(),
      currentTimeNanos: real.currentTimeNanos,
      sleep: (duration) => real.sleep(duration)
    }
    yield* sql`create table moved_clock (shift interval not null)`
    yield* sql`insert into moved_clock values (interval '0')`
    yield* sql`
      create or replace function instant() returns timestamptz language sql stable parallel safe
      as 'select pg_catalog.now() + (select shift from public.moved_clock)'`

    const put = (millis: number) =>
      Effect.suspend(() => {
        // The gateway's clock first, because it checks by its own time what it claims by the database's.
        shift = millis - real.unsafeCurrentTimeMillis()
        return sql`update moved_clock set shift = make_interval(secs => ${shift / 1000})`.pipe(Effect.orDie)
      })
    yield* put(Date.parse(start))
    const moved: MovableClock = {
      clock,
      now,
      moveTo: (instant) =>
        Effect.suspend(() => {
          const millis = Date.parse(instant)
          return millis > now() ? Effect.asVoid(put(millis)) : Effect.dieMessage(`${instant} has passed.`)
        })
    }
    return moved
  }).pipe(Effect.orDie)
