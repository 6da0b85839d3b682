import { drainRoundRobin, RoundRobinQueue } from "../RoundRobinQueue.ts"

type Tenant = number | string

/** The reading of one long body, piece by piece. */
export interface BodyReading {
  /** Calls `read` when it is the turn of this body. */
  readonly next: (read: () => void) => void
  /** Nothing more is read. */
  readonly end: () => void
}

interface Body {
  /** Of those that began to be read. */
  readonly number: number
  read: () => void
}

/**
 * Long bodies are read a piece at a time, one in each turn of the event loop: all that arrive together would make a turn long
 * in which one connection is taken and each small call is answered. Parties take turns; of one party the body that began first is
 * read to its end, so that few are held in part.
 */
export const makeBodyReads = (givesWay: () => boolean, pieceEveryMillis?: number): ((party: Tenant) => BodyReading) => {
  const waiting = new RoundRobinQueue<Tenant, Body>((body, other) => body.number < other.number)
  let begun = 0
  const schedule = drainRoundRobin(waiting, {
    inTurn: 1,
    givesWay,
    everyMillis: pieceEveryMillis,
    use: ({ read }) => read()
  })
  return (party) => {
    const body: Body = { number: begun++, read: () => {} }
    return {
      next: (read) => {
        body.read = read
        waiting.add(party, body)
        schedule()
      },
      end: () => waiting.remove(party, body)
    }
  }
}
