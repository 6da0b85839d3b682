import { createRequire } from "node:module"
import { getTimezone } from "countries-and-timezones"
import type { default as HolidayLibrary } from "date-holidays"
import type { ClosedDays } from "../Core/LocalTime.ts"
import { countryOfLead, type LeadPlace } from "../Text/LeadLanguage.ts"

/** Days on which offices are closed: public holidays, and bank holidays (in Brazil carnival and Corpus Christi). */
const closedTypes: ReadonlySet<string> = new Set(["public", "bank"])

const dayMillis = 86_400_000

let library: typeof HolidayLibrary | undefined

/** The library takes about 20 MB and a tenth of a second to load, so it is loaded at the first use. */
const loaded = (): typeof HolidayLibrary => {
  library ??= createRequire(import.meta.url)("date-holidays") as typeof HolidayLibrary
  return library
}

const key = (year: number, month: number, day: number): number => year * 10_000 + month * 100 + day

/** The holidays of a country, or of a state including its country's. */
interface Calendar {
  readonly years: Map<number, ReadonlySet<number>>
  readonly closed: ClosedDays
}

const closedIn = (country: string, state: string | undefined, year: number): ReadonlySet<number> => {
  const Library = loaded()
  const days = new Set<number>()
  // For some states, the library lacks national holidays.
  for (const calendar of [new Library(country), ...(state === undefined ? [] : [new Library(country, state)])]) {
    for (const { date, end, start, type } of calendar.getHolidays(year)) {
      if (!closedTypes.has(type)) continue
      const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`)
      const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMillis))
      for (let index = 0; index < count; index++) {
        const localDate = new Date(first + index * dayMillis)
        days.add(key(localDate.getUTCFullYear(), localDate.getUTCMonth() + 1, localDate.getUTCDate()))
      }
    }
  }
  return days
}

const calendars = new Map<string, Calendar>()
/** How many calendars are cached: enough for every country and Brazil's states. */
const maximumCalendars = 300

const calendarOf = (country: string, state: string | undefined): ClosedDays => {
  const name = `${country} ${state ?? ""}`
  const cachedCalendar = calendars.get(name)
  if (cachedCalendar !== undefined) return cachedCalendar.closed
  const years = new Map<number, ReadonlySet<number>>()
  const closed: ClosedDays = (year, month, day) => {
    const days = years.get(year) ?? closedIn(country, state, year)
    years.set(year, days)
    return days.has(key(year, month, day))
  }
  if (calendars.size < maximumCalendars) calendars.set(name, { years, closed })
  return closed
}

const isState = /^[A-Z]{2}$/

/**
 * The national holidays of the lead's country, and in Brazil those of its state. Without a country, the account's time
 * zone decides. Each year is computed once.
 */
export const holidaysOf = (place: LeadPlace, zone: string): ClosedDays => {
  const country = countryOfLead(place) ?? getTimezone(zone)?.countries[0]
  if (country === undefined) return () => false
  const state = place.state?.trim().toUpperCase() ?? ""
  return calendarOf(country, country === "BR" && isState.test(state) ? state : undefined)
}
