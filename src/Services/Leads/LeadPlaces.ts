import { getMunicipalities } from "@brazilian-utils/brazilian-utils/get-municipalities"
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { countryCodeOf } from "../Text/LeadLanguage.ts"
import { placeKey } from "../Text/Places/PlaceName.ts"
import { regionName } from "../Text/Places/RegionName.ts"
import regions from "../Zones/data/regions.json" with { type: "json" }
import spanishRegions from "./data/spanishRegions.json" with { type: "json" }

/** Where a lead is, as its source says it or as it is stored. */
export interface WrittenPlace {
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
}

/** What a place without a country is read by. */
export interface PlaceContext {
  /** E.164. */
  readonly phone: string | null
  /** ISO 3166-1 alpha-2. */
  readonly accountCountry: string
}

interface Subdivision {
  readonly country: string
  readonly code: string
}

/** The states and provinces of a name or code, in all countries of the tables. */
const subdivisionsByKey: ReadonlyMap<string, ReadonlyArray<Subdivision>> = (() => {
  const table = new Map<string, Array<Subdivision>>()
  const add = (country: string, code: string, names: ReadonlyArray<string>) => {
    for (const key of new Set([code, `${country}-${code}`, ...names].map(placeKey))) {
      table.set(key, [...(table.get(key) ?? []), { country, code }])
    }
  }
  for (const { codes, country, names } of regions) add(country, codes[0] ?? "", [...codes.slice(1), ...names])
  for (const { code, names } of spanishRegions) add("ES", code, names)
  return table
})()

/** A longer text is no place. */
const longestPlace = 300

const kindOfRegion =
  /^(?:estado d[eoa]l?|state of|province of|provincia de|province de|prov\.?(?: de)?|edo\.?(?: de)?)\s+/i

const subdivisionsNamed = (text: string): ReadonlyArray<Subdivision> =>
  subdivisionsByKey.get(placeKey(text)) ?? subdivisionsByKey.get(placeKey(text.replace(kindOfRegion, ""))) ?? []

/** The subdivision of `country` that the text names. Without a country, that of the account's country. */
const subdivisionOf = (text: string, country: string | undefined, accountCountry: string): Subdivision | undefined => {
  const named = subdivisionsNamed(text)
  return named.find((subdivision) => subdivision.country === (country ?? accountCountry))
}

/** Codes are shorter. The same code is used in many countries, and not all of them are in the tables. */
const shortestStateName = 4

/** The country of a state: the account's if it has one of that name or code, else the only one with that name. */
export const countryOfState = (text: string, accountCountry: string): string | undefined => {
  const countries = new Set(subdivisionsNamed(text.slice(0, longestPlace)).map(({ country }) => country))
  if (countries.has(accountCountry)) return accountCountry
  const [only] = countries
  return countries.size === 1 && placeKey(text.slice(0, longestPlace)).length >= shortestStateName ? only : undefined
}

const remark = /\s*[([{][^)\]}]*[)\]}]\s*$/
const betweenNames = /\s*[/|]\s*|\s+[-–]\s+|\s*,\s*/

/** `SP - São Paulo` and `SP (interior)` name one state. */
const stateOf = (text: string, country: string | undefined, accountCountry: string): Subdivision | undefined => {
  const named = subdivisionOf(text, country, accountCountry)
  if (named !== undefined) return named
  const parts = text
    .replace(remark, "")
    .split(betweenNames)
    .filter((part) => part !== "")
  const subdivisions = parts.map((part) => subdivisionOf(part, country, accountCountry))
  const [first] = subdivisions
  return first !== undefined && subdivisions.every((one) => one?.code === first.code) ? first : undefined
}

/** Names all in capitals or all in small letters get the usual ones. */
const inUsualCase = (name: string): string =>
  name === name.toUpperCase() || name === name.toLowerCase() ? regionName(name.toUpperCase()) : name

interface Municipality {
  readonly name: string
  readonly state: string
}

let municipalities: ReadonlyMap<string, ReadonlyArray<Municipality>> | undefined

/** Brazil's municipalities of a name. The table is made when the first is looked up. */
const municipalitiesNamed = (name: string): ReadonlyArray<Municipality> => {
  municipalities ??= getMunicipalities().reduce((table, municipality) => {
    const key = placeKey(municipality.name)
    return table.set(key, [...(table.get(key) ?? []), { name: municipality.name, state: municipality.stateCode }])
  }, new Map<string, ReadonlyArray<Municipality>>())
  return municipalities.get(placeKey(name)) ?? []
}

