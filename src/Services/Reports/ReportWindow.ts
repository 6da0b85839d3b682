import { startOfDay, wallClock } from "../Core/LocalTime.ts"

export type Bucket = "day" | "week"

export interface ReportWindow {
  /** Unix milliseconds: the beginning of the first day in the account's zone, and now. */
  readonly from: number
  readonly to: number
  /** `YYYY-MM-DD` in the account's zone, oldest first; the last one is today. */
  readonly days: ReadonlyArray<string>
}

const dateText = (utc: number): string => new Date(utc).toISOString().slice(0, 10)

/** The last `days` days of the account's calendar, including today. */
export const reportWindow = (now: number, days: number, zone: string): ReportWindow => {
  const today = wallClock(now, zone)
  return {
    from: startOfDay(today.year, today.month, today.day - days + 1, zone),
    to: now,
    days: Array.from({ length: days }, (_, index) =>
      dateText(Date.UTC(today.year, today.month - 1, today.day - days + 1 + index))
    )
  }
}

/** The Monday of the date's week. */
export const mondayOf = (day: string): string => {
  const utc = Date.parse(`${day}T00:00:00Z`)
  const sinceMonday = (new Date(utc).getUTCDay() + 6) % 7
  return dateText(utc - sinceMonday * 86_400_000)
}

export const bucketOf = (day: string, bucket: Bucket): string => (bucket === "week" ? mondayOf(day) : day)

/** The buckets that contain the days, without duplicates, in order. */
export const bucketsOf = (days: ReadonlyArray<string>, bucket: Bucket): ReadonlyArray<string> => [
  ...new Set(days.map((day) => bucketOf(day, bucket)))
]

/** A share in percent, to a tenth. Null if the whole is 0. */
export const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10
