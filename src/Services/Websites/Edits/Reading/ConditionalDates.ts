import type { Language } from "../../../Text/Language.ts"
import { fold } from "../../../Text/PlainText.ts"
import { type TimeMention, timeMentions } from "../../../Text/Times/TimeMentions.ts"

/**
 * A fixed day on which prompts are read. Only the words of a date matter, not the day that they mean, so the same
 * prompt gives the same change on every day.
 */
const readingDay = "2026-01-01"

/**
 * True if a mention can limit when a change applies: "from 1 February", "until Tuesday", "next week", "on 1 August".
 * Weekdays alone, times of day and years usually belong to the site's content: opening hours, classes, the year of
 * foundation.
 */
const canLimit = ({ clock, dateRelation, days, grain, isPast, isRecurring, text }: TimeMention): boolean => {
  if (days === undefined || isPast || isRecurring || grain === "year" || clock.length > 0) return false
  const isWholePeriod = grain === "week" || grain === "month" || grain === "quarter" || grain === "half-year"
  return dateRelation !== undefined || isWholePeriod || /\d/.test(text)
}

/**
 * Returns the times in a sentence that may limit when its changes apply. If the changed site does not show such a time,
 * the time was a condition and the change must not be made now.
 */
export const conditionalDates = (sentence: string, language: Language): ReadonlyArray<string> =>
  timeMentions(fold(sentence), {
    today: readingDay,
    figures: "either",
    language
  })
    .filter(canLimit)
    .map(({ text }) => text)
