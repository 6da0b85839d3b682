import { Data, Effect } from "effect"
import type { TenantUsage } from "./TenantUsage.ts"

/** Too many wait for a session already, or this one has waited for too long. */
export class Overloaded extends Data.TaggedError("Overloaded") {}

export interface FairSemaphoreOptions {
  /** Turns at a time. */
  readonly slots: number
  /** Of these, for one account. */
  readonly perAccount: number
  /** Of these, for an account that holds others up. */
  readonly perHeavyAccount?: number
  /** Tells who that is; may be shared by several kinds of turns. */
  readonly use?: TenantUsage
  /** How many may wait, and how many of one account. */
  readonly waiting: number
  readonly waitingPerAccount: number
  /** Milliseconds. */
  readonly longestWait: number
}

/** Whose turn it is: an account, a route without one, or the platform itself, which may take every slot. */
export type Tenant = number | string | undefined

interface Queue {
  readonly party: Tenant
  running: number
  waiting: Array<Ticket>
  /** Where the first of `waiting` is that still waits. */
  next: number
  isInRound: boolean
}

/** A place among those who run or wait. */
export interface Ticket {
  readonly queue: Queue
  state: "waiting" | "running" | "over"
  readonly start: (() => void) | undefined
  readonly refuse: (() => void) | undefined
  timer: NodeJS.Timeout | undefined
  startedAt: number
}

/**
 * Who may use a session now. Accounts take turns one after the other, and none has more than its share of the slots, so
 * that whoever comes with one call does not wait behind somebody's thousand.
 */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions
  readonly #queues = new Map<Tenant, Queue>()
  /** The queues with somebody who may start as soon as a slot is free. */
  #round: Array<Queue> = []
  #running = 0
  #waiting = 0

  constructor(options: FairSemaphoreOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Whether another one would be refused. */
  isFull(party: Tenant): boolean {
    const queue = this.#queues.get(party)
    return (
      this.#waiting >= this.#options.waiting ||
      (queue !== undefined && party !== undefined && this.#lengthOf(queue) >= this.#options.waitingPerAccount)
    )
  }

  /** Calls `start` now or when it is its turn, or `refuse`. A place is left once, also where it was refused. */
  enter(party: Tenant, start: () => void, refuse: () => void): Ticket {
    const queue = this.#queueOf(party)
    if (this.#running < this.#options.slots && this.#lengthOf(queue) === 0 && this.#hasRoom(queue)) {
      this.#running++
      queue.running++
      const place: Ticket = {
        queue,
        state: "running",
        start: undefined,
        refuse: undefined,
        timer: undefined,
        startedAt: this.#now()
      }
      start()
      return place
    }
    if (this.isFull(party)) {
      const place: Ticket = {
        queue,
        state: "over",
        start: undefined,
        refuse: undefined,
        timer: undefined,
        startedAt: 0
      }
      this.#forget(queue)
      refuse()
      return place
    }
    const place: Ticket = { queue, state: "waiting", start, refuse, timer: undefined, startedAt: 0 }
    place.timer = setTimeout(() => {
      if (place.state !== "waiting") return
      this.leave(place)
      refuse()
    }, this.#options.longestWait)
    place.timer.unref()
    queue.waiting.push(place)
    this.#waiting++
    this.#join(queue)
    return place
  }

  leave(place: Ticket): void {
    const { queue, state } = place
    if (state === "over") return
    place.state = "over"
    clearTimeout(place.timer)
    if (state === "waiting") this.#waiting--
    else {
      queue.running--
      this.#running--
      const { use } = this.#options
      if (use !== undefined && queue.party !== undefined) use.add(queue.party, use.now() - place.startedAt)
    }
    this.#join(queue)
    this.#startNext()
    this.#forget(queue)
  }

  #queueOf(party: Tenant): Queue {
    const known = this.#queues.get(party)
    if (known !== undefined) return known
    const queue: Queue = { party, running: 0, waiting: [], next: 0, isInRound: false }
    this.#queues.set(party, queue)
    return queue
  }

  #now(): number {
    return this.#options.use?.now() ?? 0
  }

  #hasRoom({ party, running }: Queue): boolean {
    const { perAccount, perHeavyAccount = perAccount, slots, use } = this.#options
    if (party === undefined) return running < slots
    return running < perAccount && (running < perHeavyAccount || use?.isHeavy(party) !== true)
  }

  /** Of those who still wait; places that were left before their turn are dropped from the front. */
  #lengthOf(queue: Queue): number {
    while (queue.next < queue.waiting.length && queue.waiting[queue.next]?.state !== "waiting") queue.next++
    if (queue.next === queue.waiting.length || queue.next > 1000) {
      queue.waiting = queue.waiting.slice(queue.next)
      queue.next = 0
    }
    return queue.waiting.length - queue.next
  }

  #join(queue: Queue): void {
    if (queue.isInRound || !this.#hasRoom(queue) || this.#lengthOf(queue) === 0) return
    queue.isInRound = true
    this.#round.push(queue)
  }

  #startNext(): void {
    while (this.#running < this.#options.slots) {
      const queue = this.#round.shift()
      if (queue === undefined) return
      queue.isInRound = false
      if (!this.#hasRoom(queue) || this.#lengthOf(queue) === 0) continue
      const place = queue.waiting[queue.next++]
      if (place === undefined) continue
      clearTimeout(place.timer)
      place.state = "running"
      place.startedAt = this.#now()
      this.#waiting--
      this.#running++
      queue.running++
      // Behind all others before its next turn.
      this.#join(queue)
      place.start?.()
    }
  }

  #forget(queue: Queue): void {
    if (queue.running === 0 && this.#lengthOf(queue) === 0 && !queue.isInRound) this.#queues.delete(queue.party)
  }
}

/** Runs the effect when it is the party's turn. */
export const withFairPermit = <A, E, R>(
  turns: FairSemaphore,
  party: Tenant,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | Overloaded, R> =>
  Effect.suspend(() => {
    let place: Ticket | undefined
    const leave = Effect.sync(() => {
      if (place !== undefined) turns.leave(place)
    })
    return Effect.async<void, Overloaded>((resume) => {
      place = turns.enter(
        party,
        () => resume(Effect.void),
        () => resume(Effect.fail(new Overloaded()))
      )
    }).pipe(Effect.zipRight(effect), Effect.ensuring(leave))
  })
