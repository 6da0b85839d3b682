/** What one account used of late. */
interface Use {
  /** Milliseconds of turns; older ones count for less and less. */
  time: number
  /** Milliseconds of a turn, as they are of late. */
  turn: number
  /** Fewer at a time are shorter, so that it stays so for as long as others are there. */
  isLong: boolean
  at: number
}

/** After so many milliseconds a turn counts for a third. */
const memory = 1000

/** A turn from which on it is long, in milliseconds; who had such turns has them until they are much shorter. */
const longTurn = 20
const shortTurn = 4

/** Without a turn for so many milliseconds an account is gone. */
const absence = 2 * memory

/** What is left at `now` of what was counted until `at`. */
const remembered = (time: number, at: number, now: number): number => time * Math.exp((at - now) / memory)

/**
 * Who is there, and how long each account had turns for in the last seconds: whoever uses more than an equal share, with
 * turns that are long, holds up others on the processors of the database even where sessions are free for them.
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

  /** When a turn starts or ends. */
  now(): number {
    return this.#now()
  }

  /** The account is there, whoever does its work: what many ask for in one statement is a turn of none of them. */
  came(account: number | string): void {
    const now = this.#now()
    this.#prune(now)
    const use = this.#uses.get(account)
    if (use === undefined) this.#uses.set(account, { time: 0, turn: 0, isLong: false, at: now })
    else {
      use.time = remembered(use.time, use.at, now)
      use.at = now
    }
  }

  /** Counts a turn that has ended. */
  add(account: number | string, millis: number): void {
    const now = this.#now()
    const use = this.#uses.get(account)
    if (use === undefined) this.#uses.set(account, { time: millis, turn: millis, isLong: millis >= longTurn, at: now })
    else {
      use.time = remembered(use.time, use.at, now) + millis
      use.turn += (millis - use.turn) / 4
      use.isLong = use.turn >= (use.isLong ? shortTurn : longTurn)
      use.at = now
    }
    this.#total = remembered(this.#total, this.#totalAt, now) + millis
    this.#totalAt = now
  }

  /** Whether the account leaves too little to others that are there too. */
  isHeavy(account: number | string): boolean {
    const use = this.#uses.get(account)
    if (use === undefined || !use.isLong) return false
    const now = this.#now()
    this.#prune(now)
    const time = remembered(use.time, use.at, now)
    const total = remembered(this.#total, this.#totalAt, now)
    return this.#uses.size > 1 && time * this.#uses.size > total
  }

  #prune(now: number): void {
    if (now - this.#prunedAt < memory / 4) return
    this.#prunedAt = now
    for (const [account, { at }] of this.#uses) if (now - at > absence) this.#uses.delete(account)
  }
}
