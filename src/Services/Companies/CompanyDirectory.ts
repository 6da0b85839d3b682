import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Company } from "./Company.ts"
import type { CompanyFilter } from "./CompanyFilter.ts"

/** The source of companies: the open data of the Brazilian federal revenue service, or invented companies. */
export type CompanySource = "cnpj" | "sandbox"

/** Counts above this may be estimates. */
export const exactCounts = 10_000

export interface CompanyCount {
  readonly count: number
  /** False if it is estimated from the frequencies of sectors, regions and so on. */
  readonly isExact: boolean
}

export interface CompanyPage {
  readonly companies: ReadonlyArray<Company>
  /** The cursor of the next page. Null after the last company. */
  readonly next: string | null
}

/** The directory's source, and the facts about companies that it lacks. */
export interface DirectoryFacts {
  readonly source: CompanySource
  /** Changes when the companies are replaced, for example by next month's data. */
  readonly edition: string
  /** Fields of a filter for which it has no data. They exclude nothing. */
  readonly unknownFields: ReadonlyArray<keyof CompanyFilter>
}

/** A searchable directory of companies. Every method applies the same filter as `matches`. */
export class CompanyDirectory extends Context.Tag("CompanyDirectory")<
  CompanyDirectory,
  {
    readonly facts: Effect.Effect<DirectoryFacts, Transient>
    readonly count: (filter: CompanyFilter) => Effect.Effect<CompanyCount, Transient>
    /**
     * The next companies after the cursor, in a stable order. Without `after`, from the first one. At most `limit`,
     * which is at most 500.
     */
    readonly page: (
      filter: CompanyFilter,
      options: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<CompanyPage, Transient>
    /** The cursor of the page after this company. */
    readonly resumeAfter: (company: Company) => string
    /** Returns the companies of these keys that still exist. */
    readonly get: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Company>, Transient>
  }
>() {}
