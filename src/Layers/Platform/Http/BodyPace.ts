import { makeRecentTenants } from "../RecentTenants.ts"

/** Whose bytes they are: an account, or the name of a route that takes bodies without a token. */
export type BodyParty = number | string

/** Bytes in a second that one party's large bodies are worked on at while others are there. */
export const bytesPerSecond = 4 * 1024 * 1024

/** Without a call for so many milliseconds a party is gone. */
export const absence = 2000

export interface BodyPace {
  /** The party called, with a large body or without one. */
  readonly came: (party: BodyParty) => void
  /** Milliseconds that the work on a body keeps the party's next one waiting at least. */
  readonly leastTurn: (party: BodyParty, bytes: number) => number
}

/**
 * A large body costs more than its own time on the event loop: copies that are collected later, and a log of the database
 * that others' commits wait for. One after the other as fast as they come they leave others too little; a lone party has
 * nobody to leave it to.
 */
export const makeBodyPace = (now: () => number): BodyPace => {
  const { came, isAlone } = makeRecentTenants<BodyParty>(now, absence)
  return {
    came,
    leastTurn: (party, bytes) => (isAlone(party) ? 0 : (1000 * bytes) / bytesPerSecond)
  }
}
