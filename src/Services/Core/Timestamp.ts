import { Clock, Effect, Schema } from "effect"

/** An instant as all answers show it: UTC in whole seconds, `YYYY-MM-DDTHH:MM:SSZ`. Sorts as text. */
export const Timestamp = Schema.String.pipe(
  Schema.pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/),
  Schema.annotations({ jsonSchema: { type: "string", format: "date-time" } }),
  Schema.brand("Timestamp")
)
export type Timestamp = typeof Timestamp.Type

/** The timestamp of `millis` (Unix time), rounded down to the second. */
export const fromMillis = (millis: number): Timestamp =>
  Timestamp.make(`${new Date(millis).toISOString().slice(0, 19)}Z`)

export const toMillis = (timestamp: Timestamp): number => Date.parse(timestamp)

export const now: Effect.Effect<Timestamp> = Effect.map(Clock.currentTimeMillis, fromMillis)

/** `seconds` later, or earlier if negative. */
export const plusSeconds = (timestamp: Timestamp, seconds: number): Timestamp =>
  fromMillis(toMillis(timestamp) + seconds * 1000)

/** A date of a request in Unix milliseconds, and how precise it was. */
export interface ParsedInstant {
  readonly millis: number
  readonly precision: "day" | "second"
}

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/

/**
 * Reads `YYYY-MM-DD` or ISO 8601 with `Z`, an offset or no zone (then UTC). Fractions of a second are dropped.
 * Undefined if the text is not a date or the date does not exist (30 February).
 */
export const parseInstant = (text: string): ParsedInstant | undefined => {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second, , sign, offsetHours, offsetMinutes] = match
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0)
  )
  const localText = `${year}-${month}-${day}T${hour ?? "00"}:${minute ?? "00"}:${second ?? "00"}`
  if (Number(year) < 1000 || new Date(local).toISOString().slice(0, 19) !== localText) return undefined
  if (Number(offsetHours ?? 0) > 14 || Number(offsetMinutes ?? 0) > 59) return undefined
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60_000
  return {
    millis: sign === "-" ? local + offset : local - offset,
    precision: hour === undefined ? "day" : "second"
  }
}
