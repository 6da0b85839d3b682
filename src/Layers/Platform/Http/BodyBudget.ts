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
}

/** A party may hold a quarter of the whole. */
export const makeBodyBudget = (bytes: number): BodyBudgetShape => {
  const ofParty = Math.ceil(bytes / 4)
  const held = new Map<BodyParty, number>()
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
    held: () => all
  }
}
