import { instantOf, nextInWindow, type SendWindow, wallClock } from "../Core/LocalTime.ts"
import { type TimingSource, type Weekday, weekdays } from "./Timing.ts"

/** Which hours are wanted, and whose replies or which trial say so. */
export interface WantedHours {
  readonly reason:
    | { readonly _tag: "Replies"; readonly source: TimingSource; readonly replies: number }
    | { readonly _tag: "Trial"; readonly part: "morning" | "afternoon" }
  /** How much is to be said for an hour of a weekday (0 is Sunday); nothing for those that are not named. */
  readonly hours: ReadonlyArray<{ readonly weekday: number; readonly hour: number; readonly weight: number }>
}

/** Why a touch is at its hour, as the lead's own clocks show it. */
export interface TouchTime {
  /** Unix milliseconds. */
  readonly at: number
  readonly weekday: Weekday
  readonly hour: number
  readonly reason: WantedHours["reason"]
}

/** The best hours of a day that touches are spread over. */
const hoursOfDay = 3

/** Halves of a send window: noon parts it where it lies within. */
export const halfOf = (part: "morning" | "afternoon", { endHour, startHour }: SendWindow): ReadonlyArray<number> => {
  const noon = startHour < 12 && 12 < endHour ? 12 : Math.ceil((startHour + endHour) / 2)
  const [from, to] = part === "morning" ? [startHour, noon] : [noon, endHour]
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

/** All hours of a half alike, on any day. */
export const wantedHalf = (part: "morning" | "afternoon", window: SendWindow): WantedHours => ({
  reason: { _tag: "Trial", part },
  hours: [1, 2, 3, 4, 5].flatMap((weekday) => halfOf(part, window).map((hour) => ({ weekday, hour, weight: 1 })))
})

/**
 * A time on the day of `earliest` (or the next one that has a send window) at one of the wanted hours within the window:
 * the three best of that weekday, or of the whole week where that weekday has none, each as often as its weight says.
 * `share` (0 to below 1) is the lead's own draw, so that not all leads come at the same minute. Undefined where no wanted
 * hour lies in the window after `now`.
 */
export const touchTime = (
  earliest: number,
  {
    now,
    share,
    wanted,
    window,
    zone
  }: {
    readonly now: number
    readonly zone: string
    readonly window: SendWindow
    readonly wanted: WantedHours
    readonly share: number
  }
): TouchTime | undefined => {
  const { day, month, weekday, year } = wallClock(nextInWindow(earliest, zone, window), zone)
  const atHour = (hour: number, minute: number): number => instantOf(year, month, day, hour, minute, zone)
  const isPossible = (hour: number): boolean =>
    hour >= window.startHour && hour < window.endHour && atHour(hour, 0) > now
  const weights = (ofDay: boolean): ReadonlyArray<readonly [hour: number, weight: number]> => {
    const sums = new Map<number, number>()
    for (const one of wanted.hours) {
      if (ofDay && one.weekday !== weekday) continue
      if (one.weight > 0 && isPossible(one.hour)) sums.set(one.hour, (sums.get(one.hour) ?? 0) + one.weight)
    }
    const all = [...sums].toSorted(([a, x], [b, y]) => y - x || a - b)
    return wanted.reason._tag === "Trial" ? all : all.slice(0, hoursOfDay)
  }
  const ofDay = weights(true)
  const choices = ofDay.length > 0 ? ofDay : weights(false)
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0)
  let left = share * total
  for (const [hour, weight] of choices) {
    if (left < weight) {
      const at = atHour(hour, Math.min(59, Math.floor((left / weight) * 60)))
      return { at: nextInWindow(at, zone, window), weekday: weekdays[weekday] ?? "sunday", hour, reason: wanted.reason }
    }
    left -= weight
  }
  return undefined
}
