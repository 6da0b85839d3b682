/** Items that wait, by tenant. Tenants alternate; a tenant's items keep their order. */
export class RoundRobinQueue<Tenant, Item> {
  readonly #waiting = new Map<Tenant, Array<Item>>()
  readonly #isBefore: (item: Item, other: Item) => boolean

  /** Without `isBefore`, a tenant's items leave in the order in which they were added. */
  constructor(isBefore: (item: Item, other: Item) => boolean = () => false) {
    this.#isBefore = isBefore
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(tenant: Tenant, item: Item): void {
    const queue = this.#waiting.get(tenant)
    if (queue === undefined) this.#waiting.set(tenant, [item])
    else queue.splice(queue.findLastIndex((other) => !this.#isBefore(item, other)) + 1, 0, item)
  }

  /** Removes and returns the next item of a tenant for which `mayTake` is true. */
  take(mayTake: (tenant: Tenant) => boolean = () => true): Item | undefined {
    for (const [tenant, queue] of this.#waiting) {
      if (!mayTake(tenant)) continue
      // The tenant's next turn comes after all others.
      this.#waiting.delete(tenant)
      const item = queue.shift()
      if (queue.length > 0) this.#waiting.set(tenant, queue)
      return item
    }
    return undefined
  }

  remove(tenant: Tenant, item: Item): void {
    const queue = this.#waiting.get(tenant)
    const index = queue?.indexOf(item) ?? -1
    if (queue === undefined || index < 0) return
    queue.splice(index, 1)
    if (queue.length === 0) this.#waiting.delete(tenant)
  }
}

export interface DrainOptions<Tenant, Item> {
  readonly use: (item: Item) => void
  /** Items used in one turn of the event loop. */
  readonly perTurn: number
  /** Called before each turn; true skips it. */
  readonly givesWay: () => boolean
  /** Milliseconds between two turns. Without it, each turn of the event loop is used. */
  readonly everyMillis?: number | undefined
  /** Called before each item is taken. Items of a tenant for which it returns false wait for `recheckMillis`. */
  readonly mayTake?: ((tenant: Tenant) => boolean) | undefined
  readonly recheckMillis?: number
}

/** Uses a few items per turn until none is left. The caller runs the returned function after adding an item. */
export const drainRoundRobin = <Tenant, Item>(
  waiting: RoundRobinQueue<Tenant, Item>,
  { everyMillis, givesWay, mayTake, perTurn, recheckMillis, use }: DrainOptions<Tenant, Item>
): (() => void) => {
  let isScheduled = false
  let recheck: NodeJS.Timeout | undefined
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    if (everyMillis === undefined) setImmediate(run)
    else setTimeout(run, everyMillis).unref()
  }
  const recheckLater = (): void => {
    recheck ??= setTimeout(() => {
      recheck = undefined
      schedule()
    }, recheckMillis).unref()
  }
  const run = (): void => {
    const count = givesWay() ? 0 : perTurn
    let hasMore = true
    for (let used = 0; used < count && hasMore; used++) {
      const item = waiting.take(mayTake)
      if (item === undefined) hasMore = false
      else use(item)
    }
    isScheduled = false
    if (waiting.isEmpty) return
    if (hasMore) schedule()
    else recheckLater()
  }
  return schedule
}
