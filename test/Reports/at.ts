import { Clock, Effect } from "effect"

/** Runs an effect at a given time, in Unix milliseconds. */
export const at =
  (millis: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.clock, (clock) =>
      Effect.withClock(effect, {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: () => millis,
        currentTimeMillis: Effect.succeed(millis),
        unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
        currentTimeNanos: clock.currentTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      })
    )
