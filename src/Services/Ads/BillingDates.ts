import { instantOf } from "../Core/LocalTime.ts"
import { fromMillis, type Timestamp } from "../Core/Timestamp.ts"

const second = 1000

/** A period's last day ends at this time. */
const endOfDay = [23, 59, 59] as const

const shape = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/

/**
 * Converts a date or time of the platform, which is in the client account's zone, to an instant. A date without a time
 * is the start of that day, or its last second for the end of a period. Null if the text is not a date.
 */
export const billingInstant = (text: string, zone: string, place: "start" | "end"): Timestamp | null => {
  const match = shape.exec(text.trim())
  if (match === null) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null
  const [hours, minutes, seconds] =
    match[4] === undefined
      ? place === "end"
        ? endOfDay
        : [0, 0, 0]
      : [Number(match[4]), Number(match[5]), Number(match[6] ?? "0")]
  if (hours > 23 || minutes > 59 || seconds > 59) return null
  return fromMillis(instantOf(year, month, day, hours, minutes, zone) + seconds * second)
}