/** The official spelling of a Brazilian city; undefined if the name or its state is open. */
const brazilianCity = (name: string, state: string | undefined): string | undefined => {
  const named = municipalitiesNamed(name)
  if (state !== undefined) return named.find((municipality) => municipality.state === state)?.name
  return named.length === 1 ? named[0]?.name : undefined
}

const cityName = (name: string, country: string | undefined, state: string | undefined): string =>
  (country === "BR" ? brazilianCity(name, state) : undefined) ?? inUsualCase(name)

/** `Campinas/SP`, `Campinas - SP`, `Campinas (SP)`, `Austin, TX`; a hyphen alone only before a code. */
const cityWithState = /^(.+?)(?:\s*[/|,]\s*|\s+[-–]\s+|\s*\(|-(?=\p{Lu}{2,3}$))([\p{L}. ]{2,40})\)?$/u

const oneLine = (text: string | null): string | undefined => {
  const clean = (text ?? "").slice(0, longestPlace).replace(/\s+/g, " ").trim()
  return clean === "" ? undefined : clean
}

interface CityReading {
  readonly name: string
  readonly state: Subdivision | undefined
}

/** The countries by which a place is read. */
interface Countries {
  /** The lead's, as far as it is known. */
  readonly own: string | undefined
  readonly account: string
}

/** Whether a state follows the name of a city in the text. */
const hasStateAtEnd = (text: string, countries: Countries): boolean => {
  const [, , suffix = ""] = cityWithState.exec(text) ?? []
  const named = subdivisionOf(suffix, countries.own, countries.account)
  return named !== undefined && municipalitiesNamed(text).length === 0
}

/** Splits a state off a city, also one that is named twice. It may repeat the lead's state, but not contradict it. */
const readCity = (text: string, state: Subdivision | undefined, countries: Countries): CityReading => {
  const [, name, suffix] = cityWithState.exec(text) ?? []
  if (name === undefined || suffix === undefined || municipalitiesNamed(text).length > 0) return { name: text, state }
  const named = subdivisionOf(suffix, countries.own, countries.account)
  if (named === undefined || (state !== undefined && state.code !== named.code)) return { name: text, state }
  const shorter = readCity(name, named, countries)
  // Two different states after one city: neither is certain.
  return shorter.name === name && hasStateAtEnd(name, countries) ? { name: text, state } : shorter
}

/** An unknown country has no known states, so that it is not replaced by the phone's. */
const ownCountryOf = (country: string | undefined, code: string | undefined, phone: string | null) => {
  if (country !== undefined) return code ?? "unknown"
  return phone === null ? undefined : parsePhoneNumberFromString(phone)?.country
}

interface CityAndState {
  readonly city: string | null
  readonly state: string | null
}

/** The city and the state. A state that is not understood does not decide which city it is. */
const readCityAndState = (city: string | undefined, state: string | undefined, countries: Countries): CityAndState => {
  const subdivision = state === undefined ? undefined : stateOf(state, countries.own, countries.account)
  if (city === undefined)
    return { city: null, state: subdivision?.code ?? (state === undefined ? null : inUsualCase(state)) }
  const reading = readCity(city, subdivision, countries)
  const region = state === undefined ? reading.state : subdivision
  const country = countries.own ?? region?.country ?? countries.account
  return {
    city: cityName(reading.name, country, region?.code),
    state: region?.code ?? (state === undefined ? null : inUsualCase(state))
  }
}

/** The rows of a file name few places, so each is read once. */
const mostRemembered = 2000
const remembered = new Map<string, CityAndState>()

const cityAndStateOf = (city: string | undefined, state: string | undefined, countries: Countries): CityAndState => {
  const key = `${city ?? ""}\n${state ?? ""}\n${countries.own ?? ""}\n${countries.account}`
  const before = remembered.get(key)
  if (before !== undefined) return before
  if (remembered.size >= mostRemembered) remembered.clear()
  const reading = readCityAndState(city, state, countries)
  remembered.set(key, reading)
  return reading
}

/**
 * A lead's place in the form in which leads store it: the country as ISO 3166-1 code, the state as its subdivision code
 * where the tables have it (Brazil, USA, Canada, Mexico, Australia, Spain), and the city in its usual spelling. What is
 * not understood stays as it is written.
 */
export const normalisedPlace = (place: WrittenPlace, { accountCountry, phone }: PlaceContext): WrittenPlace => {
  const [city, state, country] = [place.city, place.state, place.country].map(oneLine)
  const code = country === undefined ? undefined : countryCodeOf(country)
  // Without a city and a state, the phone's country would be looked up for nothing.
  const isOpen = city !== undefined || state !== undefined
  const own = isOpen ? ownCountryOf(country, code, phone) : undefined
  return { ...cityAndStateOf(city, state, { own, account: accountCountry }), country: code ?? country ?? null }
}
