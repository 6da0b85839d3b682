import type { Share } from "./Proportions.ts"

/** Results of one week: of the leads with one choice, and of those with another. */
export interface Block {
  readonly one: Share
  readonly other: Share
}

/** The odds ratios that the test bets on: a small, a clear and a large difference. Each gets a third of the stake. */
const oddsRatios = [1.3, 1.7, 2.5]
/** The assumed rate before any results: 5 %, with the weight of twenty leads. */
const priorHits = 1
const priorTries = 20

const odds = (rate: number): number => rate / (1 - rate)
const rateOfOdds = (value: number): number => value / (1 + value)

/** How much likelier the outcomes are at one rate than at another. */
const logLikelihood = ({ hits, tries }: Share, rate: number, under: number): number =>
  hits * Math.log(rate / under) + (tries - hits) * Math.log((1 - rate) / (1 - under))

/**
 * How strongly weekly results show that `one` gets more replies than `other`. The evidence is an e-process: the
 * expected value of a bet of 1 stays 1 if both rates are equal (test for two proportions by Turner and Grünwald).
 * Without a difference, it exceeds 1/p in at most a share p of campaigns, however often it is checked. Rates may change
 * from week to week. The bets of a week depend only on earlier weeks.
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
