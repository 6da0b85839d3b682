import { type CnaeRange, cnaeRanges } from "../../Services/Companies/CnaeRanges.ts"
import type { CompanyFilter } from "../../Services/Companies/CompanyFilter.ts"
import { municipalitiesNamed, stateNumbers } from "../../Services/Companies/Municipalities.ts"
import { CompanyType } from "../../Services/Prospecting/Targeting.ts"

/** What the tables are asked for: one look into an index for each place and range. */
export interface CnpjSearch {
  readonly types: ReadonlyArray<string>
  /** Numbers of municipalities, or of states; each of one kind. */
  readonly placeColumn: "city" | "state"
  readonly places: ReadonlyArray<number>
  readonly ranges: ReadonlyArray<CnaeRange>
  /** Null: whatever their size. */
  readonly sizes: ReadonlyArray<number> | null
  readonly foundedFrom: string | null
  readonly foundedTo: string | null
}

/** Companies abroad are in the data as places of Brazilian ones. */
const abroad = 99

const sizeClasses = { Micro: 1, Small: 2, Medium: 3, Large: 3 } as const
const unknownSize = 0

/** Municipalities that could not be matched have the state's number and zeros. */
const unknownCityOf = (state: number): number => state * 100_000

const inStates = (filter: CompanyFilter): ReadonlyArray<number> =>
  filter.uf_filter.length === 0
    ? [...stateNumbers.values()]
    : filter.uf_filter.flatMap((state) => stateNumbers.get(state) ?? [])

/** Undefined where no company can pass: the data has Brazil alone. */
export const cnpjSearch = (filter: CompanyFilter): CnpjSearch | undefined => {
  if (filter.country_filter.length > 0 && !filter.country_filter.includes("BR")) return undefined
  const states = inStates(filter)
  const cities = filter.city_filter.flatMap((name) =>
    municipalitiesNamed(name).flatMap(({ code }) => (states.includes(Math.floor(code / 100_000)) ? [code] : []))
  )
  const isByCity = filter.city_filter.length > 0
  const sizes = filter.company_size_filter
  return {
    types: filter.company_type_filter.length === 0 ? CompanyType.literals : filter.company_type_filter,
    placeColumn: isByCity ? "city" : "state",
    places: isByCity
      ? [...new Set(cities), ...states.map(unknownCityOf)]
      : filter.uf_filter.length === 0
        ? [...states, abroad]
        : states,
    ranges: cnaeRanges(filter.cnae_filter, filter.cnae_exclusion_filter),
    sizes: sizes.length === 0 ? null : [...new Set([unknownSize, ...sizes.map((size) => sizeClasses[size])])],
    foundedFrom: filter.min_founding_date,
    foundedTo: filter.max_founding_date
  }
}
