import { Context, Layer } from "effect"

/** The longest pause of other work, in milliseconds, while connections keep arriving. */
const longestPauseMillis = 40
/** Milliseconds for which other work then runs, even if connections still arrive. */
const workAfterPauseMillis = 10

/**
 * Pauses work that can wait while connections arrive. Node accepts only one connection per turn of the event loop, so
 * such work skips the turns in which one arrives.
 */
export class ConnectionArrivals extends Context.Tag("ConnectionArrivals")<
  ConnectionArrivals,
  {
    readonly record: () => void
    /**
     * Makes a check for one kind of work, which calls it once per turn of the event loop. If it returns true, the work
     * skips this turn.
     */
    readonly watch: () => () => boolean
  }
>() {
  static readonly layer = Layer.sync(ConnectionArrivals, () => makeConnectionArrivals())
}

export const makeConnectionArrivals = (now = (): number => performance.now()): ConnectionArrivals["Type"] => {
  let arrivals = 0
  return {
    record: () => {
      arrivals++
    },
    watch: () => {
      let seenArrivals = arrivals
      let pausedAt: number | undefined
      return () => {
        const areArriving = arrivals !== seenArrivals
        seenArrivals = arrivals
        const time = now()
        if (!areArriving) pausedAt = undefined
        else if (pausedAt === undefined || time >= pausedAt + longestPauseMillis + workAfterPauseMillis) pausedAt = time
        return pausedAt !== undefined && time < pausedAt + longestPauseMillis
      }
    }
  }
}
