import { Rounds } from "../Rounds.ts"

type Party = number | string

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
export const makeBodyReads = (givesWay: () => boolean, pieceEveryMillis = 0): ((party: Party) => BodyReading) => {
  const waiting = new Rounds<Party, Body>((body, other) => body.number < other.number)
  let begun = 0
  let isScheduled = false
  const schedule = (): void => {
    isScheduled = true
    if (pieceEveryMillis === 0) setImmediate(run)
    else setTimeout(run, pieceEveryMillis).unref()
  }
  const run = (): void => {
    if (!givesWay()) waiting.take()?.read()
    isScheduled = false
    if (!waiting.isEmpty) schedule()
  }
  return (party) => {
    const body: Body = { number: begun++, read: () => {} }
    return {
      next: (read) => {
        body.read = read
        waiting.add(party, body)
        if (!isScheduled) schedule()
      },
      end: () => waiting.remove(party, body)
    }
  }
}
