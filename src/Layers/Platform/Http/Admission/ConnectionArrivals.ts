import { Context, Layer } from "effect"

/** Milliseconds for which other work pauses at most while connections keep arriving. */
const longestPauseMillis = 40
/** Milliseconds that other work then gets, even if connections still arrive. */
const workAfterPauseMillis = 10

/** Node accepts one connection per turn of the event loop, so work that can wait skips turns in which one arrives. */
export class ConnectionArrivals extends Context.Tag("ConnectionArrivals")<
  ConnectionArrivals,
  {
    readonly record: () => void
    /** Makes the check for one kind of work, which runs it once per turn of the event loop. True means: wait. */
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
