import { Context } from "effect"

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
  /** Calls when it is the body's turn to be worked on. */
  readonly inTurn: (party: BodyParty, bytes: number, work: () => void) => void
}

/** Below it a body is read in less time than a turn takes. */
const smallBody = 8 * 1024

/**
 * Of the bodies that are long to read, one is taken up in each turn of the event loop, and parties take turns: the small
 * call of another waits for one of them, not for all that arrived together.
 */
const makeTurns = () => {
  const waiting = new Map<BodyParty, Array<() => void>>()
  let isScheduled = false
  const next = (): void => {
    isScheduled = false
    const [first] = waiting
    if (first === undefined) return
    const [party, works] = first
    const work = works.shift()
    // Behind all other parties before its next turn.
    waiting.delete(party)
    if (works.length > 0) waiting.set(party, works)
    schedule()
    work?.()
  }
  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    setImmediate(next)
  }
  return (party: BodyParty, work: () => void): void => {
    const works = waiting.get(party)
    if (works === undefined) waiting.set(party, [work])
    else works.push(work)
    schedule()
  }
}

/** A party may hold a quarter of the whole. */
export const makeBodyBudget = (bytes: number): BodyBudgetShape => {
  const ofParty = Math.ceil(bytes / 4)
  const held = new Map<BodyParty, number>()
  const turns = makeTurns()
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
    inTurn: (party, bytes, work) => (bytes < smallBody ? work() : turns(party, work))
  }
}
