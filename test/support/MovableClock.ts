import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect } from "effect"

/** A clock that runs on from where it was put last, for the gateway and its database alike. */
export interface MovableClock {
  /** To be given to the gateway. What waits, waits as long as ever. */
  readonly clock: Clock.Clock
  /** Unix milliseconds. */
  readonly now: () => number
  /** Puts both at an instant (ISO 8601), which must lie ahead. */
  readonly moveTo: (instant: string) => Effect.Effect<void>
}

/** Gives the database of the test file's own another time than its server's, and moves both together. */
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
        // The gateway first: it claims by the database's time what it then judges by its own.
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
