import { instantOf, nextInWindow, type SendWindow, wallClock } from "../Core/LocalTime.ts"
import { type TimingSource, type Weekday, weekdays } from "./Timing.ts"

/** The preferred hours, and the replies or the trial that they are based on. */
export interface PreferredHours {
  readonly reason:
    | { readonly _tag: "Replies"; readonly source: TimingSource; readonly replies: number }
    | { readonly _tag: "Trial"; readonly part: "morning" | "afternoon" }
  /** The weight of each hour of a weekday (0 is Sunday). Missing hours have none. */
  readonly hours: ReadonlyArray<{ readonly weekday: number; readonly hour: number; readonly weight: number }>
}

/** A touch's time, with the reason, in the lead's local time. */
export interface TouchTime {
  /** Unix milliseconds. */
  readonly at: number
  readonly weekday: Weekday
  readonly hour: number
  readonly reason: PreferredHours["reason"]
}

/** Touches are spread over this many best hours of a day. */
const hoursOfDay = 3

/** Halves of a send window. Noon separates them if it is within the window. */
export const halfOf = (part: "morning" | "afternoon", { endHour, startHour }: SendWindow): ReadonlyArray<number> => {
  const noon = startHour < 12 && 12 < endHour ? 12 : Math.ceil((startHour + endHour) / 2)
  const [from, to] = part === "morning" ? [startHour, noon] : [noon, endHour]
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

/** All hours of a half with equal weight, on any day. */
export const preferredHalf = (part: "morning" | "afternoon", window: SendWindow): PreferredHours => ({
  reason: { _tag: "Trial", part },
  hours: [1, 2, 3, 4, 5].flatMap((weekday) => halfOf(part, window).map((hour) => ({ weekday, hour, weight: 1 })))
})

/**
 * A time on the day of `earliest`, or on the next day with a send window, at a preferred hour. The hour is one of the
 * three best of that weekday, chosen by weight. If the weekday has no preferred hour, the week's best count. `share` (0
 * to below 1) belongs to the lead and spreads leads over the hour. Undefined if the window has no preferred hour after
 * `now`.
 */
export const touchTime = (
  earliest: number,
  {
    now,
    share,
    preferred,
    window,
    zone
  }: {
    readonly now: number
    readonly zone: string
    readonly window: SendWindow
    readonly preferred: PreferredHours
    readonly share: number
  }
): TouchTime | undefined => {
  const { day, month, weekday, year } = wallClock(nextInWindow(earliest, zone, window), zone)
  const atHour = (hour: number, minute: number): number => instantOf(year, month, day, hour, minute, zone)
  const isPossible = (hour: number): boolean =>
    hour >= window.startHour && hour < window.endHour && atHour(hour, 0) > now
  const weights = (ofDay: boolean): ReadonlyArray<readonly [hour: number, weight: number]> => {
    const sums = new Map<number, number>()
    for (const one of preferred.hours) {
      if (ofDay && one.weekday !== weekday) continue
      if (one.weight > 0 && isPossible(one.hour)) sums.set(one.hour, (sums.get(one.hour) ?? 0) + one.weight)
    }
    const all = [...sums].toSorted(([a, x], [b, y]) => y - x || a - b)
    return preferred.reason._tag === "Trial" ? all : all.slice(0, hoursOfDay)
  }
  const ofDay = weights(true)
  const choices = ofDay.length > 0 ? ofDay : weights(false)
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0)
  let remaining = share * total
  for (const [hour, weight] of choices) {
    if (remaining < weight) {
      const at = atHour(hour, Math.min(59, Math.floor((remaining / weight) * 60)))
      return {
        at: nextInWindow(at, zone, window),
        weekday: weekdays[weekday] ?? "sunday",
        hour,
        reason: preferred.reason
      }
    }
    remaining -= weight
  }
  return undefined
}
