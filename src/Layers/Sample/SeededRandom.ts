import { hashOf } from "../../Services/Text/PlainText.ts"

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

/** The end of murmur3: texts that differ in one letter come out far apart. */
const mixed = (hash: number): number => {
  let value = hash
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

export const makeSeededRandom = (seed: number): SeededRandom => {
  const share: SeededRandom["share"] = (...question) => mixed(hashOf(`${seed}|${question.join("|")}`)) / 2 ** 32
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
