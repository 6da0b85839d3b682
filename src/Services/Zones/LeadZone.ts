import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { isZone, offsetAt, type SendWindow } from "../Core/LocalTime.ts"
import { countryCodeOf, type LeadPlace } from "../Text/LeadLanguage.ts"
import {
  countriesWithStates,
  countryOfZone,
  type PlaceZones,
  regionsNamed,
  zonesOfCountry,
  zonesOfDigits
} from "./ZoneTables.ts"

/** The facts that show where a lead lives. */
export interface LeadZoneFacts extends LeadPlace {
  /** IANA name, stored with the lead or stated by it. */
  readonly timeZone: string | null
}

export interface AccountPlace {
  /** IANA name. */
  readonly timeZone: string
  /** Decides the country if the zone is only an offset from UTC. */
  readonly language?: string
}

export interface LeadZone {
  /** IANA name. */
  readonly zone: string
  /** False if the sources disagree, or if the lead's country has several zones and nothing else is known. */
  readonly isCertain: boolean
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  /** The zones in which the lead may live, including `zone`. There are several if it is uncertain. */
  readonly possible: ReadonlyArray<string>
  /** Whether at least a tenth of the country's people live outside its main zone. */
  readonly hasSeveral: boolean
}

const brasilia = "America/Sao_Paulo"

const isBlank = (text: string | null | undefined): text is null | undefined | "" =>
  text === null || text === undefined || text.trim() === ""

/** A winter and a summer day. Zones with equal offsets on both are treated as equal. */
const sampleDays = [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 12)]

const yearKeys = new Map<string, string>()

const yearKey = (zone: string): string => {
  const cached = yearKeys.get(zone)
  if (cached !== undefined) return cached
  const key = sampleDays.map((millis) => offsetAt(millis, zone)).join(" ")
  yearKeys.set(zone, key)
  return key
}

/** Zones with the same key have the same time on that day. Without a day, they have it all year. */
const offsetKey = (zone: string, at: number | undefined): string =>
  at === undefined ? yearKey(zone) : `${offsetAt(at, zone)}`

const allZones = ({ others = [], rare = [], zone }: PlaceZones): ReadonlyArray<string> => [zone, ...others, ...rare]
const commonZones = ({ others = [], zone }: PlaceZones): ReadonlyArray<string> => [zone, ...others]

const keysOf = (zones: ReadonlyArray<string>, at: number | undefined): ReadonlySet<string> =>
  new Set(zones.map((zone) => offsetKey(zone, at)))

/**
 * The zone that the sources agree on, the most important source first. Each consistent source narrows the offsets, and
 * a contradicting one makes the zone uncertain.
 */
const agreedZone = (
  sources: readonly [PlaceZones, ...ReadonlyArray<PlaceZones>],
  at: number | undefined
): Pick<LeadZone, "zone" | "isCertain" | "possible"> => {
  const [first, ...rest] = sources
  if (sources.every((source) => allZones(source).length === 1 && source.zone === first.zone)) {
    return { zone: first.zone, isCertain: true, possible: [first.zone] }
  }
  let possible = keysOf(allZones(first), at)
  const fitting = [first]
  for (const source of rest) {
    const keys = keysOf(allZones(source), at)
    const both = new Set([...possible].filter((key) => keys.has(key)))
    if (both.size === 0) continue
    possible = both
    fitting.push(source)
  }
  const common = keysOf(fitting.flatMap(commonZones), at)
  const likely = new Set([...possible].filter((key) => common.has(key)))
  const accepted = likely.size === 0 ? possible : likely
  const candidates = allZones(first).filter((zone) => accepted.has(offsetKey(zone, at)))
  const zone =
    candidates.find((candidate) => fitting.every((source) => allZones(source).includes(candidate))) ?? candidates[0]
  const isCertain = fitting.length === sources.length && accepted.size === 1
  const agreed = zone ?? first.zone
  return {
    zone: agreed,
    isCertain,
    possible: isCertain ? [agreed] : [...new Set([agreed, ...sources.flatMap(commonZones)])]
  }
}

