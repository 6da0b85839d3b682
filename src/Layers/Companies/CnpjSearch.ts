import { type CnaeRange, cnaeRanges } from "../../Services/Companies/CnaeRanges.ts"
import type { CompanyFilter } from "../../Services/Companies/CompanyFilter.ts"
import { municipalitiesNamed, stateNumbers } from "../../Services/Companies/Municipalities.ts"
import { CompanyType } from "../../Services/Prospecting/Targeting.ts"

/** A search of the company tables. Each combination of place and range is one index look-up. */
export interface CnpjSearch {
  readonly types: ReadonlyArray<CompanyType>
  /** Numbers of municipalities or of states, but not both. */
  readonly placeColumn: "city" | "state"
  readonly places: ReadonlyArray<number>
  readonly ranges: ReadonlyArray<CnaeRange>
  /** Null means any size. */
  readonly sizes: ReadonlyArray<number> | null
  readonly foundedFrom: string | null
  readonly foundedTo: string | null
}

/** The number of the state for companies abroad, which the data lists as places of Brazilian companies. */
const abroad = 99

const sizeClasses = { Micro: 1, Small: 2, Medium: 3, Large: 3 } as const
const unknownSize = 0

/** Unmatched municipalities have the state's number followed by zeros. */
const unknownCityOf = (state: number): number => state * 100_000

const inStates = (filter: CompanyFilter): ReadonlyArray<number> =>
  filter.uf_filter.length === 0
    ? [...stateNumbers.values()]
    : filter.uf_filter.flatMap((state) => stateNumbers.get(state) ?? [])

/** Converts a filter to a search. Undefined if no company can match. The data covers Brazil only. */
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

/** The number of companies of a kind founded in a year. Year 0 means unknown. */
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

/** The share of a year's days between two days, both included. */
const shareOfYear = (year: number, from: number, to: number): number => {
  const begin = firstDay(year)
  const end = firstDay(year + 1)
  return Math.max(0, Math.min(end, to + 1) - Math.max(begin, from)) / (end - begin)
}

/**
 * Returns the number of companies of the given kinds, and an estimate of how many remain after filtering by day of
 * foundation.
 */
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

/**
 * The estimated share of companies that remains after filtering by day of foundation, as if foundations were spread
 * evenly over each year.
 */
export const foundedShare = (search: CnpjSearch, years: ReadonlyArray<YearCount>): number => {
  const { all, left } = countsOf(search, years)
  return all === 0 ? 1 : left / all
}

/**
 * True if searching by day of foundation reads fewer index entries than searching by place. By day, all days are read.
 * By place, entries that do not match are skipped until enough are found.
 */
export const isFasterByDay = (search: CnpjSearch, years: ReadonlyArray<YearCount>, limit: number): boolean => {
  const { all, left } = countsOf(search, years)
  return left < Math.min(all, left === 0 ? all : (limit * all) / left)
}
