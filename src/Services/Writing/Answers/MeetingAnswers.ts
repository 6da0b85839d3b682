import { say } from "../../Messages/Messages.ts"
import type { ReplyReading } from "../../Replies/ReplyReading.ts"
import type { Language } from "../../Text/Language.ts"

/**
 * What to ask about an unclear time that the lead named; undefined if it is clear. `spoken` is the time in our words,
 * if it is a single one.
 */
export const doubtAboutTime = (
  { proposedMeeting, timeProblem }: ReplyReading,
  spoken: string | undefined,
  language: Language
): string | undefined => {
  if (proposedMeeting === null) return undefined
  switch (timeProblem) {
    case "uncertain":
    case "day_open":
    case "hour_open":
    case "zone_unknown":
      return say(language, `meetings.doubts.${timeProblem}`, { when: spoken ?? `“${proposedMeeting.text}”` })
    default:
      return undefined
  }
}

/** What to say about a time that does not suit the business, whatever its calendar contains. */
export const unsuitableTime = (
  { proposedMeeting, timeProblem }: ReplyReading,
  language: Language
): string | undefined => {
  if (proposedMeeting === null) return undefined
  switch (timeProblem) {
    case "past":
    case "too_soon":
    case "too_far":
    case "night":
    case "day_off":
      return say(language, `meetings.unsuitable.${timeProblem}`)
    default:
      return undefined
  }
}
