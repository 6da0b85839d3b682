import { Context } from "effect"
import { connectionArrivals } from "../ConnectionArrivals.ts"
import { FairSemaphore } from "../FairSemaphore.ts"
import { type BodyPace, type BodyParty, makeBodyPace } from "./BodyPace.ts"
import { type BodyReading, makeBodyReads } from "./BodyReads.ts"

/**
 * How many bytes of bodies may be held at a time, in all and for one party: what arrives beyond is refused, so that
 * neither many senders nor slow ones use up the memory of the process.
 */
export class BodyBudget extends Context.Reference<BodyBudget>()("BodyBudget", {
  defaultValue: (): BodyBudgetShape => makeBodyBudget(256 * 1024 * 1024)
}) {}

export interface BodyBudgetShape {
  /** Whether the bytes may be held; if so they are, until they are given back. */
  readonly take: (party: BodyParty, bytes: number) => boolean
  readonly giveBack: (party: BodyParty, bytes: number) => void
  /** The party calls, also without a body: while others do, its large bodies are worked on at a pace. */
  readonly came: (party: BodyParty) => void
  readonly held: () => number
  /** For a body that is long to read: its pieces take turns with those of others. */
  readonly reading: (party: BodyParty) => BodyReading
  /**
   * Calls `work` when it is the turn of the request with this body, or `refuse` where too many wait. The answer is to be
   * called when the request is answered.
   */
  readonly inTurn: (party: BodyParty, bytes: number, work: () => void, refuse: () => void) => () => void
}

/** Bytes of a long body that are read before it is the turn of another. */
export const pieceSize = 256 * 1024

const noPlace = (): void => {}

/** Below it a body is read in less time than a turn takes. */
export const smallBody = 8 * 1024

/**
 * Of the requests with large bodies so many are worked on at a time, and so many of one party: two of it are no sooner done
 * than one after the other, and cost others half as much again.
 */
const largeAtATime = 16
const largeOfParty = 1

/** Milliseconds. What takes longer waits for something else than the processor, and makes room for the next. */
const longestTurn = 250

export interface BodyBudgetOptions {
  /** Milliseconds. */
  readonly longest?: number
  readonly now?: () => number
  readonly later?: (run: () => void, millis: number) => NodeJS.Timeout
}

const clock = (): number => performance.now()

const unrefTimer = (run: () => void, millis: number): NodeJS.Timeout => setTimeout(run, millis).unref()

/**
 * Requests with bodies that are long to read take turns, the parties one after the other, and one of them begins in each
 * turn of the event loop: the small call of another waits for one of them, not for all that arrived together. Connections
 * that are being opened pass first.
 */
const makeTurns = (pace: BodyPace, { later = unrefTimer, longest = longestTurn, now = clock }: BodyBudgetOptions) => {
  const turns = new FairSemaphore({
    slots: largeAtATime,
    perAccount: largeOfParty,
    waiting: 4000,
    waitingPerAccount: 1000,
    longestWait: 30_000
  })
  const starting: Array<() => void> = []
  const givesWay = connectionArrivals.watch()
  const startNext = (): void => {
    if (givesWay()) {
      setImmediate(startNext)
      return
    }
    const start = starting.shift()
    if (starting.length > 0) setImmediate(startNext)
    start?.()
  }
  return (party: BodyParty, bytes: number, work: () => void, refuse: () => void): (() => void) => {
    let timer: NodeJS.Timeout | undefined
    let startedAt = Number.NEGATIVE_INFINITY
    const start = (): void => {
      startedAt = now()
      timer = later(() => leave(), longest)
      starting.push(work)
      if (starting.length === 1) setImmediate(startNext)
    }
    const place = turns.enter(party, start, refuse)
    const leave = (): void => {
      clearTimeout(timer)
      const rest = startedAt + pace.leastTurn(party, bytes) - now()
      // Timers have whole milliseconds.
      if (rest < 1) turns.leave(place)
      else timer = later(() => turns.leave(place), rest)
    }
    return leave
  }
}

/** A party may hold a quarter of the whole. */
export const makeBodyBudget = (bytes: number, options: BodyBudgetOptions = {}): BodyBudgetShape => {
  const ofParty = Math.ceil(bytes / 4)
  const held = new Map<BodyParty, number>()
  const pace = makeBodyPace(options.now ?? clock)
  const turns = makeTurns(pace, options)
  const reading = makeBodyReads(connectionArrivals.watch())
  let all = 0
  return {
    take: (party, more) => {
      const before = held.get(party) ?? 0
      if (all + more > bytes || before + more > ofParty) return false
      held.set(party, before + more)
      all += more
      return true
    },
    giveBack: (party, less) => {
      const left = (held.get(party) ?? 0) - less
      if (left > 0) held.set(party, left)
      else held.delete(party)
      all -= less
    },
    came: pace.came,
    held: () => all,
    reading,
    inTurn: (party, bytes, work, refuse) => {
      pace.came(party)
      if (bytes >= smallBody) return turns(party, bytes, work, refuse)
      work()
      return noPlace
    }
  }
}
