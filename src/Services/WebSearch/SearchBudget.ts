import type { SearchType } from "./Ids.ts"

/** What a search of a type may take. */
export interface SearchBudget {
  /** Of all rounds together. */
  readonly queries: number
  readonly pages: number
  /** A second one asks for what the first one brought up. */
  readonly rounds: 1 | 2
  /** From its start to its answer. */
  readonly seconds: number
  /** Sentences of the answer, at most. */
  readonly sentences: number
}

export const searchBudgets: { readonly [T in SearchType]: SearchBudget } = {
  Fast: { queries: 1, pages: 3, rounds: 1, seconds: 15, sentences: 4 },
  Standard: { queries: 3, pages: 8, rounds: 1, seconds: 60, sentences: 8 },
  Deep: { queries: 8, pages: 30, rounds: 2, seconds: 300, sentences: 16 }
}
