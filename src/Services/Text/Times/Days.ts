import type { HolidayName } from "./TimeWords.ts"

/** A calendar day as the number of days since 1 January 1970: days are counted, compared and added as numbers. */
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

/** The day, where the month has it; months are counted from 1. */
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

/** Month 13 is the next year's first one. */
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

const daysOfHoliday: { readonly [H in HolidayName]: (year: number) => Days } = {
  carnival: (year) => span(easterOf(year) - 50, 5),
  easter: (year) => span(easterOf(year) - 2, 3),
  christmas: (year) => span(fixed(year, 12, 24), 2),
  "new year": (year) => span(fixed(year, 12, 31), 2),
  "year end": (year) => span(fixed(year, 12, 20), 13),
  epiphany: (year) => span(fixed(year, 1, 6), 1),
  thanksgiving: (year) => {
    const first = fixed(year, 11, 1)
    return span(first + ((11 - weekdayOf(first)) % 7) + 21, 2)
  }
}

/** The next time that a holiday comes: the one that is on now counts. */
export const holidayDays = (name: HolidayName, today: Day): Days => {
  const { year } = partsOf(today)
  const years = [year - 1, year, year + 1].map(daysOfHoliday[name])
  return years.find(({ last }) => last >= today) ?? daysOfHoliday[name](year + 1)
}
