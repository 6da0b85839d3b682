import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Company } from "./Company.ts"
import type { CompanyFilter } from "./CompanyFilter.ts"

/** Where companies come from: the open data of the Brazilian federal revenue, or an invented world. */
export type CompanySource = "cnpj" | "sandbox"

/** Above this many a count may be an estimate. */
export const exactCounts = 10_000

export interface CompanyCount {
  readonly count: number
  /** False: estimated from the frequencies of sectors, regions and the like. */
  readonly isExact: boolean
}

export interface CompanyPage {
  readonly companies: ReadonlyArray<Company>
  /** Where the next page goes on; null after the last company. */
  readonly next: string | null
}

/** What a directory has, and what it does not know of its companies. */
export interface DirectoryFacts {
  readonly source: CompanySource
  /** Changes when the companies are replaced, such as by next month's data. */
  readonly edition: string
  /** Fields of a filter that it has no figures for: they leave nobody out. */
  readonly unknownFields: ReadonlyArray<keyof CompanyFilter>
}

/** Companies that can be looked for. Every method agrees with `matches`. */
export class CompanyDirectory extends Context.Tag("CompanyDirectory")<
  CompanyDirectory,
  {
    readonly facts: Effect.Effect<DirectoryFacts, Transient>
    readonly count: (filter: CompanyFilter) => Effect.Effect<CompanyCount, Transient>
    /**
     * The next companies in an order that stays the same while companies are neither added nor taken away; from the
     * first on without `after`. At most `limit`, which is at most 500.
     */
    readonly page: (
      filter: CompanyFilter,
      options: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<CompanyPage, Transient>
    /** Where a page goes on that is to begin behind this company. */
    readonly resumeAfter: (company: Company) => string
    /** Those of the keys that there still are. */
    readonly get: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Company>, Transient>
  }
>() {}
