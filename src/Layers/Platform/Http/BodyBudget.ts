import { Context } from "effect"
import { arrivals } from "../Arrivals.ts"
import { FairTurns } from "../FairTurns.ts"
import { type BodyReading, makeBodyReads } from "./BodyReads.ts"

/** Whose bytes they are: an account, or the name of a route that takes bodies without a token. */
export type BodyParty = number | string

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

/**
 * Requests with bodies that are long to read take turns, the parties one after the other, and one of them begins in each
 * turn of the event loop: the small call of another waits for one of them, not for all that arrived together. Connections
 * that are being opened pass first.
 */
const makeTurns = (longest: number) => {
  const turns = new FairTurns({
    slots: largeAtATime,
    perAccount: largeOfParty,
    waiting: 4000,
    waitingPerAccount: 1000,
    longestWait: 30_000
  })
  const starting: Array<() => void> = []
  const givesWay = arrivals.watch()
  const startNext = (): void => {
    if (givesWay()) {
      setImmediate(startNext)
      return
    }
    const start = starting.shift()
    if (starting.length > 0) setImmediate(startNext)
    start?.()
  }
  return (party: BodyParty, work: () => void, refuse: () => void): (() => void) => {
    let timer: NodeJS.Timeout | undefined
    const start = (): void => {
      timer = setTimeout(() => leave(), longest).unref()
      starting.push(work)
      if (starting.length === 1) setImmediate(startNext)
    }
    const place = turns.enter(party, start, refuse)
    const leave = (): void => {
      clearTimeout(timer)
      turns.leave(place)
    }
    return leave
  }
}

/** A party may hold a quarter of the whole. */
export const makeBodyBudget = (bytes: number, longest = longestTurn): BodyBudgetShape => {
  const ofParty = Math.ceil(bytes / 4)
  const held = new Map<BodyParty, number>()
  const turns = makeTurns(longest)
  const reading = makeBodyReads(arrivals.watch())
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
    held: () => all,
    reading,
    inTurn: (party, bytes, work, refuse) => {
      if (bytes >= smallBody) return turns(party, work, refuse)
      work()
      return noPlace
    }
  }
}
