const formats = new Map<string, Intl.DateTimeFormat>()
const maximumFormats = 500

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const cachedFormat = formats.get(zone)
  if (cachedFormat !== undefined) return cachedFormat
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit"
  })
  if (formats.size < maximumFormats) formats.set(zone, format)
  return format
}

/** Whether the IANA zone exists. */
export const isZone = (name: string): boolean => {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

export interface WallClock {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  /** 0 is Sunday. */
  readonly weekday: number
}

/** The local date and time in `zone` at an instant (Unix milliseconds). */
export const wallClock = (millis: number, zone: string): WallClock => {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(millis)
      .map(({ type, value }) => [type, Number(value)])
  )
  const year = parts.get("year") ?? 0
  const month = parts.get("month") ?? 1
  const day = parts.get("day") ?? 1
  return {
    year,
    month,
    day,
    hour: parts.get("hour") ?? 0,
    minute: parts.get("minute") ?? 0,
    weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  }
}

const minuteMillis = 60_000
const dayMillis = 24 * 60 * minuteMillis

/** The zone's offset from UTC at an instant, in milliseconds. */
export const offsetAt = (millis: number, zone: string): number => {
  const { day, hour, minute, month, year } = wallClock(millis, zone)
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(millis / minuteMillis) * minuteMillis
}

/** The instant of a local day and hour in `zone`, in Unix milliseconds. The day may be outside its month. */
export const instantOf = (
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  zone: string
): number => {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute)
  const guess = asUtc - offsetAt(asUtc, zone)
  // Computed twice, because the first guess may be on the other side of a clock change.
  return asUtc - offsetAt(guess, zone)
}

/** The parts of a date `YYYY-MM-DD`. */
export const dateParts = (date: string): readonly [year: number, month: number, day: number] => {
  const [year = 1970, month = 1, day = 1] = date.split("-").map(Number)
  return [year, month, day]
}

/** The instant of a time of day (minutes since midnight) on a date `YYYY-MM-DD` in `zone`, in Unix milliseconds. */
export const instantAt = (date: string, minutes: number, zone: string): number =>
  instantOf(...dateParts(date), Math.floor(minutes / 60), minutes % 60, zone)

/**
 * The start of a day in a zone. The day may be outside its month. If a clock change skips midnight, the day starts
 * right after it.
 */
export const startOfDay = (year: number, month: number, day: number, zone: string): number => {
  const asUtc = Date.UTC(year, month - 1, day)
  const dayAsUtc = new Date(asUtc)
  const isThere = (millis: number): boolean => {
    const localTime = wallClock(millis, zone)
    return (
      localTime.day === dayAsUtc.getUTCDate() &&
      localTime.month === dayAsUtc.getUTCMonth() + 1 &&
      localTime.hour === 0 &&
      localTime.minute === 0
    )
  }
  const [early, late] = [asUtc - offsetAt(asUtc + dayMillis, zone), asUtc - offsetAt(asUtc - dayMillis, zone)].toSorted(
    (a, b) => a - b
  )
  if (early === undefined || late === undefined) return asUtc
  return isThere(early) ? early : late
}

/** Whether offices are closed on a date (`month` 1 to 12). The weekday is ignored. */
export type ClosedDays = (year: number, month: number, day: number) => boolean

export interface SendWindow {
  /** Local hours from `startHour` up to, but not including, `endHour`. */
  readonly startHour: number
  readonly endHour: number
  /** Holidays. By default none. */
  readonly isClosed?: ClosedDays
}

const isWorkday = ({ day, month, year }: Pick<WallClock, "year" | "month" | "day">, isClosed?: ClosedDays): boolean => {
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  return weekday >= 1 && weekday <= 5 && isClosed?.(year, month, day) !== true
}

/** Days to search for the next workday. No series of holidays is as long. */
const longestClosing = 60

/** `millis` if it is in the window on a workday, otherwise the start of the next window. */
export const nextInWindow = (millis: number, zone: string, { endHour, isClosed, startHour }: SendWindow): number => {
  const now = wallClock(millis, zone)
  const isOpenToday = isWorkday(now, isClosed)
  if (isOpenToday && now.hour >= startHour && now.hour < endHour) return millis
  for (let days = isOpenToday && now.hour < startHour ? 0 : 1; days <= longestClosing; days++) {
    const localNoon = wallClock(instantOf(now.year, now.month, now.day + days, 12, 0, zone), zone)
    if (isWorkday(localNoon, isClosed))
      return instantOf(localNoon.year, localNoon.month, localNoon.day, startHour, 0, zone)
  }
  return millis
}

/** Whether the local day is a weekday on which offices are closed for a holiday. */
export const isHoliday = (millis: number, zone: string, { isClosed }: SendWindow): boolean => {
  const now = wallClock(millis, zone)
  return isWorkday(now) && !isWorkday(now, isClosed)
}
