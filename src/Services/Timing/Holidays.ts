import { createRequire } from "node:module"
import { getTimezone } from "countries-and-timezones"
import type { default as HolidayLibrary } from "date-holidays"
import type { ClosedDays } from "../Core/LocalTime.ts"
import { countryOfLead, type LeadPlace } from "../Text/LeadLanguage.ts"

/** Days on which offices are closed: what the law says, and what banks keep (in Brazil carnival and Corpus Christi). */
const closedTypes: ReadonlySet<string> = new Set(["public", "bank"])

const dayMillis = 86_400_000

let library: typeof HolidayLibrary | undefined

/** Some 20 MB, and a tenth of a second: loaded when the first lead is looked at, not with the gateway. */
const loaded = (): typeof HolidayLibrary => {
  library ??= createRequire(import.meta.url)("date-holidays") as typeof HolidayLibrary
  return library
}

const key = (year: number, month: number, day: number): number => year * 10_000 + month * 100 + day

/** A country's calendar, or a state's, which is its country's and more. */
interface Calendar {
  readonly years: Map<number, ReadonlySet<number>>
  readonly closed: ClosedDays
}

const closedIn = (country: string, state: string | undefined, year: number): ReadonlySet<number> => {
  const Library = loaded()
  const days = new Set<number>()
  // Some states' lists of the library lack days of the whole country's.
  for (const calendar of [new Library(country), ...(state === undefined ? [] : [new Library(country, state)])]) {
    for (const { date, end, start, type } of calendar.getHolidays(year)) {
      if (!closedTypes.has(type)) continue
      const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`)
      const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMillis))
      for (let index = 0; index < count; index++) {
        const shown = new Date(first + index * dayMillis)
        days.add(key(shown.getUTCFullYear(), shown.getUTCMonth() + 1, shown.getUTCDate()))
      }
    }
  }
  return days
}

const calendars = new Map<string, Calendar>()
/** Every country, and Brazil's states. */
const mostCalendars = 300

const calendarOf = (country: string, state: string | undefined): ClosedDays => {
  const name = `${country} ${state ?? ""}`
  const known = calendars.get(name)
  if (known !== undefined) return known.closed
  const years = new Map<number, ReadonlySet<number>>()
  const closed: ClosedDays = (year, month, day) => {
    const days = years.get(year) ?? closedIn(country, state, year)
    years.set(year, days)
    return days.has(key(year, month, day))
  }
  if (calendars.size < mostCalendars) calendars.set(name, { years, closed })
  return closed
}

const isState = /^[A-Z]{2}$/

/**
 * The national holidays of the country that a lead is in, and in Brazil those of its state; where nothing tells the
 * country, that of the time zone which stands for it. Each year of a calendar is worked out once.
 */
export const holidaysOf = (place: LeadPlace, zone: string): ClosedDays => {
  const country = countryOfLead(place) ?? getTimezone(zone)?.countries[0]
  if (country === undefined) return () => false
  const state = place.state?.trim().toUpperCase() ?? ""
  return calendarOf(country, country === "BR" && isState.test(state) ? state : undefined)
}
