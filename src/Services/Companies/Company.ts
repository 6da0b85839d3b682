import type { CompanyAudience, CompanySize, CompanyType } from "../Prospecting/Targeting.ts"

/** A company in a directory that may become a lead. Unknown facts are null or empty. */
export interface Company {
  /** Identifies the place of business in its directory, and is the cursor of pages. */
  readonly key: string
  /** Identifies the company. Its places of business share it, and an account gets one lead per company. */
  readonly companyKey: string
  readonly legalName: string
  readonly tradeName: string | null
  /** A code of seven digits. */
  readonly cnae: string | null
  /** ISO 3166-1, two letters. */
  readonly country: string
  /** The code of a Brazilian state, two letters. */
  readonly state: string | null
  readonly city: string | null
  readonly type: CompanyType | null
  /** The sizes that it may have. Empty if its size is unknown. */
  readonly sizes: ReadonlyArray<typeof CompanySize.Type>
  readonly audience: typeof CompanyAudience.Type | null
  readonly employees: number | null
  /** Per year, in BRL. */
  readonly revenue: number | null
  /** `YYYY-MM-DD`. */
  readonly foundedOn: string | null
  /** A person who represents the company. */
  readonly person: string | null
  /** In the form in which leads store it. */
  readonly email: string | null
  /** E.164. */
  readonly phone: string | null
  readonly website: string | null
}
