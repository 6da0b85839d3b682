import type { HolidayName, Season } from "./TimeMeanings.ts"

/** A calendar day as the number of days since 1 January 1970, so that days can be compared and added. */
export type Day = number

const dayMillis = 86_400_000

/** The first and the last day of a span, both included. */
export interface Days {
  readonly first: Day
  readonly last: Day
}

export const dayOfDate = (date: string): Day => Math.round(Date.parse(`${date}T00:00:00Z`) / dayMillis)

/** `YYYY-MM-DD`. */
export const dateOfDay = (day: Day): string => new Date(day * dayMillis).toISOString().slice(0, 10)

/** The date `days` after a date, or before it if negative. Both are `YYYY-MM-DD`. */
export const daysAfter = (date: string, days: number): string => dateOfDay(dayOfDate(date) + days)

/** The day, if it exists. Months count from 1. */
export const dayOf = (year: number, month: number, dayOfMonth: number): Day | undefined => {
  if (year < 2000 || year > 2100 || month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > 31) return undefined
  const millis = Date.UTC(year, month - 1, dayOfMonth)
  return new Date(millis).getUTCDate() === dayOfMonth ? millis / dayMillis : undefined
}

export const partsOf = (day: Day): { readonly year: number; readonly month: number; readonly dayOfMonth: number } => {
  const date = new Date(day * dayMillis)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, dayOfMonth: date.getUTCDate() }
}

/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => (((day + 4) % 7) + 7) % 7

/** Weeks begin on Monday. */
export const mondayOf = (day: Day): Day => day - ((weekdayOf(day) + 6) % 7)

/** Month 13 is January of the next year. */
export const monthDays = (year: number, month: number): Days => ({
  first: Math.round(Date.UTC(year, month - 1, 1) / dayMillis),
  last: Math.round(Date.UTC(year, month, 0) / dayMillis)
})

/** The months of a year from `month` on, `count` of them. */
export const monthsDays = (year: number, month: number, count: number): Days => ({
  first: monthDays(year, month).first,
  last: monthDays(year, month + count - 1).last
})

/** Easter Sunday, by the anonymous Gregorian computus. */
export const easterOf = (year: number): Day => {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 19 * l) / 433)
  const month = Math.floor((h + l - 7 * m + 90) / 25)
  return Math.round(Date.UTC(year, month - 1, (h + l - 7 * m + 33 * month + 19) % 32) / dayMillis)
}

const span = (first: Day, length: number): Days => ({ first, last: first + length - 1 })

const fixed = (year: number, month: number, dayOfMonth: number): Day => monthDays(year, month).first + dayOfMonth - 1

/** The `count`-th such weekday of a month, or the last one if `count` is 5. */
const countedWeekday = (year: number, month: number, weekday: number, count: number): Day => {
  const { first, last } = monthDays(year, month)
  const day = first + ((weekday - weekdayOf(first) + 7) % 7) + (count - 1) * 7
  return day > last ? day - 7 : day
}

const daysOfHoliday: { readonly [H in HolidayName]: (year: number) => Days } = {
  carnival: (year) => span(easterOf(year) - 50, 5),
  "ash wednesday": (year) => span(easterOf(year) - 46, 1),
  "good friday": (year) => span(easterOf(year) - 2, 1),
  easter: (year) => span(easterOf(year) - 2, 3),
  "easter monday": (year) => span(easterOf(year) + 1, 1),
  "corpus christi": (year) => span(easterOf(year) + 60, 1),
  "memorial day": (year) => span(countedWeekday(year, 5, 1, 5), 1),
  "labor day": (year) => span(countedWeekday(year, 9, 1, 1), 1),
  thanksgiving: (year) => span(countedWeekday(year, 11, 4, 4), 2),
  christmas: (year) => span(fixed(year, 12, 24), 2),
  "beginning of the year": (year) => span(fixed(year, 1, 2), 14),
  "new year": (year) => span(fixed(year, 12, 31), 2),
  "year end": (year) => span(fixed(year, 12, 15), 17),
  "end of year holidays": (year) => span(fixed(year, 12, 20), 13),
  epiphany: (year) => span(fixed(year, 1, 6), 1)
}

/** The next occurrence of a yearly span. One that has already begun counts. */
const comingOfYears = (daysIn: (year: number) => Days, today: Day): Days => {
  const { year } = partsOf(today)
  const years = [year - 1, year, year + 1].map(daysIn)
  return years.find(({ last }) => last >= today) ?? daysIn(year + 1)
}

/** The next occurrence of a holiday. One that has already begun counts. */
export const holidayDays = (name: HolidayName, today: Day): Days => comingOfYears(daysOfHoliday[name], today)

const firstMonthOfSeason: { readonly [S in Season]: number } = { spring: 3, summer: 6, autumn: 9, winter: 12 }

/** Three whole months, as in everyday speech. */
export const seasonDays = (season: Season, isSouthern: boolean, today: Day): Days =>
  comingOfYears((year) => monthsDays(year, firstMonthOfSeason[season] - (isSouthern ? 6 : 0), 3), today)
