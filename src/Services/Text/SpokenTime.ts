import { instantOf, isZone, offsetAt, type WallClock, wallClock } from "../Core/LocalTime.ts"
import { fromMillis, type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { Language } from "./Language.ts"
import zoneNames from "./Places/zoneNames.json" with { type: "json" }

/** How to state times to a lead. */
export interface LeadClock {
  /** IANA name of the lead's time zone. */
  readonly zone: string
  /** IANA name of the time zone of the people whom the lead will meet. */
  readonly hostZone: string
  readonly isCertain: boolean
  /** Whether the lead's country has several zones. */
  readonly hasSeveral: boolean
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined
}

const dayOptions = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" } as const

const at: { readonly [L in Language]: string } = { "pt-BR": "às", en: "at", es: "a las" }

/** Countries that use the twelve-hour clock in English. */
const twelveHourCountries: ReadonlySet<string> = new Set(["US", "CA", "AU"])

/** Countries that put the day first in an English date. */
const dayFirstCountries: ReadonlySet<string> = new Set(["GB", "IE", "AU", "NZ", "ZA", "IN"])

const isDayFirst = (language: Language, country: string | undefined): boolean =>
  language === "en" && country !== undefined && dayFirstCountries.has(country)

/** If the reader's country is unknown, English texts state both the 12-hour and the 24-hour time. */
const isTwelveHours = (language: Language, country: string | undefined): boolean =>
  language === "en" && (country === undefined || twelveHourCountries.has(country))

/** The formatter writes `martes, 17 de noviembre, 17:00`, which is unusual inside a sentence. */
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

/** A zone's usual short name, or else its city: "ET", "horário de Lisboa". */
export const spokenZone = (zone: string, language: Language): string =>
  namesOfZones[zone]?.[language] ?? timeOf[language]((zone.split("/").at(-1) ?? zone).replaceAll("_", " "))

const isSameTime = (millis: number, zone: string, other: string): boolean =>
  offsetAt(millis, zone) === offsetAt(millis, other)

/** The zone after a time, or two zones if the first is a guess. In English it has no brackets. */
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

/** Replaces zones that do not exist by UTC, which the text then states. */
const existing = (clock: LeadClock): LeadClock => ({
  ...clock,
  zone: isZone(clock.zone) ? clock.zone : "UTC",
  hostZone: isZone(clock.hostZone) ? clock.hostZone : "UTC",
  hasSeveral: clock.hasSeveral || !isZone(clock.zone)
})

/**
 * A time as text for a lead: `quinta-feira, 13 de março às 15:00`. The zone is included if the lead and the people it
 * meets are in different zones, or if its country has several. Both zones are included if the lead's zone is uncertain.
 */
export const timeForLead = (startsAt: Timestamp, leadClock: LeadClock, language: Language): string => {
  const clock = existing(leadClock)
  const millis = toMillis(startsAt)
  const local = wallClock(millis, clock.zone)
  const time = clockText(local, isTwelveHours(language, clock.country))
  const day = dayText(local, language, clock.country)
  return `${day} ${at[language]} ${time}${zoneText(millis, clock, language)}`
}

/** A day (`YYYY-MM-DD`) and time (`HH:MM`) in the lead's zone, as text for the lead. */
export const dayForLead = (date: string, time: string | null, leadClock: LeadClock, language: Language): string => {
  const clock = existing(leadClock)
  const [year = 1970, month = 1, day = 1] = date.split("-").map(Number)
  const [hour = 12, minute = 0] = (time ?? "12:00").split(":").map(Number)
  const millis = instantOf(year, month, day, hour, minute, clock.zone)
  if (time !== null) return timeForLead(fromMillis(millis), clock, language)
  return dayText(wallClock(millis, clock.zone), language, clock.country)
}

/** A time as text for the owner, in the account's zone: `quinta-feira, 13 de março às 15:00`. */
export const spokenTime = (startsAt: Timestamp, timeZone: string, language: Language): string => {
  const zone = isZone(timeZone) ? timeZone : "UTC"
  const local = wallClock(toMillis(startsAt), zone)
  const time = `${dayText(local, language, undefined)} ${at[language]} ${clockText(local, false)}`
  return zone === timeZone ? time : `${time} UTC`
}
