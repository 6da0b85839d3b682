/** Who waits, by party: each has its turn after the others, and of one the first in order is next. */
export class Rounds<Party, Item> {
  readonly #waiting = new Map<Party, Array<Item>>()
  readonly #isBefore: (item: Item, other: Item) => boolean

  /** Without an order, those of a party are taken as they came. */
  constructor(isBefore: (item: Item, other: Item) => boolean = () => false) {
    this.#isBefore = isBefore
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(party: Party, item: Item): void {
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

  remove(party: Party, item: Item): void {
    const queue = this.#waiting.get(party)
    const at = queue?.indexOf(item) ?? -1
    if (queue === undefined || at < 0) return
    queue.splice(at, 1)
    if (queue.length === 0) this.#waiting.delete(party)
  }
}
