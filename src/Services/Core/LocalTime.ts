const formats = new Map<string, Intl.DateTimeFormat>()
const maximumFormats = 500

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
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

/** What clocks in `zone` show at an instant (Unix milliseconds). */
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

/** How far clocks in the zone are ahead of UTC then, in milliseconds. */
export const offsetAt = (millis: number, zone: string): number => {
  const { day, hour, minute, month, year } = wallClock(millis, zone)
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(millis / minuteMillis) * minuteMillis
}

/** When clocks in `zone` show the given day (which may lie outside its month) and hour, in Unix milliseconds. */
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
  // Twice, since the guess may lie on the other side of a change of the clocks.
  return asUtc - offsetAt(guess, zone)
}

/** The parts of a date `YYYY-MM-DD`. */
export const dateParts = (date: string): readonly [year: number, month: number, day: number] => {
  const [year = 1970, month = 1, day = 1] = date.split("-").map(Number)
  return [year, month, day]
}

/** When clocks in `zone` show a time of day (minutes since midnight) on a date `YYYY-MM-DD`, in Unix milliseconds. */
export const instantAt = (date: string, minutes: number, zone: string): number =>
  instantOf(...dateParts(date), Math.floor(minutes / 60), minutes % 60, zone)

/**
 * When a day (which may lie outside its month) begins in a zone: at midnight, or when the clocks that skip it stand
 * behind it.
 */
export const startOfDay = (year: number, month: number, day: number, zone: string): number => {
  const asUtc = Date.UTC(year, month - 1, day)
  const wanted = new Date(asUtc)
  const isThere = (millis: number): boolean => {
    const shown = wallClock(millis, zone)
    return (
      shown.day === wanted.getUTCDate() &&
      shown.month === wanted.getUTCMonth() + 1 &&
      shown.hour === 0 &&
      shown.minute === 0
    )
  }
  const [early, late] = [asUtc - offsetAt(asUtc + dayMillis, zone), asUtc - offsetAt(asUtc - dayMillis, zone)].toSorted(
    (a, b) => a - b
  )
  if (early === undefined || late === undefined) return asUtc
  return isThere(early) ? early : late
}

/** Whether offices are closed on a day (`month` 1 to 12), whichever day of the week it is. */
export type ClosedDays = (year: number, month: number, day: number) => boolean

export interface SendWindow {
  /** Local hours: from `startHour` to before `endHour`. */
  readonly startHour: number
  readonly endHour: number
  /** Holidays; none unless told. */
  readonly isClosed?: ClosedDays
}

const isWorkday = ({ day, month, year }: Pick<WallClock, "year" | "month" | "day">, isClosed?: ClosedDays): boolean => {
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  return weekday >= 1 && weekday <= 5 && isClosed?.(year, month, day) !== true
}

/** Weeks of holidays in a row there are few, months none. */
const longestClosing = 60

/** `millis` when it lies in the window on a workday, else the beginning of the next window. */
export const nextInWindow = (millis: number, zone: string, { endHour, isClosed, startHour }: SendWindow): number => {
  const now = wallClock(millis, zone)
  const isOpenToday = isWorkday(now, isClosed)
  if (isOpenToday && now.hour >= startHour && now.hour < endHour) return millis
  for (let days = isOpenToday && now.hour < startHour ? 0 : 1; days <= longestClosing; days++) {
    const shown = wallClock(instantOf(now.year, now.month, now.day + days, 12, 0, zone), zone)
    if (isWorkday(shown, isClosed)) return instantOf(shown.year, shown.month, shown.day, startHour, 0, zone)
  }
  return millis
}

/** Whether a day that is a workday elsewhere is none where these clocks are, for a holiday. */
export const isHoliday = (millis: number, zone: string, { isClosed }: SendWindow): boolean => {
  const now = wallClock(millis, zone)
  return isWorkday(now) && !isWorkday(now, isClosed)
}
