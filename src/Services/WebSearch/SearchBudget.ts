import type { SearchType } from "./Ids.ts"

/** The limits of a search of each type. */
export interface SearchBudget {
  /** In all rounds together. */
  readonly queries: number
  readonly pages: number
  /** The second round searches for names that the first one found. */
  readonly rounds: 1 | 2
  /** The time from the start to the answer. */
  readonly seconds: number
  /** The most sentences of the answer. */
  readonly sentences: number
}

export const searchBudgets: { readonly [T in SearchType]: SearchBudget } = {
  Fast: { queries: 1, pages: 3, rounds: 1, seconds: 15, sentences: 4 },
  Standard: { queries: 3, pages: 8, rounds: 1, seconds: 60, sentences: 8 },
  Deep: { queries: 8, pages: 30, rounds: 2, seconds: 300, sentences: 16 }
}
