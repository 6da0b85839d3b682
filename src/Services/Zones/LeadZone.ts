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
  /** IANA name, stored with the lead or named by it. */
  readonly timeZone: string | null
}

export interface AccountPlace {
  /** IANA name. */
  readonly timeZone: string
  /** Says the country where the zone is a fixed offset. */
  readonly language?: string
}

export interface LeadZone {
  /** IANA name. */
  readonly zone: string
  /** False where the sources disagree, or where nothing narrows a country of several zones. */
  readonly isCertain: boolean
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  /** The zones that it may live in, this one among them: more where it is not certain. */
  readonly possible: ReadonlyArray<string>
  /** Whether a tenth of the country's people or more live in other zones than most. */
  readonly hasSeveral: boolean
}

const brasilia = "America/Sao_Paulo"

const isBlank = (text: string | null | undefined): text is null | undefined | "" =>
  text === null || text === undefined || text.trim() === ""

/** A northern winter and a summer: zones whose offsets are equal on both days differ on none, for our purpose. */
const sampleDays = [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 12)]

const yearKeys = new Map<string, string>()

const yearKey = (zone: string): string => {
  const cached = yearKeys.get(zone)
  if (cached !== undefined) return cached
  const key = sampleDays.map((millis) => offsetAt(millis, zone)).join(" ")
  yearKeys.set(zone, key)
  return key
}

/** Zones with the same key show the same time on that day; without a day, all year. */
const offsetKey = (zone: string, at: number | undefined): string =>
  at === undefined ? yearKey(zone) : `${offsetAt(at, zone)}`

const allZones = ({ others = [], rare = [], zone }: PlaceZones): ReadonlyArray<string> => [zone, ...others, ...rare]
const commonZones = ({ others = [], zone }: PlaceZones): ReadonlyArray<string> => [zone, ...others]

const keysOf = (zones: ReadonlyArray<string>, at: number | undefined): ReadonlySet<string> =>
  new Set(zones.map((zone) => offsetKey(zone, at)))

/**
 * The zone that sources agree on, the most important first. Each source that fits narrows the offsets; one that
 * contradicts those before it makes the zone uncertain.
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

/** The country of an account, by its zone, else by its language. */
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
 * The region that a lead's state names: one of its country, else of the account's. Only where the account's country has
 * none of that name may it be the only one of that name anywhere.
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
 * The time zone that a lead lives in: stored with it, else that of its state, its phone, its country, else the account's.
 * Sources agree or disagree by their offsets at `at` (Unix milliseconds); without it, by those of the whole year.
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
  // A region and an area code are more exact than their own country, which could only repeat them.
  const isCountryOpen = region === undefined && (phone.zones === undefined || phone.country !== country)
  const ofCountry = country === undefined || !isCountryOpen ? undefined : zonesOfCountry(country)
  const [first, ...rest] = [region?.zones, phone.zones, ofCountry].filter((source) => source !== undefined)
  if (first !== undefined) return withCountry(agreedZone([first, ...rest], at), country)
  const zone = isZone(account.timeZone) ? account.timeZone : brasilia
  return withCountry({ zone, isCertain: true, possible: [zone] }, country)
}

const hourMillis = 3_600_000

/** A window that is shorter is hardly ever met: then the likely zone decides alone. */
const leastOpenHours = 2

/**
 * The hours of the likely zone at which the window is open in every zone that the lead may live in: one in Los Angeles of
 * whom only the country is known gets no mail before dawn.
 */
export const windowInAllZones = ({ possible, zone }: LeadZone, window: SendWindow, at: number): SendWindow => {
  const behind = possible.map((other) => (offsetAt(at, zone) - offsetAt(at, other)) / hourMillis)
  const startHour = window.startHour + Math.ceil(Math.max(0, ...behind))
  const endHour = window.endHour + Math.floor(Math.min(0, ...behind))
  return endHour - startHour < leastOpenHours ? window : { ...window, startHour, endHour }
}
