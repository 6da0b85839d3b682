import { dateText, relativeText } from "../i18n/Formats.ts"

export type TimeStyle = "relative" | "day" | "clock" | "full"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** After a week, the date is shown instead of the number of days. */
const relativeLimit = 7 * day

const relative = (difference: number, locale: string): string => {
  const size = Math.abs(difference)
  if (size < minute) return relativeText(0, "minute", locale)
  if (size < hour) return relativeText(Math.trunc(difference / minute), "minute", locale)
  if (size < day) return relativeText(Math.trunc(difference / hour), "hour", locale)
  return relativeText(Math.round(difference / day), "day", locale)
}

const yearIn = (at: Date, timeZone: string): string => dateText(at, "en", { year: "numeric", timeZone })

/** Returns a time in words: `3 hr. ago`, `Mon, 3 Aug`, `14:30`, or all of it. */
export const formatTime = (at: Date, now: Date, locale: string, timeZone: string, style: TimeStyle): string => {
  if (style === "clock") return dateText(at, locale, { hour: "2-digit", minute: "2-digit", timeZone })
  const difference = at.getTime() - now.getTime()
  if (style === "relative" && Math.abs(difference) < relativeLimit) return relative(difference, locale)
  const year = yearIn(at, timeZone) === yearIn(now, timeZone) ? undefined : ("numeric" as const)
  const date = { day: "numeric", month: "short", year, timeZone } as const
  if (style === "relative") return dateText(at, locale, date)
  if (style === "day") return dateText(at, locale, { ...date, weekday: "short" })
  return dateText(at, locale, { ...date, weekday: "short", hour: "2-digit", minute: "2-digit" })
}

/** The day of a moment in a zone, as `2026-11-28`. */
export const dayIn = (at: Date, timeZone: string): string =>
  dateText(at, "en-CA", { year: "numeric", month: "2-digit", day: "2-digit", timeZone })
