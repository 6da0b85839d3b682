import { offsetAt } from "./LocalTime.ts"

/** A time in which a zone's offset from UTC stays the same. */
export interface OffsetPeriod {
  readonly from: string
  readonly until: string
  readonly minutes: number
}

const minuteMillis = 60_000
/** No zone changes its clocks twice within a week. */
const stepMillis = 7 * 24 * 60 * minuteMillis

/** The minute at which the offset changes, between a moment before it and one after it. */
const changeBetween = (before: number, after: number, zone: string): number => {
  const offset = offsetAt(before, zone)
  let [early, late] = [before, after]
  while (late - early > minuteMillis) {
    const middle = early + Math.floor((late - early) / 2 / minuteMillis) * minuteMillis
    if (offsetAt(middle, zone) === offset) early = middle
    else late = middle
  }
  return late
}

const isoOf = (millis: number): string => new Date(millis).toISOString()

/** The offsets of a zone between two moments (Unix milliseconds at whole minutes), the earliest first. */
export const offsetPeriods = (zone: string, from: number, until: number): ReadonlyArray<OffsetPeriod> => {
  const periods: Array<OffsetPeriod> = []
  const add = (since: number, end: number) =>
    periods.push({ from: isoOf(since), until: isoOf(end), minutes: offsetAt(since, zone) / minuteMillis })
  let since = from
  for (let at = from; at < until; at += stepMillis) {
    const next = Math.min(at + stepMillis, until)
    if (offsetAt(next, zone) === offsetAt(at, zone)) continue
    const change = changeBetween(at, next, zone)
    add(since, change)
    since = change
  }
  if (since < until) add(since, until)
  return periods
}

const cachedPeriods = new Map<string, ReadonlyArray<OffsetPeriod>>()
const mostCached = 500

/** The offsets of a zone in the year of a moment, in the two years before it and in the year after it. */
export const offsetsAround = (zone: string, millis: number): ReadonlyArray<OffsetPeriod> => {
  const year = new Date(millis).getUTCFullYear()
  const key = `${year} ${zone}`
  const existing = cachedPeriods.get(key)
  if (existing !== undefined) return existing
  const periods = offsetPeriods(zone, Date.UTC(year - 2, 0), Date.UTC(year + 2, 0))
  if (cachedPeriods.size >= mostCached) cachedPeriods.clear()
  cachedPeriods.set(key, periods)
  return periods
}
