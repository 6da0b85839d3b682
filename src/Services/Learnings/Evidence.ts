import type { Share } from "./Proportions.ts"

/** What came of leads in one week, of those who got one thing and of those who got another. */
export interface Block {
  readonly one: Share
  readonly other: Share
}

/** By how much the odds of an answer may differ: a little, clearly, much. Each has a third of the stake. */
const oddsRatios = [1.3, 1.7, 2.5]
/** What is thought of the rate before anything is known: 5 of 100, worth twenty leads. */
const priorHits = 1
const priorTries = 20

const odds = (rate: number): number => rate / (1 - rate)
const rateOfOdds = (value: number): number => value / (1 + value)

/** How much likelier outcomes are at one rate than at another. */
const logLikelihood = ({ hits, tries }: Share, rate: number, under: number): number =>
  hits * Math.log(rate / under) + (tries - hits) * Math.log((1 - rate) / (1 - under))

/**
 * How strongly weeks of results speak for `one` being answered more often than `other`, as the gain of a bet of 1 that
 * pays nothing on average where both are alike (an e-process, by the test for two proportions of Turner and Grünwald).
 * Where nothing differs it ever reaches 1/p in at most a share p of all campaigns, however often one looks: the rate of
 * answers may even change from week to week, as long as it is the same for both. The bets of a week are made by the
 * weeks before it alone.
 */
export const evidenceFor = (blocks: Iterable<Block>): number => {
  const gains = oddsRatios.map(() => 0)
  let hits = priorHits
  let tries = priorTries
  for (const { one, other } of blocks) {
    if (one.tries > 0 && other.tries > 0) {
      const base = hits / tries
      for (const [index, ratio] of oddsRatios.entries()) {
        const better = rateOfOdds(odds(base) * ratio)
        const alike = (one.tries * better + other.tries * base) / (one.tries + other.tries)
        gains[index] = (gains[index] ?? 0) + logLikelihood(one, better, alike) + logLikelihood(other, base, alike)
      }
    }
    hits += one.hits + other.hits
    tries += one.tries + other.tries
  }
  return gains.reduce((sum, gain) => sum + Math.exp(Math.min(gain, 700)), 0) / oddsRatios.length
}
