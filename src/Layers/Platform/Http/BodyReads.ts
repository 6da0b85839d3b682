import type { BodyParty } from "./BodyBudget.ts"

/** The reading of one long body, piece by piece. */
export interface BodyReading {
  /** Calls `read` when it is the turn of this body. */
  readonly next: (read: () => void) => void
  /** Nothing more is read. */
  readonly end: () => void
}

/** Of so many bodies a piece is read in one turn of the event loop. */
const piecesInTurn = 4

interface Wish {
  readonly order: number
  readonly read: () => void
}

/**
 * Long bodies are read a piece at a time. All that arrive together would make a turn of the event loop long in which one
 * connection is taken and each small call is answered. Parties take turns; of one party the body that began first is
 * read to its end, so that few are held in part.
 */
export const makeBodyReads = (givesWay: () => boolean): ((party: BodyParty) => BodyReading) => {
  const wishes = new Map<BodyParty, Array<Wish>>()
  let begun = 0
  let isScheduled = false

  const nextOf = (party: BodyParty, queue: Array<Wish>): Wish | undefined => {
    // Behind all others before its next turn.
    wishes.delete(party)
    const wish = queue.shift()
    if (queue.length > 0) wishes.set(party, queue)
    return wish
  }
  const run = (): void => {
    if (!givesWay()) {
      let left = piecesInTurn
      for (const [party, queue] of wishes) {
        nextOf(party, queue)?.read()
        if (--left === 0) break
      }
    }
    isScheduled = wishes.size > 0
    if (isScheduled) setImmediate(run)
  }
  const add = (party: BodyParty, wish: Wish): void => {
    const queue = wishes.get(party)
    if (queue === undefined) wishes.set(party, [wish])
    else {
      const at = queue.findLastIndex(({ order }) => order < wish.order)
      queue.splice(at + 1, 0, wish)
    }
    if (isScheduled) return
    isScheduled = true
    setImmediate(run)
  }
  const remove = (party: BodyParty, order: number): void => {
    const queue = wishes.get(party)
    const at = queue?.findIndex((wish) => wish.order === order) ?? -1
    if (queue === undefined || at < 0) return
    queue.splice(at, 1)
    if (queue.length === 0) wishes.delete(party)
  }

  return (party) => {
    const order = begun++
    return {
      next: (read) => add(party, { order, read }),
      end: () => remove(party, order)
    }
  }
}
