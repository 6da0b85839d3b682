import { Clock, Effect } from "effect"

/** A clock that stands still until it is moved. */
export interface SimulatedClock {
  /** What waits on it waits as long as ever: a time limit is there for the work, which takes real time. */
  readonly clock: Clock.Clock
  /** Unix milliseconds. */
  readonly now: () => number
  /** To an instant ahead, of whole milliseconds; it never goes back. */
  readonly moveTo: (millis: number) => void
}

/** Makes a clock that shows `start` (Unix milliseconds). */
export const makeSimulatedClock = (start: number): SimulatedClock => {
  const real = Clock.make()
  let shown = start
  const now = () => shown
  return {
    now,
    moveTo: (millis) => {
      shown = Math.max(shown, Math.ceil(millis))
    },
    clock: {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: now,
      currentTimeMillis: Effect.sync(now),
      unsafeCurrentTimeNanos: () => BigInt(shown) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(shown) * 1_000_000n),
      sleep: (duration) => real.sleep(duration)
    }
  }
}
