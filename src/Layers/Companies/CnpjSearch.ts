import { type CnaeRange, cnaeRanges } from "../../Services/Companies/CnaeRanges.ts"
import type { CompanyFilter } from "../../Services/Companies/CompanyFilter.ts"
import { municipalitiesNamed, stateNumbers } from "../../Services/Companies/Municipalities.ts"
import { CompanyType } from "../../Services/Prospecting/Targeting.ts"

/** What the tables are asked for: one look into an index for each place and range. */
export interface CnpjSearch {
  readonly types: ReadonlyArray<CompanyType>
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

/** Companies of a kind that were founded in a year; 0 for those that do not say. */
export interface YearCount {
  readonly type: CompanyType
  readonly year: number
  readonly companies: number
}

const dayMillis = 86_400_000

const firstDay = (year: number): number => {
  const date = new Date(0)
  date.setUTCFullYear(year)
  return date.getTime() / dayMillis
}

const dayOf = (text: string | null, otherwise: number): number =>
  text === null ? otherwise : Date.parse(text) / dayMillis

/** The share of a year's days that lies between two days, both included. */
const shareOfYear = (year: number, from: number, to: number): number => {
  const begin = firstDay(year)
  const end = firstDay(year + 1)
  return Math.max(0, Math.min(end, to + 1) - Math.max(begin, from)) / (end - begin)
}

/** How many there are of the kinds, and about how many of them the days of foundation leave. */
const countsOf = ({ foundedFrom, foundedTo, types }: CnpjSearch, years: ReadonlyArray<YearCount>) => {
  const from = dayOf(foundedFrom, Number.NEGATIVE_INFINITY)
  const to = dayOf(foundedTo, Number.POSITIVE_INFINITY)
  const counts = { all: 0, left: 0 }
  for (const { companies, type, year } of years) {
    if (!types.includes(type)) continue
    counts.all += companies
    counts.left += companies * (year === 0 ? 1 : shareOfYear(year, from, to))
  }
  return counts
}

/** The share of the companies of the kinds that the days of foundation leave, as if a year's were spread evenly. */
export const foundedShare = (search: CnpjSearch, years: ReadonlyArray<YearCount>): number => {
  const { all, left } = countsOf(search, years)
  return all === 0 ? 1 : left / all
}

/**
 * Whether fewer entries of the index are read by day of foundation, where all of these days are, than by place, where as
 * many are passed over as do not fit until so many are found.
 */
export const isFasterByDay = (search: CnpjSearch, years: ReadonlyArray<YearCount>, wanted: number): boolean => {
  const { all, left } = countsOf(search, years)
  return left < Math.min(all, left === 0 ? all : (wanted * all) / left)
}
