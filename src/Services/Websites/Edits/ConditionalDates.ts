import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { type TimeMention, timeMentions } from "../../Text/Times/TimeMentions.ts"

/**
 * The day on which a prompt is read. Only the words of a date are needed, not the day that they mean, so any day will do, and the
 * same prompt gives the same change on each.
 */
const readingDay = "2026-01-01"

/**
 * Whether a mention can say when a change begins or ends: "from 1 February", "until Tuesday", "next week", "on 1 August". Days of
 * the week alone, times of day and years mostly belong to what the site says: opening hours, classes, the year of foundation.
 */
const canLimit = ({ clock, dateRelation, days, grain, isPast, isRecurring, text }: TimeMention): boolean => {
  if (days === undefined || isPast || isRecurring || grain === "year" || clock.length > 0) return false
  const isWholePeriod = grain === "week" || grain === "month" || grain === "quarter" || grain === "half-year"
  return dateRelation !== undefined || isWholePeriod || /\d/.test(text)
}

/**
 * Times in a sentence that may say when its wishes are to begin or end. Where the site does not show such a time after a change,
 * the time was a condition, and the change must not be done at once.
 */
export const conditionalDates = (sentence: string, language: Language): ReadonlyArray<string> =>
  timeMentions(fold(sentence), {
    today: readingDay,
    figures: "either",
    language
  })
    .filter(canLimit)
    .map(({ text }) => text)
