export type TimeStyle = "relative" | "day" | "clock" | "full"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** After a week, a date says more than a number of days. */
const relativeLimit = 7 * day

const relative = (difference: number, locale: string): string => {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" })
  const size = Math.abs(difference)
  if (size < minute) return format.format(0, "minute")
  if (size < hour) return format.format(Math.trunc(difference / minute), "minute")
  if (size < day) return format.format(Math.trunc(difference / hour), "hour")
  return format.format(Math.round(difference / day), "day")
}

const yearIn = (at: Date, timeZone: string): string => at.toLocaleString("en", { year: "numeric", timeZone })

/** A moment in words: `3 hr. ago`, `Mon, 3 Aug`, `14:30`, or all of it. */
export const formatTime = (at: Date, now: Date, locale: string, timeZone: string, style: TimeStyle): string => {
  const year = yearIn(at, timeZone) === yearIn(now, timeZone) ? undefined : ("numeric" as const)
  if (style === "clock") return at.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", timeZone })
  if (style === "day") {
    return at.toLocaleDateString(locale, { weekday: "short", day: "numeric", month: "short", year, timeZone })
  }
  if (style === "full") {
    return at.toLocaleString(locale, {
      weekday: "short",
      day: "numeric",
      month: "short",
      year,
      hour: "2-digit",
      minute: "2-digit",
      timeZone
    })
  }
  const difference = at.getTime() - now.getTime()
  if (Math.abs(difference) < relativeLimit) return relative(difference, locale)
  return at.toLocaleDateString(locale, { day: "numeric", month: "short", year, timeZone })
}

/** The day of a moment in a zone, as `2026-11-28`. */
export const dayIn = (at: Date, timeZone: string): string => at.toLocaleDateString("en-CA", { timeZone })
