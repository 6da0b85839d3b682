import { shareOf } from "../../Services/Text/PlainText.ts"

/** Random numbers without state: a question always gets the same number, in any order of questions. */
export interface SeededRandom {
  /** From 0 to below 1. */
  readonly share: (...question: ReadonlyArray<string | number>) => number
  /** One of the items; there is at least one. */
  readonly pick: <A>(items: readonly [A, ...ReadonlyArray<A>], ...question: ReadonlyArray<string | number>) => A
  /** From `low` to below `high`. */
  readonly between: (low: number, high: number, ...question: ReadonlyArray<string | number>) => number
  /** One of the items, each as often as its weight says. */
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
      let left = share(...question) * total
      for (const [weight, item] of items) {
        left -= weight
        if (left < 0) return item
      }
      return items[0][1]
    }
  }
}
