import { Effect } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { now, plusSeconds, type Timestamp } from "./Timestamp.ts"

/** Clocks and time zones of callers differ. An earlier date is treated as a typing error. */
const toleratedSeconds = 24 * 60 * 60

/** Refuses a future date that is in fact more than a day in the past. */
export const notLongPast = (parameter: string, date: Timestamp | undefined): Effect.Effect<void, Refused> =>
  Effect.flatMap(now, (present) =>
    date === undefined || date >= plusSeconds(present, -toleratedSeconds)
      ? Effect.void
      : refused(
          "date_in_the_past",
          `${parameter} is more than a day in the past.`,
          "Send a date to come, or the current time for as soon as possible.",
          { parameter, current_time: present }
        )
  )
