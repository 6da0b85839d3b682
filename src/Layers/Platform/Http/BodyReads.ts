import { Rounds } from "../Rounds.ts"

type Party = number | string

/** The reading of one long body, piece by piece. */
export interface BodyReading {
  /** Calls `read` when it is the turn of this body. */
  readonly next: (read: () => void) => void
  /** Nothing more is read. */
  readonly end: () => void
}

/** Of so many bodies a piece is read in one turn of the event loop. */
const piecesInTurn = 4

interface Body {
  /** Of those that began to be read. */
  readonly number: number
  read: () => void
}

/**
 * Long bodies are read a piece at a time. All that arrive together would make a turn of the event loop long in which one
 * connection is taken and each small call is answered. Parties take turns; of one party the body that began first is
 * read to its end, so that few are held in part.
 */
export const makeBodyReads = (givesWay: () => boolean): ((party: Party) => BodyReading) => {
  const waiting = new Rounds<Party, Body>((body, other) => body.number < other.number)
  let begun = 0
  let isScheduled = false
  const run = (): void => {
    if (!givesWay()) for (let piece = 0; piece < piecesInTurn; piece++) waiting.take()?.read()
    isScheduled = !waiting.isEmpty
    if (isScheduled) setImmediate(run)
  }
  return (party) => {
    const body: Body = { number: begun++, read: () => {} }
    return {
      next: (read) => {
        body.read = read
        waiting.add(party, body)
        if (isScheduled) return
        isScheduled = true
        setImmediate(run)
      },
      end: () => waiting.remove(party, body)
    }
  }
}
