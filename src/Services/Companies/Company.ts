import type { CompanyAudience, CompanySize, CompanyType } from "../Prospecting/Targeting.ts"

/** A company that may become a lead, as a directory knows it. What it does not know is null, or empty. */
export interface Company {
  /** Names the place of business within its directory: a page goes on behind it. */
  readonly key: string
  /** Names the company, whose places of business share it: one company becomes a lead of an account once. */
  readonly companyKey: string
  readonly legalName: string
  readonly tradeName: string | null
  /** Seven digits. */
  readonly cnae: string | null
  /** ISO 3166-1, two letters. */
  readonly country: string
  /** The two letters of a Brazilian state. */
  readonly state: string | null
  readonly city: string | null
  readonly type: CompanyType | null
  /** The sizes it may have; empty where nothing is known of its size. */
  readonly sizes: ReadonlyArray<typeof CompanySize.Type>
  readonly audience: typeof CompanyAudience.Type | null
  readonly employees: number | null
  /** Per year, in BRL. */
  readonly revenue: number | null
  /** `YYYY-MM-DD`. */
  readonly foundedOn: string | null
  /** Somebody who speaks for the company. */
  readonly person: string | null
  /** In the form in which leads have it. */
  readonly email: string | null
  /** E.164. */
  readonly phone: string | null
  readonly website: string | null
}
