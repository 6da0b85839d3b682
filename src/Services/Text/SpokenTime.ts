import { instantOf, isZone, offsetAt, type WallClock, wallClock } from "../Core/LocalTime.ts"
import { fromMillis, type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { Language } from "./Language.ts"
import zoneNames from "./zoneNames.json" with { type: "json" }

/** By what clock times are said to a lead. */
export interface LeadClock {
  /** IANA name of the lead's zone. */
  readonly zone: string
  /** IANA name of the zone of those whom it is to meet. */
  readonly hostZone: string
  /** Whether it is known in which zone the lead lives. */
  readonly isCertain: boolean
  /** Whether its country has several zones. */
  readonly hasSeveral: boolean
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined
}

const dayOptions = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" } as const

const at: { readonly [L in Language]: string } = { "pt-BR": "às", en: "at", es: "a las" }

/** Countries where English clocks have twelve hours. */
const twelveHourCountries: ReadonlySet<string> = new Set(["US", "CA", "AU"])

/** Countries where an English date begins with the day. */
const dayFirstCountries: ReadonlySet<string> = new Set(["GB", "IE", "AU", "NZ", "ZA", "IN"])

const isDayFirst = (language: Language, country: string | undefined): boolean =>
  language === "en" && country !== undefined && dayFirstCountries.has(country)

/** Where nothing says from where somebody reads English, both parts of the day are said. */
const isTwelveHours = (language: Language, country: string | undefined): boolean =>
  language === "en" && (country === undefined || twelveHourCountries.has(country))

/** Nobody writes `martes, 17 de noviembre, 17:00` in a sentence, as the formatter does. */
const inSentence = (day: string, language: Language): string => (language === "es" ? day.replace(", ", " ") : day)

const dayText = ({ day, month, year }: WallClock, language: Language, country: string | undefined): string => {
  const format = new Intl.DateTimeFormat(isDayFirst(language, country) ? "en-GB" : language, dayOptions)
  return inSentence(format.format(Date.UTC(year, month - 1, day)), language)
}

const twoDigits = (value: number): string => String(value).padStart(2, "0")

const clockText = ({ hour, minute }: WallClock, hasTwelveHours: boolean): string =>
  hasTwelveHours
    ? `${hour % 12 || 12}:${twoDigits(minute)} ${hour < 12 ? "am" : "pm"}`
    : `${twoDigits(hour)}:${twoDigits(minute)}`

const namesOfZones: { readonly [zone: string]: { readonly [L in Language]: string } } = zoneNames

const timeOf: { readonly [L in Language]: (place: string) => string } = {
  "pt-BR": (place) => `horário de ${place}`,
  en: (place) => `${place} time`,
  es: (place) => `hora de ${place}`
}

/** A zone by its usual short name, else by its city: "ET", "horário de Lisboa". */
export const spokenZone = (zone: string, language: Language): string =>
  namesOfZones[zone]?.[language] ?? timeOf[language]((zone.split("/").at(-1) ?? zone).replaceAll("_", " "))

const isSameTime = (millis: number, zone: string, other: string): boolean =>
  offsetAt(millis, zone) === offsetAt(millis, other)

/** What is said behind the time: the zone, or two where the first is a guess. English puts a zone without brackets. */
const zoneText = (millis: number, clock: LeadClock, language: Language): string => {
  const { country, hasSeveral, hostZone, isCertain, zone } = clock
  const isSame = isSameTime(millis, zone, hostZone)
  if (isSame && isCertain && !hasSeveral) return ""
  const name = spokenZone(zone, language)
  if (isCertain || isSame) return language === "en" ? ` ${name}` : ` (${name})`
  const [here, there] = [wallClock(millis, zone), wallClock(millis, hostZone)]
  const day = here.day === there.day ? "" : `${dayText(there, language, country)} ${at[language]} `
  const host = `${day}${clockText(there, isTwelveHours(language, country))}`
  const hostName = spokenZone(hostZone, language)
  switch (language) {
    case "en":
      return ` ${name} (${host} ${hostName})`
    case "es":
      return ` (${name}; ${host} ${hostName})`
    case "pt-BR":
      return ` (${name}; ${host} no ${hostName})`
  }
}

/** Zones that do not exist are read as UTC, which is then said. */
const existing = (clock: LeadClock): LeadClock => ({
  ...clock,
  zone: isZone(clock.zone) ? clock.zone : "UTC",
  hostZone: isZone(clock.hostZone) ? clock.hostZone : "UTC",
  hasSeveral: clock.hasSeveral || !isZone(clock.zone)
})

/**
 * A time as a lead reads it: `quinta-feira, 13 de março às 15:00`. It names its zone where the lead is elsewhere than
 * those whom it meets or its country has several, and both zones where it is unknown in which one the lead lives.
 */
export const timeForLead = (startsAt: Timestamp, leadClock: LeadClock, language: Language): string => {
  const clock = existing(leadClock)
  const millis = toMillis(startsAt)
  const local = wallClock(millis, clock.zone)
  const time = clockText(local, isTwelveHours(language, clock.country))
  const day = dayText(local, language, clock.country)
  return `${day} ${at[language]} ${time}${zoneText(millis, clock, language)}`
}

/** A day (`YYYY-MM-DD`) and time (`HH:MM`) of the lead's own clock as the lead reads them. */
export const dayForLead = (date: string, time: string | null, leadClock: LeadClock, language: Language): string => {
  const clock = existing(leadClock)
  const [year = 1970, month = 1, day = 1] = date.split("-").map(Number)
  const [hour = 12, minute = 0] = (time ?? "12:00").split(":").map(Number)
  const millis = instantOf(year, month, day, hour, minute, clock.zone)
  if (time !== null) return timeForLead(fromMillis(millis), clock, language)
  return dayText(wallClock(millis, clock.zone), language, clock.country)
}

/** A time as the owner reads it, by the account's clock: `quinta-feira, 13 de março às 15:00`. */
export const spokenTime = (startsAt: Timestamp, timeZone: string, language: Language): string => {
  const zone = isZone(timeZone) ? timeZone : "UTC"
  const local = wallClock(toMillis(startsAt), zone)
  const time = `${dayText(local, language, undefined)} ${at[language]} ${clockText(local, false)}`
  return zone === timeZone ? time : `${time} UTC`
}
