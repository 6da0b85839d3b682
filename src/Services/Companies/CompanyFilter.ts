import type { Targeting } from "../Prospecting/Targeting.ts"
import { placeKey } from "../Text/Places/PlaceName.ts"
import type { Company } from "./Company.ts"
import { municipalityNamed } from "./Municipalities.ts"

/** Which companies are searched for: the effective targeting, with nothing left to inherit. */
export type CompanyFilter = Targeting

/** A code includes every code that begins with it. */
const isBranchOf = (cnae: string) => (code: string) => cnae.startsWith(code)

const isWithin = <A extends number | string>(value: A | null, lowest: A | null, highest: A | null): boolean =>
  value === null || ((lowest === null || value >= lowest) && (highest === null || value <= highest))

/** Compares with the present name and with earlier or alternative names of the municipality. */
const isCity = (city: string, state: string | null) => (name: string) =>
  placeKey(name) === placeKey(city) || (state !== null && municipalityNamed(name, state)?.name === city)

/** An empty list and an unknown value exclude nothing. */
const passes = <A>(list: ReadonlyArray<A>, value: A | null, isMatch: (entry: A) => boolean): boolean =>
  list.length === 0 || value === null || list.some(isMatch)

/** Codes and states are Brazilian, so a filter with them excludes foreign companies. */
const matchesPlaceAndTrade = (filter: CompanyFilter, { city, cnae, country, state }: Company): boolean => {
  const isBrazilian = country === "BR"
  return (
    (filter.country_filter.length === 0 || filter.country_filter.includes(country)) &&
    (isBrazilian || (filter.cnae_filter.length === 0 && filter.uf_filter.length === 0)) &&
    passes(filter.cnae_filter, cnae, isBranchOf(cnae ?? "")) &&
    (cnae === null || !filter.cnae_exclusion_filter.some(isBranchOf(cnae))) &&
    passes(filter.uf_filter, state, (entry) => entry === state) &&
    passes(filter.city_filter, city, isCity(city ?? "", isBrazilian ? state : null))
  )
}

const matchesKind = (filter: CompanyFilter, { audience, sizes, type }: Company): boolean =>
  passes(filter.company_type_filter, type, (entry) => entry === type) &&
  (filter.company_size_filter.length === 0 ||
    sizes.length === 0 ||
    sizes.some((size) => filter.company_size_filter.includes(size))) &&
  passes(
    filter.company_audience_filter,
    audience,
    (entry) => entry === audience || (audience === "B2BAndB2C" && entry === "B2B")
  )

const matchesFigures = (filter: CompanyFilter, { employees, foundedOn, revenue }: Company): boolean =>
  isWithin(employees, filter.min_employee_count, filter.max_employee_count) &&
  isWithin(revenue, filter.min_annual_revenue, filter.max_annual_revenue) &&
  isWithin(foundedOn, filter.min_founding_date, filter.max_founding_date)

/**
 * Whether a company passes the filter. An unknown fact excludes nothing. A filter for B2B includes companies that sell
 * to both. A directory's own search must agree with this.
 */
export const matches = (filter: CompanyFilter, company: Company): boolean =>
  matchesPlaceAndTrade(filter, company) && matchesKind(filter, company) && matchesFigures(filter, company)

/** Whether the targeting names any companies. A type alone does not, because it has a default. */
export const namesCompanies = (filter: CompanyFilter): boolean =>
  Object.entries(filter).some(
    ([field, value]) =>
      field !== "company_type_filter" &&
      field !== "cnae_exclusion_filter" &&
      field !== "country_filter" &&
      (Array.isArray(value) ? value.length > 0 : value !== null)
  )

/** The set fields of the filter for which a directory has no data. */
export const withoutEffect = (
  filter: CompanyFilter,
  unknown: ReadonlyArray<keyof CompanyFilter>
): ReadonlyArray<keyof CompanyFilter> =>
  unknown.filter((field) => {
    const value = filter[field]
    return Array.isArray(value) ? value.length > 0 : value !== null
  })