/** The country of an account, by its zone, otherwise by its language. */
const countryOfAccountPlace = ({ language, timeZone }: AccountPlace): string | undefined =>
  countryOfZone(timeZone) ?? (language?.startsWith("pt") === true ? "BR" : undefined)

interface PhonePlace {
  readonly country?: string | undefined
  readonly zones?: PlaceZones | undefined
}

const placeOfPhone = (phone: string | null | undefined): PhonePlace => {
  const parsed = isBlank(phone) ? undefined : parsePhoneNumberFromString(phone)
  if (parsed === undefined) return {}
  const ofDigits = zonesOfDigits(`${parsed.countryCallingCode}${parsed.nationalNumber}`)
  const country = parsed.country ?? ofDigits?.country
  const ofCountry = country === undefined ? undefined : zonesOfCountry(country)
  return { country, zones: ofDigits ?? (ofCountry?.others === undefined ? ofCountry : undefined) }
}

/**
 * The region that a lead's state names, in the lead's country, otherwise in the account's. If the account's country has
 * no such region, the name must be unique worldwide.
 */
const regionOf = (
  state: string | null | undefined,
  country: string | undefined,
  accountCountry: string | undefined
): { readonly country: string; readonly zones: PlaceZones } | undefined => {
  if (isBlank(state)) return undefined
  const named = regionsNamed(state)
  if (country !== undefined) return named.find((region) => region.country === country)
  const ofAccount = named.find((region) => region.country === accountCountry)
  if (ofAccount !== undefined) return ofAccount
  const isListed = accountCountry === undefined || countriesWithStates.has(accountCountry)
  return isListed && named.length === 1 ? named[0] : undefined
}

const withCountry = (
  zone: Pick<LeadZone, "zone" | "isCertain" | "possible">,
  country: string | undefined
): LeadZone => ({
  ...zone,
  ...(country === undefined ? {} : { country }),
  hasSeveral: country !== undefined && (zonesOfCountry(country)?.others ?? []).length > 0
})

/**
 * The lead's time zone: the stored one, otherwise that of its state, phone, country or account, in this order. Sources
 * are compared by their offsets at `at` (Unix milliseconds), or over the whole year without it.
 */
export const leadZoneOf = (lead: LeadZoneFacts, account: AccountPlace, at?: number): LeadZone => {
  const writtenCountry = isBlank(lead.country) ? undefined : countryCodeOf(lead.country)
  const phone = placeOfPhone(lead.phone)
  const region = regionOf(lead.state, writtenCountry ?? phone.country, countryOfAccountPlace(account))
  const country = writtenCountry ?? phone.country ?? region?.country
  if (lead.timeZone !== null && isZone(lead.timeZone)) {
    return withCountry(
      { zone: lead.timeZone, isCertain: true, possible: [lead.timeZone] },
      country ?? countryOfZone(lead.timeZone)
    )
  }
  // A region and an area code are more precise than their country, so it adds nothing.
  const isCountryOpen = region === undefined && (phone.zones === undefined || phone.country !== country)
  const ofCountry = country === undefined || !isCountryOpen ? undefined : zonesOfCountry(country)
  const [first, ...rest] = [region?.zones, phone.zones, ofCountry].filter((source) => source !== undefined)
  if (first !== undefined) return withCountry(agreedZone([first, ...rest], at), country)
  const zone = isZone(account.timeZone) ? account.timeZone : brasilia
  return withCountry({ zone, isCertain: true, possible: [zone] }, country)
}

const hourMillis = 3_600_000

/** A shorter window would rarely be used. Then only the likely zone counts. */
const leastOpenHours = 2

/**
 * The hours in the likely zone at which the window is open in all possible zones. A lead in Los Angeles whose zone is
 * uncertain then gets no mail before dawn.
 */
export const windowInAllZones = ({ possible, zone }: LeadZone, window: SendWindow, at: number): SendWindow => {
  const behind = possible.map((other) => (offsetAt(at, zone) - offsetAt(at, other)) / hourMillis)
  const startHour = window.startHour + Math.ceil(Math.max(0, ...behind))
  const endHour = window.endHour + Math.floor(Math.min(0, ...behind))
  return endHour - startHour < leastOpenHours ? window : { ...window, startHour, endHour }
}
