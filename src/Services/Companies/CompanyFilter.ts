import type { Targeting } from "../Prospecting/Targeting.ts"
import { placeKey } from "../Text/PlaceName.ts"
import type { Company } from "./Company.ts"
import { municipalityNamed } from "./Municipalities.ts"

/** Which companies are looked for: the targeting that holds, with nothing left to be inherited. */
export type CompanyFilter = Targeting

/** A code takes in every code that begins with it. */
const isBranchOf = (cnae: string) => (code: string) => cnae.startsWith(code)

const isWithin = <A extends number | string>(value: A | null, lowest: A | null, highest: A | null): boolean =>
  value === null || ((lowest === null || value >= lowest) && (highest === null || value <= highest))

/** Named so, or by a name that the municipality had or has elsewhere. */
const isCity = (city: string, state: string | null) => (wanted: string) =>
  placeKey(wanted) === placeKey(city) || (state !== null && municipalityNamed(wanted, state)?.name === city)

/**
 * Whether a company passes the filter. What is not known of a company excludes it from nothing. An ask for B2B also
 * takes companies that sell to both. This is what a directory's own search has to agree with.
 */
export const matches = (filter: CompanyFilter, company: Company): boolean => {
  const { audience, city, cnae, country, state } = company
  const isBrazilian = country === "BR"
  return (
    (filter.country_filter.length === 0 || filter.country_filter.includes(country)) &&
    // Codes and states are Brazil's: who asks for them asks for Brazilian companies.
    (filter.cnae_filter.length === 0 ||
      (isBrazilian && (cnae === null || filter.cnae_filter.some(isBranchOf(cnae))))) &&
    (cnae === null || !filter.cnae_exclusion_filter.some(isBranchOf(cnae))) &&
    (filter.uf_filter.length === 0 || (isBrazilian && (state === null || filter.uf_filter.includes(state)))) &&
    (filter.city_filter.length === 0 ||
      city === null ||
      filter.city_filter.some(isCity(city, isBrazilian ? state : null))) &&
    (filter.company_type_filter.length === 0 ||
      company.type === null ||
      filter.company_type_filter.includes(company.type)) &&
    (filter.company_size_filter.length === 0 ||
      company.sizes.length === 0 ||
      company.sizes.some((size) => filter.company_size_filter.includes(size))) &&
    (filter.company_audience_filter.length === 0 ||
      audience === null ||
      filter.company_audience_filter.includes(audience) ||
      (audience === "B2BAndB2C" && filter.company_audience_filter.includes("B2B"))) &&
    isWithin(company.employees, filter.min_employee_count, filter.max_employee_count) &&
    isWithin(company.revenue, filter.min_annual_revenue, filter.max_annual_revenue) &&
    isWithin(company.foundedOn, filter.min_founding_date, filter.max_founding_date)
  )
}

/** Whether anything says which companies are wanted; a type alone, which has a default, does not. */
export const namesCompanies = (filter: CompanyFilter): boolean =>
  Object.entries(filter).some(
    ([field, value]) =>
      field !== "company_type_filter" &&
      field !== "cnae_exclusion_filter" &&
      field !== "country_filter" &&
      (Array.isArray(value) ? value.length > 0 : value !== null)
  )

/** The fields of the filter that a directory without these figures cannot heed, of those that are set. */
export const withoutEffect = (
  filter: CompanyFilter,
  unknown: ReadonlyArray<keyof CompanyFilter>
): ReadonlyArray<keyof CompanyFilter> =>
  unknown.filter((field) => {
    const value = filter[field]
    return Array.isArray(value) ? value.length > 0 : value !== null
  })
