/** The recent use of one account. */
interface Use {
  /** Milliseconds of the account's turns. Older turns count for less. */
  time: number
  /** The moving average of a turn, in milliseconds. */
  turn: number
  /**
   * True once the account's turns are long, until they are much shorter. One threshold would flip back and forth,
   * because turns already get shorter when fewer run at a time.
   */
  isLong: boolean
  at: number
}

/** After this many milliseconds a turn counts for a third. */
const memoryMillis = 1000

/** Average turns from which an account counts as slow, and below which it no longer does. */
const longTurnMillis = 20
const shortTurnMillis = 4

/** An account without a turn for this long is forgotten. */
const absenceMillis = 2 * memoryMillis

/** Returns how much of `time`, measured until `at`, still counts at `now`. */
const decayed = (time: number, at: number, now: number): number => time * Math.exp((at - now) / memoryMillis)

/**
 * Measures how much time each account used in the last seconds. One that uses more than an equal share with long turns
 * slows others down on the database's processors, even if sessions are free.
 */
export class TenantUsage {
  readonly #now: () => number
  readonly #uses = new Map<number | string, Use>()
  #total = 0
  #totalAt = 0
  #prunedAt = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The current time in milliseconds, on the clock that measures turns. */
  now(): number {
    return this.#now()
  }

  /** Records that the account is active. A statement that serves many accounts counts as a turn of none of them. */
  recordCall(account: number | string): void {
    const now = this.#now()
    this.#prune(now)
    const use = this.#uses.get(account)
    if (use === undefined) this.#uses.set(account, { time: 0, turn: 0, isLong: false, at: now })
    else {
      use.time = decayed(use.time, use.at, now)
      use.at = now
    }
  }

  /** Records a turn that has ended. */
  add(account: number | string, millis: number): void {
    const now = this.#now()
    const use = this.#uses.get(account)
    if (use === undefined)
      this.#uses.set(account, { time: millis, turn: millis, isLong: millis >= longTurnMillis, at: now })
    else {
      use.time = decayed(use.time, use.at, now) + millis
      use.turn += (millis - use.turn) / 4
      use.isLong = use.turn >= (use.isLong ? shortTurnMillis : longTurnMillis)
      use.at = now
    }
    this.#total = decayed(this.#total, this.#totalAt, now) + millis
    this.#totalAt = now
  }

  /** True if the account leaves too little capacity to other active accounts. */
  isHeavy(account: number | string): boolean {
    const use = this.#uses.get(account)
    if (use === undefined || !use.isLong) return false
    const now = this.#now()
    this.#prune(now)
    const time = decayed(use.time, use.at, now)
    const total = decayed(this.#total, this.#totalAt, now)
    return this.#uses.size > 1 && time * this.#uses.size > total
  }

  #prune(now: number): void {
    if (now - this.#prunedAt < memoryMillis / 4) return
    this.#prunedAt = now
    for (const [account, { at }] of this.#uses) if (now - at > absenceMillis) this.#uses.delete(account)
  }
}
