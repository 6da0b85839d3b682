import { clockText, dayText, distanceText } from "../i18n/DateTexts.ts"
import type { Locale } from "../i18n/Format.ts"
import { wallClock } from "../i18n/WallClock.ts"

export type TimeStyle = "relative" | "day" | "clock" | "full"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** After a week, the date is shown instead of the number of days. */
const relativeLimit = 7 * day

const relative = (difference: number, locale: Locale): string => {
  const size = Math.abs(difference)
  if (size < hour) return distanceText(Math.trunc(difference / minute), "minute", locale)
  if (size < day) return distanceText(Math.trunc(difference / hour), "hour", locale)
  return distanceText(Math.round(difference / day), "day", locale)
}

/** Returns a time in words: `3 hr. ago`, `Mon, 3 Aug`, `14:30`, or all of it. */
export const formatTime = (at: Date, now: Date, locale: Locale, timeZone: string, style: TimeStyle): string => {
  const local = wallClock(at, timeZone)
  if (style === "clock") return clockText(local, locale)
  const difference = at.getTime() - now.getTime()
  if (style === "relative" && Math.abs(difference) < relativeLimit) return relative(difference, locale)
  const hasYear = local.getUTCFullYear() !== wallClock(now, timeZone).getUTCFullYear()
  const text = dayText(local, locale, { hasWeekday: style !== "relative", hasYear })
  return style === "full" ? `${text}, ${clockText(local, locale)}` : text
}

/** The day of a moment in a zone, as `2026-11-28`. */
export const dayIn = (at: Date, timeZone: string): string => wallClock(at, timeZone).toISOString().slice(0, 10)
