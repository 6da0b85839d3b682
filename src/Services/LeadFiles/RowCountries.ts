import { isSupportedCountry } from "libphonenumber-js/min"
import { countryOfState } from "../Leads/LeadPlaces.ts"
import { type CountryCode, callingCodeOf, isInNumberingPlan, phonesIn } from "../Text/ContactDetails.ts"
import { countryCodeOf } from "../Text/LeadLanguage.ts"
import type { LeadFileRow } from "./LeadFile.ts"

/** The countries by which the phone numbers of a row are read. */
export interface RowCountries {
  /** Evidence for the row's country apart from its name, strongest first. */
  readonly evidence: ReadonlyArray<CountryCode>
  /** The row's named country, otherwise the account's. */
  readonly usual: CountryCode
  /** Countries that other rows of the file suggest. */
  readonly ofFile: ReadonlyArray<CountryCode>
}

/** The countries for a number without a row. */
export const onlyCountry = (country: CountryCode): RowCountries => ({ evidence: [], usual: country, ofFile: [] })

/** Top-level domains of regions, and one that is not its country's code. */
const countryOfEnding: { readonly [ending: string]: CountryCode } = {
  uk: "GB",
  scot: "GB",
  wales: "GB",
  cat: "ES",
  gal: "ES",
  eus: "ES"
}
/** Top-level domains that companies in any country use, as an abbreviation or because they are free. */
const endingsUsedAnywhere = new Set(
  (
    "ac ag ai am cc cd cf co dj fm ga gg gl gq im in io is la li ly me ml ms mu nu pm pw re sc sh so st sx tf tk to tv " +
    "vc vg vu wf ws"
  ).split(" ")
)

const longestAddresses = 300
const betweenAddresses = /[\s;,/<>()|"'?:]+/
const endOfAddress = /\.([a-z]{2,6})\.*$/i

/**
 * The country of the web and e-mail addresses in a text. Undefined unless all their top-level domains belong to one
 * country.
 */
const countryOfAddresses = (text: string | undefined): CountryCode | undefined => {
  if (text === undefined || !text.includes(".")) return undefined
  const countries = new Set<CountryCode>()
  for (const token of text.slice(0, longestAddresses).toLowerCase().split(betweenAddresses)) {
    const ending = endOfAddress.exec(token.slice(token.lastIndexOf("@") + 1))?.[1]
    if (ending === undefined || endingsUsedAnywhere.has(ending)) continue
    const code = countryOfEnding[ending] ?? (ending.length === 2 ? countryCodeOf(ending) : undefined)
    if (code !== undefined && isSupportedCountry(code)) countries.add(code)
  }
  const [only] = countries
  return countries.size === 1 ? only : undefined
}

const namedCountry = ({ country }: LeadFileRow): CountryCode | undefined => {
  const code = country === undefined ? undefined : countryCodeOf(country)
  return code !== undefined && isSupportedCountry(code) ? code : undefined
}

/**
 * The countries that a row's data suggest, apart from a named country. A state of the account's country is stronger
 * evidence than an address.
 */
const countriesInEvidence = (row: LeadFileRow, accountCountry: CountryCode): ReadonlyArray<CountryCode> => {
  const ofAddress = countryOfAddresses(row.email) ?? countryOfAddresses(row.website)
  const state = row.state === undefined ? undefined : countryOfState(row.state, accountCountry)
  const ofState = state !== undefined && isSupportedCountry(state) ? state : undefined
  const inOrder = ofState === accountCountry ? [ofState, ofAddress] : [ofAddress, ofState]
  return inOrder.filter((country) => country !== undefined)
}

/** The countries of a row in an account of `accountCountry`. */
export const countriesOfRow = (
  row: LeadFileRow,
  accountCountry: CountryCode,
  ofFile: ReadonlyArray<CountryCode>
): RowCountries => {
  const named = namedCountry(row)
  if (named !== undefined) return { ...onlyCountry(named), ofFile }
  return { evidence: countriesInEvidence(row, accountCountry), usual: accountCountry, ofFile }
}

/** Numbers of the country, and numbers that are written with another country's code. */
const numbersThatFit = (text: string, country: CountryCode) => phonesIn(text, country).filter(isInNumberingPlan)

/** A number with a trunk prefix belongs to a country that has one: `020 7946 0182` is no American number. */
const numbersWithTrunkPrefix = (text: string, country: CountryCode): ReadonlyArray<string> => {
  const digits = text.replace(/\D/g, "")
  if (!digits.startsWith("0") || digits.startsWith("00")) return []
  return numbersThatFit(text, country).filter((number) => number === `+${callingCodeOf(country)}${digits.slice(1)}`)
}

/**
 * The numbers of a text in E.164. A country without explicit mention in the row only counts if its numbering plan and
 * the account's country both contain these numbers. Among possible countries, the one that explains the most numbers is
 * used, and then the one with the strongest evidence.
 */
export const phonesOfRow = (text: string, { ofFile, evidence, usual }: RowCountries): ReadonlyArray<string> => {
  const isElsewhere = evidence.some((country) => country !== usual)
  const readings = isElsewhere
    ? [...evidence, usual].map((country) => numbersThatFit(text, country))
    : [phonesIn(text, usual)]
  const best = readings.reduce((most, numbers) => (numbers.length > most.length ? numbers : most), [])
  if (best.length > 0) return best
  const ofOthers = ofFile.map((country) => numbersWithTrunkPrefix(text, country)).filter(({ length }) => length > 0)
  return ofOthers.length === 1 ? (ofOthers[0] ?? []) : []
}

/**
 * The country that a row suggests for the file: a country other than the account's, if the row has one of its numbers.
 */
export const countryForFile = (row: LeadFileRow, accountCountry: CountryCode): CountryCode | undefined => {
  const country = namedCountry(row) ?? countryOfAddresses(row.email) ?? countryOfAddresses(row.website)
  if (country === undefined || country === accountCountry) return undefined
  return numbersThatFit(row.phone, country).length > 0 ? country : undefined
}

/** One row may be a mistake. */
const fewestRowsOfCountry = 3
/** A file with customers in more countries gives no hint about a single row. */
const mostCountriesOfFile = 5

/** The countries of a file, sorted by the number of rows that suggest them. */
export const countriesOfFile = (rowsByCountry: ReadonlyMap<CountryCode, number>): ReadonlyArray<CountryCode> => {
  const countries = [...rowsByCountry].flatMap(([country, rows]) => (rows >= fewestRowsOfCountry ? [country] : []))
  return countries.length <= mostCountriesOfFile ? countries : []
}
