import { shareOf } from "../../Services/Text/PlainText.ts"

/** Random numbers without state. The same question always gets the same number, in any order. */
export interface SeededRandom {
  /** A number from 0 to below 1. */
  readonly share: (...question: ReadonlyArray<string | number>) => number
  /** Returns one of the items. There is at least one. */
  readonly pick: <A>(items: readonly [A, ...ReadonlyArray<A>], ...question: ReadonlyArray<string | number>) => A
  /** A number from `low` to below `high`. */
  readonly between: (low: number, high: number, ...question: ReadonlyArray<string | number>) => number
  /** Returns one of the items, chosen by weight. */
  readonly weighed: <A>(
    items: readonly [readonly [weight: number, item: A], ...ReadonlyArray<readonly [weight: number, item: A]>],
    ...question: ReadonlyArray<string | number>
  ) => A
}

export const makeSeededRandom = (seed: number): SeededRandom => {
  const share: SeededRandom["share"] = (...question) => shareOf(`${seed}|${question.join("|")}`)
  return {
    share,
    pick: (items, ...question) => items[Math.floor(share(...question) * items.length)] ?? items[0],
    between: (low, high, ...question) => low + share(...question) * (high - low),
    weighed: (items, ...question) => {
      const total = items.reduce((sum, [weight]) => sum + weight, 0)
      let remaining = share(...question) * total
      for (const [weight, item] of items) {
        remaining -= weight
        if (remaining < 0) return item
      }
      return items[0][1]
    }
  }
}
