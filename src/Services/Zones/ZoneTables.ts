import { getCountry, getTimezone } from "countries-and-timezones"
import { placeWords } from "../Text/Places/PlaceName.ts"
import brazilianAreaCodes from "./data/brazilianAreaCodes.json" with { type: "json" }
import countries from "./data/countries.json" with { type: "json" }
import northAmericanAreaCodes from "./data/northAmericanAreaCodes.json" with { type: "json" }
import phonePrefixes from "./data/phonePrefixes.json" with { type: "json" }
import regions from "./data/regions.json" with { type: "json" }

/** The time zones (IANA names) of a place. */
export interface PlaceZones {
  /** The zone where most people live. */
  readonly zone: string
  /** Zones where at least a tenth of the people live. */
  readonly others?: ReadonlyArray<string>
  /** Zones where few people live. They are possible, but no reason to doubt the main zone. */
  readonly rare?: ReadonlyArray<string>
}

const zonesOfCountries: { readonly [country: string]: PlaceZones } = countries
const zonesOfNorthAmericanCodes: { readonly [areaCode: string]: PlaceZones & { readonly country: string } } =
  northAmericanAreaCodes
const zonesOfBrazilianCodes: { readonly [areaCode: string]: PlaceZones } = brazilianAreaCodes
const zoneOfPrefix: { readonly [digits: string]: string } = phonePrefixes

/** The zones of a country (ISO 3166-1 alpha-2). Undefined for an unknown country. */
export const zonesOfCountry = (country: string): PlaceZones | undefined => {
  const ofTable = zonesOfCountries[country]
  if (ofTable !== undefined) return ofTable
  const zone = getCountry(country)?.timezones[0]
  return zone === undefined ? undefined : { zone }
}

/** The zone in which most people of a country live. */
export const zoneOfCountry = (country: string): string | undefined => zonesOfCountry(country)?.zone

/** The country that a zone is named after, if there is one. */
export const countryOfZone = (zone: string): string | undefined => getTimezone(zone)?.countries[0]

interface Region {
  readonly country: string
  readonly zones: PlaceZones
}

/** Countries whose states and provinces are all in the table. */
export const countriesWithStates: ReadonlySet<string> = new Set(["US", "CA", "MX", "AU", "BR"])

/** Regions by code ("CA", "US-CA") and by name in several languages. */
const regionsByName: ReadonlyMap<string, ReadonlyArray<Region>> = (() => {
  const table = new Map<string, Array<Region>>()
  for (const { codes, country, names, ...zones } of regions) {
    const keys = [...codes, ...codes.map((code) => `${country}-${code}`), ...names].map(placeWords)
    for (const key of new Set(keys)) table.set(key, [...(table.get(key) ?? []), { country, zones }])
  }
  return table
})()

/** "Estado de São Paulo" and "State of California" are names of states too. */
const withoutKind = (key: string): string =>
  key.replace(/^(?:estado d[eoa]l?|state of|province of|provincia de|province de) /, "")

/** The regions with that code or name, in all countries of the table. */
export const regionsNamed = (name: string): ReadonlyArray<Region> => {
  const key = placeWords(name)
  return regionsByName.get(key) ?? regionsByName.get(withoutKind(key)) ?? []
}

const longestPrefix = 6

/**
 * The zones that match a phone number in digits (with its country code). Undefined if the number only identifies a
 * country.
 */
export const zonesOfDigits = (digits: string): (PlaceZones & { readonly country?: string }) | undefined => {
  if (digits.startsWith("1")) return zonesOfNorthAmericanCodes[digits.slice(1, 4)]
  if (digits.startsWith("55")) {
    const zones = zonesOfBrazilianCodes[digits.slice(2, 4)]
    return zones === undefined ? undefined : { ...zones, country: "BR" }
  }
  for (let length = longestPrefix; length > 1; length--) {
    const zone = zoneOfPrefix[digits.slice(0, length)]
    if (zone !== undefined) return { zone }
  }
  return undefined
}
