/** `hits` successes in `tries` attempts. */
export interface Share {
  readonly hits: number
  readonly tries: number
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/** 95 % of a normal distribution are within this many standard deviations. */
const z95 = 1.959_963_984_540_054

export const rateOf = ({ hits, tries }: Share): number => (tries === 0 ? 0 : hits / tries)

export const plus = (one: Share, other: Share): Share => ({
  hits: one.hits + other.hits,
  tries: one.tries + other.tries
})

export const noShare: Share = { hits: 0, tries: 0 }

/** The 95 % interval of a share, by Wilson (1927). It stays within 0 and 1, and is valid for few tries too. */
export const wilson = ({ hits, tries }: Share, z = z95): Interval => {
  if (tries === 0) return { low: 0, high: 1 }
  const rate = hits / tries
  const weight = 1 / (1 + (z * z) / tries)
  const centre = weight * (rate + (z * z) / (2 * tries))
  const half = weight * z * Math.sqrt((rate * (1 - rate)) / tries + (z * z) / (4 * tries * tries))
  return {
    low: hits === 0 ? 0 : Math.max(0, centre - half),
    high: hits === tries ? 1 : Math.min(1, centre + half)
  }
}

/** Outcomes that are less likely than this, relative to the likeliest one, are ignored. */
const negligible = 1e-18
/** Prevents rounding from excluding equally likely outcomes. */
const tolerance = 1 + 1e-7

/**
 * How likely shares at least as different as these are if both have the same rate: Fisher's exact test, two-sided. It
 * weighs outcomes from the likeliest one in both directions, so millions of tries take no longer.
 */
export const fisher = (one: Share, other: Share): number => {
  const tries = one.tries + other.tries
  const hits = one.hits + other.hits
  if (one.tries === 0 || other.tries === 0 || hits === 0 || hits === tries) return 1
  const least = Math.max(0, hits - other.tries)
  const most = Math.min(hits, one.tries)
  const mode = Math.min(most, Math.max(least, Math.floor(((hits + 1) * (one.tries + 1)) / (tries + 2))))
  /** The weight of one hit more than `count`, from the weight of `count`. */
  const upward = (count: number): number =>
    ((hits - count) * (one.tries - count)) / ((count + 1) * (other.tries - hits + count + 1))
  const weights = new Map<number, number>([[mode, 1]])
  for (let count = mode, weight = 1; count < most && weight > negligible; count++) {
    weight *= upward(count)
    weights.set(count + 1, weight)
  }
  for (let count = mode, weight = 1; count > least && weight > negligible; count--) {
    weight /= upward(count - 1)
    weights.set(count - 1, weight)
  }
  const observed = weights.get(one.hits) ?? 0
  let total = 0
  let extreme = 0
  for (const weight of weights.values()) {
    total += weight
    if (weight <= observed * tolerance) extreme += weight
  }
  return Math.min(1, Math.max(extreme / total, negligible))
}

/**
 * Corrects probabilities for multiple comparisons (Holm 1979). With a bound of 0.02, at most one account in fifty
 * without a real difference gets a learning.
 */
export const holm = (probabilities: ReadonlyArray<number>): ReadonlyArray<number> => {
  const order = probabilities
    .map((_, index) => index)
    .toSorted((a, b) => (probabilities[a] ?? 1) - (probabilities[b] ?? 1))
  const adjusted = probabilities.map(() => 1)
  let largest = 0
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (probabilities[index] ?? 1) * (probabilities.length - rank)))
    adjusted[index] = largest
  }
  return adjusted
}
