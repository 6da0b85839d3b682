/** Milliseconds for which work gives way at a stretch. */
const longestHold = 40
/** Milliseconds that it has then, however many connections come. */
const ownTime = 10

export interface ConnectionArrivals {
  /** A connection was taken. */
  readonly took: () => void
  /**
   * Made once for each kind of work; asked before each piece of it, at most once in a turn of the event loop, it tells
   * whether the piece is to wait for the next turn.
   */
  readonly watch: () => () => boolean
}

/**
 * A process takes one connection in each turn of the event loop, so that whoever connects waits for as many turns as there
 * are others before him. Where one was taken there may be more: work that can wait lets such turns pass.
 */
export const makeConnectionArrivals = (now: () => number = () => performance.now()): ConnectionArrivals => {
  let taken = 0
  return {
    took: () => {
      taken++
    },
    watch: () => {
      let seen = taken
      let heldSince: number | undefined
      return () => {
        const areComing = taken !== seen
        seen = taken
        if (!areComing) {
          heldSince = undefined
          return false
        }
        const time = now()
        if (heldSince === undefined || time >= heldSince + longestHold + ownTime) heldSince = time
        return time < heldSince + longestHold
      }
    }
  }
}

/** Of this process, which has one event loop. */
export const connectionArrivals = makeConnectionArrivals()
