import { instantOf, wallClock } from "../../../Services/Core/LocalTime.ts"

/** The time zone of the sample account's owner. */
export const ownersZone = "America/Sao_Paulo"

const day = 86_400_000

/** The instant at which clocks in `zone` show this time on the day of `millis`. Instants are Unix milliseconds. */
export const atHour = (millis: number, hour: number, minute: number, zone: string): number => {
  const localTime = wallClock(millis, zone)
  return instantOf(localTime.year, localTime.month, localTime.day, hour, minute, zone)
}

/** Eight in the morning of each working day of the owner that begins from `from` to before `to`. */
export const workdays = (from: number, to: number): ReadonlyArray<number> => {
  const mornings: Array<number> = []
  for (let millis = from; millis < to + day; millis += day) {
    const morning = atHour(millis, 8, 0, ownersZone)
    const { weekday } = wallClock(morning, ownersZone)
    if (morning >= from && morning < to && weekday >= 1 && weekday <= 5) mornings.push(morning)
  }
  return mornings
}
