import { getCountry, getTimezone } from "countries-and-timezones"
import { zoneOfCountry } from "../Zones/ZoneTables.ts"

const hour = 3_600_000
const minute = 60_000

/** Minutes that the zone is ahead of UTC at a moment; undefined where there is no such zone. */
export const offsetMinutes = (zone: string, now: number): number | undefined => {
  try {
    const parts = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric"
    }).formatToParts(now)
    const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
    const local = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"))
    return Math.round((local - Math.floor(now / 1000) * 1000) / minute)
  } catch {
    return undefined
  }
}

/**
 * Whole hours ahead of UTC, -11 to 14, of a place where the clock shows `currentHour` now. One hour on the clock is
 * told of by two offsets where they are a day apart (13 and -11, 14 and -10, 12 and -12): the country's decides, else
 * the one nearer to UTC. A zone on the half or quarter hour counts as the whole hour that its clock shows.
 */
export const offsetOfHour = (currentHour: number, now: number, countryOffsets: ReadonlyArray<number>): number => {
  const utcHour = new Date(now).getUTCHours()
  const behind = (currentHour - utcHour + 24) % 24
  const candidates = [behind, behind - 24].filter((offset) => offset >= -11 && offset <= 14)
  const known = candidates.find((offset) => countryOffsets.includes(offset))
  return known ?? candidates.reduce((best, offset) => (Math.abs(offset) < Math.abs(best) ? offset : best))
}

export interface FoundZone {
  /** Hours to add to UTC now; whole as told, or exact where the zone is known. */
  readonly offsetHours: number
  /** IANA name; a fixed offset (`Etc/GMT+3`) where the country does not make one certain. */
  readonly zone: string
  readonly isCertain: boolean
}

const clockHour = (offset: number, now: number): number => new Date(now + offset * minute).getUTCHours()

const fixedZone = (offset: number): string =>
  offset === 0 ? "Etc/UTC" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`

/**
 * The zone of an account whose clock shows `currentHour` now. Certain, and then daylight saving is followed, where all
 * zones of its country whose clock shows that hour have the same offset now and half a year from now.
 */
export const zoneOfHour = (currentHour: number, now: number, country: string | undefined): FoundZone => {
  const zones = (country === undefined ? [] : (getCountry(country)?.timezones ?? [])).filter(
    (zone) => getTimezone(zone)?.deprecated !== true
  )
  const offsets = zones.map((zone) => ({
    zone,
    now: offsetMinutes(zone, now) ?? 0,
    later: offsetMinutes(zone, now + 182 * 24 * hour) ?? 0
  }))
  const shown = offsets.filter((candidate) => clockHour(candidate.now, now) === currentHour)
  const first = shown[0]
  if (first !== undefined && shown.every(({ later, now }) => now === first.now && later === first.later)) {
    const main = country === undefined ? undefined : zoneOfCountry(country)
    const zone = shown.find((candidate) => candidate.zone === main)?.zone ?? first.zone
    return { offsetHours: first.now / 60, zone, isCertain: true }
  }
  const offset = offsetOfHour(
    currentHour,
    now,
    shown.map((candidate) => Math.floor(candidate.now / 60))
  )
  return { offsetHours: offset, zone: fixedZone(offset), isCertain: false }
}
