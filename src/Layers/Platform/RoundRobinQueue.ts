/** Who waits, by party: each has its turn after the others, and of one the first in order is next. */
export class RoundRobinQueue<Tenant, Item> {
  readonly #waiting = new Map<Tenant, Array<Item>>()
  readonly #isBefore: (item: Item, other: Item) => boolean

  /** Without an order, those of a party are taken as they came. */
  constructor(isBefore: (item: Item, other: Item) => boolean = () => false) {
    this.#isBefore = isBefore
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(party: Tenant, item: Item): void {
    const queue = this.#waiting.get(party)
    if (queue === undefined) this.#waiting.set(party, [item])
    else queue.splice(queue.findLastIndex((other) => !this.#isBefore(item, other)) + 1, 0, item)
  }

  /** The next one. */
  take(): Item | undefined {
    for (const [party, queue] of this.#waiting) {
      // Behind all others before its next turn.
      this.#waiting.delete(party)
      const item = queue.shift()
      if (queue.length > 0) this.#waiting.set(party, queue)
      return item
    }
    return undefined
  }

  remove(party: Tenant, item: Item): void {
    const queue = this.#waiting.get(party)
    const at = queue?.indexOf(item) ?? -1
    if (queue === undefined || at < 0) return
    queue.splice(at, 1)
    if (queue.length === 0) this.#waiting.delete(party)
  }
}

export interface DrainOptions<Item> {
  readonly use: (item: Item) => void
  /** So many are taken in one turn. */
  readonly inTurn: number
  /** Asked before each turn: whether it is let pass. */
  readonly givesWay: () => boolean
  /** Milliseconds from one turn to the next; without it each turn of the event loop is one. */
  readonly everyMillis?: number | undefined
}

/** Takes some of those that wait in each turn until nobody does; what it answers is called when one was added. */
export const drainRoundRobin = <Party, Item>(
  waiting: RoundRobinQueue<Party, Item>,
  { everyMillis, givesWay, inTurn, use }: DrainOptions<Item>
): (() => void) => {
  let isScheduled = false
  const schedule = (): void => {
    isScheduled = true
    if (everyMillis === undefined) setImmediate(run)
    else setTimeout(run, everyMillis).unref()
  }
  const run = (): void => {
    if (!givesWay()) {
      for (let taken = 0; taken < inTurn; taken++) {
        const item = waiting.take()
        if (item === undefined) break
        use(item)
      }
    }
    if (waiting.isEmpty) isScheduled = false
    else schedule()
  }
  return () => {
    if (!isScheduled) schedule()
  }
}
