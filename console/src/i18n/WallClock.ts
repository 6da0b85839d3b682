/** A time in which a zone's offset from UTC stays the same. */
export interface OffsetPeriod {
  readonly from: string
  readonly until: string
  readonly minutes: number
}

interface Period {
  readonly from: number
  readonly until: number
  readonly minutes: number
}

let accountZone: { readonly name: string; readonly periods: ReadonlyArray<Period> } | undefined

/** Sets the offsets of the account's zone, which the session has. Other zones need the browser's formatters. */
export const setAccountZone = (name: string, periods: ReadonlyArray<OffsetPeriod>): void => {
  accountZone = {
    name,
    periods: periods.map(({ from, minutes, until }) => ({
      from: Date.parse(from),
      until: Date.parse(until),
      minutes
    }))
  }
}

const minuteMillis = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en", {
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      hourCycle: "h23",
      timeZone
    })
  formats.set(timeZone, format)
  return format
}

const wallClockByFormat = (at: Date, timeZone: string): Date => {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)])
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return new Date(Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute")))
}

/** The date and time on a zone's clocks, in the UTC fields of a date. */
export const wallClock = (at: Date, timeZone: string): Date => {
  if (timeZone === "UTC") return at
  const millis = at.getTime()
  const period =
    accountZone?.name === timeZone
      ? accountZone.periods.find(({ from, until }) => from <= millis && millis < until)
      : undefined
  return period === undefined ? wallClockByFormat(at, timeZone) : new Date(millis + period.minutes * minuteMillis)
}
