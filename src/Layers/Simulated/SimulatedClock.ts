import { Clock, Effect } from "effect"

/** A clock that only moves when it is set. */
export interface SimulatedClock {
  /** The clock. Its sleeps use real time, so that time limits still end work that hangs. */
  readonly clock: Clock.Clock
  /** Returns the simulated time in Unix milliseconds. */
  readonly now: () => number
  /** Moves the clock to a later instant in whole milliseconds. An earlier instant is ignored. */
  readonly moveTo: (millis: number) => void
}

/** Makes a clock that shows `start` (Unix milliseconds). */
export const makeSimulatedClock = (start: number): SimulatedClock => {
  const realClock = Clock.make()
  let current = start
  const now = () => current
  return {
    now,
    moveTo: (millis) => {
      current = Math.max(current, Math.ceil(millis))
    },
    clock: {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: now,
      currentTimeMillis: Effect.sync(now),
      unsafeCurrentTimeNanos: () => BigInt(current) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(current) * 1_000_000n),
      sleep: (duration) => realClock.sleep(duration)
    }
  }
}
