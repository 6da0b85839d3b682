import { drainRoundRobin, RoundRobinQueue } from "../../Fairness/RoundRobinQueue.ts"

/** Bytes of a long body that are read before another body gets its turn. */
export const pieceBytes = 256 * 1024

/** Reads one long body, piece by piece. */
export interface BodyReading {
  /** Calls `read` when the turn of this body comes. */
  readonly next: (read: () => void) => void
  readonly end: () => void
}

interface Body {
  readonly number: number
  read: () => void
}

/**
 * Reads one piece of a long body per turn of the event loop, so that turns stay short. Tenants alternate. A tenant's
 * oldest body comes first, so that few bodies are in memory half-read.
 */
export const makeBodyReads = (givesWay: () => boolean, pieceEveryMillis?: number) => {
  const waiting = new RoundRobinQueue<number | string, Body>((body, other) => body.number < other.number)
  let bodies = 0
  const schedule = drainRoundRobin(waiting, {
    perTurn: 1,
    givesWay,
    everyMillis: pieceEveryMillis,
    use: ({ read }) => read()
  })
  return (tenant: number | string): BodyReading => {
    const body: Body = { number: bodies++, read: () => {} }
    return {
      next: (read) => {
        body.read = read
        waiting.add(tenant, body)
        schedule()
      },
      end: () => waiting.remove(tenant, body)
    }
  }
}
