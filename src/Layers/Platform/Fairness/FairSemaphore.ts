import { Data, Effect } from "effect"
import type { TenantUsage } from "./TenantUsage.ts"

/** Tickets that were cancelled stay at the front of the queue until this many can be dropped at once. */
const longestGap = 1000

/** Fails a request for a permit: the queue is full, or the request has waited for too long. */
export class Overloaded extends Data.TaggedError("Overloaded") {}

export interface FairSemaphoreOptions {
  /** Permits of all accounts together. */
  readonly slots: number
  /** Permits of one account. */
  readonly perAccount: number
  /** Permits of an account whose usage slows other accounts down. */
  readonly perHeavyAccount?: number
  /** Measures which accounts are heavy. Several semaphores may share it. */
  readonly use?: TenantUsage
  /** Requests that may wait at a time, of all accounts together. */
  readonly waiting: number
  readonly waitingPerAccount: number
  /** Milliseconds that a request waits before it is refused. */
  readonly longestWait: number
}

/** An account, a route without one, or undefined for the platform itself, which may take every permit. */
export type Tenant = number | string | undefined

interface Queue {
  readonly tenant: Tenant
  running: number
  waiting: Array<Ticket>
  /** The index in `waiting` of the first ticket that still waits. */
  next: number
  isInRound: boolean
}

/** A request for a permit. */
export interface Ticket {
  readonly queue: Queue
  state: "waiting" | "running" | "over"
  readonly start: () => void
  timer: NodeJS.Timeout | undefined
  startedAt: number
}

/**
 * A semaphore that serves accounts round-robin and limits the permits of each, so that a single call never waits behind
 * another account's thousand.
 */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions
  readonly #queues = new Map<Tenant, Queue>()
  /** The queues whose first ticket can start as soon as a slot is free. */
  #round: Array<Queue> = []
  #running = 0
  #waiting = 0

  constructor(options: FairSemaphoreOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  /** True if the next ticket of the tenant would be refused. */
  isFull(tenant: Tenant): boolean {
    const queue = this.#queues.get(tenant)
    return (
      this.#waiting >= this.#options.waiting ||
      (queue !== undefined && tenant !== undefined && this.#lengthOf(queue) >= this.#options.waitingPerAccount)
    )
  }

  /**
   * Calls `start`, at once or when the tenant's turn comes, or calls `refuse`. The caller must leave each ticket, even
   * a refused one.
   */
  enter(tenant: Tenant, start: () => void, refuse: () => void): Ticket {
    const queue = this.#queueOf(tenant)
    const ticket: Ticket = { queue, state: "waiting", start, timer: undefined, startedAt: 0 }
    if (this.#running < this.#options.slots && this.#lengthOf(queue) === 0 && this.#hasRoom(queue)) {
      this.#begin(ticket)
      start()
      return ticket
    }
    if (this.isFull(tenant)) {
      ticket.state = "over"
      this.#forgetIfIdle(queue)
      refuse()
      return ticket
    }
    ticket.timer = setTimeout(() => {
      if (ticket.state !== "waiting") return
      this.leave(ticket)
      refuse()
    }, this.#options.longestWait)
    ticket.timer.unref()
    queue.waiting.push(ticket)
    this.#waiting++
    this.#join(queue)
    return ticket
  }

  leave(ticket: Ticket): void {
    const { queue, state } = ticket
    if (state === "over") return
    ticket.state = "over"
    clearTimeout(ticket.timer)
    if (state === "waiting") this.#waiting--
    else {
      queue.running--
      this.#running--
      const { use } = this.#options
      if (use !== undefined && queue.tenant !== undefined) use.add(queue.tenant, use.now() - ticket.startedAt)
    }
    this.#join(queue)
    this.#startNext()
    this.#forgetIfIdle(queue)
  }

  #queueOf(tenant: Tenant): Queue {
    const existing = this.#queues.get(tenant)
    if (existing !== undefined) return existing
    const queue: Queue = { tenant, running: 0, waiting: [], next: 0, isInRound: false }
    this.#queues.set(tenant, queue)
    return queue
  }

  #hasRoom({ running, tenant }: Queue): boolean {
    const { perAccount, perHeavyAccount = perAccount, slots, use } = this.#options
    if (tenant === undefined) return running < slots
    return running < perAccount && (running < perHeavyAccount || use?.isHeavy(tenant) !== true)
  }

  /** Returns the number of waiting tickets. Cancelled tickets at the front of the queue are dropped. */
  #lengthOf(queue: Queue): number {
    while (queue.next < queue.waiting.length && queue.waiting[queue.next]?.state !== "waiting") queue.next++
    if (queue.next === queue.waiting.length || queue.next > longestGap) {
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

  #begin(ticket: Ticket): void {
    ticket.state = "running"
    ticket.startedAt = this.#options.use?.now() ?? 0
    this.#running++
    ticket.queue.running++
  }

  #startNext(): void {
    while (this.#running < this.#options.slots) {
      const queue = this.#round.shift()
      if (queue === undefined) return
      queue.isInRound = false
      if (!this.#hasRoom(queue) || this.#lengthOf(queue) === 0) continue
      const ticket = queue.waiting[queue.next++]
      if (ticket === undefined) continue
      clearTimeout(ticket.timer)
      this.#waiting--
      this.#begin(ticket)
      // The queue's next turn comes after all others.
      this.#join(queue)
      ticket.start()
    }
  }

  #forgetIfIdle(queue: Queue): void {
    if (queue.running === 0 && this.#lengthOf(queue) === 0 && !queue.isInRound) this.#queues.delete(queue.tenant)
  }
}

/** Runs the effect once the tenant gets a permit. */
export const withFairPermit = <A, E, R>(
  turns: FairSemaphore,
  tenant: Tenant,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | Overloaded, R> =>
  Effect.suspend(() => {
    let ticket: Ticket | undefined
    const leave = Effect.sync(() => {
      if (ticket !== undefined) turns.leave(ticket)
    })
    return Effect.async<void, Overloaded>((resume) => {
      ticket = turns.enter(
        tenant,
        () => resume(Effect.void),
        () => resume(Effect.fail(new Overloaded()))
      )
    }).pipe(Effect.zipRight(effect), Effect.ensuring(leave))
  })
