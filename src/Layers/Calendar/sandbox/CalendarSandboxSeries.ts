import { RRuleTemporal } from "rrule-temporal"
import { wallClock } from "../../../Services/Core/LocalTime.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { type GoogleTime, periodOf } from "../Google/GoogleEvent.ts"

/** An event as the simulated provider stores it. */
export interface StoredEvent {
  readonly [member: string]: unknown
  readonly id: string
  readonly status?: string
  readonly start?: GoogleTime
  readonly end?: GoogleTime
  readonly recurrence?: ReadonlyArray<string>
  readonly recurringEventId?: string
  readonly originalStartTime?: GoogleTime
}

const compact = (millis: number): string => fromMillis(millis).replaceAll(/[-:]/g, "")
const twoDigits = (value: number): string => `${value}`.padStart(2, "0")

const local = (millis: number, zone: string): string => {
  const { day, hour, minute, month, year } = wallClock(millis, zone)
  const seconds = Math.floor(millis / 1000) % 60
  return `${year}${twoDigits(month)}${twoDigits(day)}T${twoDigits(hour)}${twoDigits(minute)}${twoDigits(seconds)}`
}

const dayOf = (millis: number, zone: string): string => {
  const { day, month, year } = wallClock(millis, zone)
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`
}

/** Adds days to a date, also across clock changes. */
const daysBetween = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000)

const daysLater = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

/** The instances of a series between two instants. Exceptions have ids of instances. */
export const instancesOf = (
  series: StoredEvent,
  from: number,
  to: number,
  calendarZone: string
): ReadonlyArray<StoredEvent> => {
  const first = periodOf(series, calendarZone)
  if (first === undefined) return []
  const isDays = typeof series.start?.date === "string"
  const zone = isDays ? calendarZone : (series.start?.timeZone ?? calendarZone)
  const rules = (series.recurrence ?? []).filter((line) => /^(?:RRULE|EXDATE|RDATE)[:;]/.test(line))
  const length = first.to - first.from
  const rule = new RRuleTemporal({
    rruleString: [`DTSTART;TZID=${zone}:${local(first.from, zone)}`, ...rules].join("\n"),
    maxIterations: 5000
  })
  // An instance that began earlier may still be running.
  const starts = rule.between(new Date(from - length - 86_400_000), new Date(to), true)
  const { recurrence: _, ...fields } = series
  return starts.map(({ epochMilliseconds: at }) => {
    const date = dayOf(at, zone)
    const [start, end]: readonly [GoogleTime, GoogleTime] = isDays
      ? [{ date }, { date: daysLater(date, daysBetween(series.start?.date ?? "", series.end?.date ?? "")) }]
      : [
          { dateTime: fromMillis(at), timeZone: zone },
          { dateTime: fromMillis(at + length), timeZone: zone }
        ]
    return {
      ...fields,
      id: `${series.id}_${isDays ? date.replaceAll("-", "") : compact(at)}`,
      recurringEventId: series.id,
      originalStartTime: start,
      start,
      end
    }
  })
}

/** The series of an instance's id, and the start of the instance. */
export const seriesOf = (eventId: string): { readonly seriesId: string; readonly near: number } | undefined => {
  const match = /^([a-v0-9]{5,1024})_(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})Z)?$/.exec(eventId)
  if (match === null) return undefined
  const [, seriesId = "", year, month, day, hour = "00", minute = "00", second = "00"] = match
  const near = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isFinite(near) ? { seriesId, near } : undefined
}
