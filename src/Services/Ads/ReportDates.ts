import { type Refused, refused } from "../../Errors.ts"

export const presets = ["LAST_7_DAYS", "LAST_30_DAYS", "LAST_90_DAYS", "THIS_MONTH", "LAST_MONTH"] as const

/** Days, both included, in the ads account's zone. */
export interface ReportDates {
  readonly from: string
  readonly to: string
}

const dayMillis = 86_400_000
/** The platform stores daily figures for 37 months. */
const keptMonths = 37

/** The date of an instant in a zone. */
export const dayIn = (timeZone: string, millis: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(millis)

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMillis).toISOString().slice(0, 10)

const monthBegin = (day: string, months: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months, 1)).toISOString().slice(0, 10)

const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const millis = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(millis) && new Date(millis).toISOString().slice(0, 10) === text
}

const wrong = (reason: string, error: string, detail: string): Refused =>
  refused(reason, error, detail, {
    parameter: "date_range",
    accepted_values: [...presets, "yyyy-MM-dd AND yyyy-MM-dd"]
  })

/** The dates of a range. Presets end yesterday, except the current month, which ends today. */
export const reportDates = (range: string, today: string): ReportDates | Refused => {
  const yesterday = addDays(today, -1)
  switch (range.trim().toUpperCase()) {
    case "LAST_7_DAYS":
      return { from: addDays(today, -7), to: yesterday }
    case "LAST_30_DAYS":
      return { from: addDays(today, -30), to: yesterday }
    case "LAST_90_DAYS":
      return { from: addDays(today, -90), to: yesterday }
    case "THIS_MONTH":
      return { from: monthBegin(today, 0), to: today }
    case "LAST_MONTH":
      return { from: monthBegin(today, -1), to: addDays(monthBegin(today, 0), -1) }
  }
  const parts = range.trim().split(/ and /i)
  const [from = "", to = ""] = parts
  if (parts.length !== 2 || !isDay(from) || !isDay(to)) {
    return wrong(
      "date_range_invalid",
      "date_range is no range of dates.",
      "Send a preset, or two dates with AND between."
    )
  }
  if (from > to)
    return wrong("dates_reversed", `The range begins on ${from}, after its end.`, "Put the earlier date first.")
  if (from > today)
    return wrong("dates_in_future", `The range begins on ${from}, which is to come.`, "Send days that were.")
  if (from < monthBegin(today, -keptMonths)) {
    return wrong("dates_too_early", `Figures are kept for ${keptMonths} months.`, "Begin the range later.")
  }
  return { from, to: to > today ? today : to }
}
