import { instantOf, wallClock } from "../../Services/Core/LocalTime.ts"

/** Where the sample account's owner is. */
export const ownersZone = "America/Sao_Paulo"

const day = 86_400_000

/** When clocks in `zone` show the hour on the day of `millis`; all instants are Unix milliseconds. */
export const atHour = (millis: number, hour: number, minute: number, zone: string): number => {
  const shown = wallClock(millis, zone)
  return instantOf(shown.year, shown.month, shown.day, hour, minute, zone)
}

/** Eight in the morning of each of the owner's working days that begins in [`from`, `to`). */
export const workdays = (from: number, to: number): ReadonlyArray<number> => {
  const mornings: Array<number> = []
  for (let millis = from; millis < to + day; millis += day) {
    const morning = atHour(millis, 8, 0, ownersZone)
    const { weekday } = wallClock(morning, ownersZone)
    if (morning >= from && morning < to && weekday >= 1 && weekday <= 5) mornings.push(morning)
  }
  return mornings
}
