/** A queue ordered by time (Unix milliseconds), then `rank`, then insertion. */
export interface EventQueue<A> {
  readonly add: (at: number, item: A, rank?: number) => void
  /** Returns whether the item was in the queue. */
  readonly remove: (item: A) => boolean
  /** The time of the first item. */
  readonly next: () => number | undefined
  readonly take: () => A | undefined
  readonly all: () => ReadonlyArray<{ readonly at: number; readonly item: A }>
}

interface Entry<A> {
  readonly at: number
  readonly rank: number
  readonly order: number
  readonly item: A
}

export const makeEventQueue = <A>(): EventQueue<A> => {
  const entries: Array<Entry<A>> = []
  let order = 0
  const isBefore = (one: Entry<A>, other: Entry<A>): boolean =>
    one.at !== other.at ? one.at < other.at : one.rank !== other.rank ? one.rank < other.rank : one.order < other.order
  return {
    add: (at, item, rank = 0) => {
      const entry = { at, rank, order: order++, item }
      let [low, high] = [0, entries.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        const neighbour = entries[middle]
        if (neighbour !== undefined && isBefore(neighbour, entry)) low = middle + 1
        else high = middle
      }
      entries.splice(low, 0, entry)
    },
    remove: (item) => {
      const place = entries.findIndex((entry) => entry.item === item)
      if (place >= 0) entries.splice(place, 1)
      return place >= 0
    },
    next: () => entries[0]?.at,
    take: () => entries.shift()?.item,
    all: () => entries
  }
}
