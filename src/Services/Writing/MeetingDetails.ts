import type { Timestamp } from "../Core/Timestamp.ts"
import { toMillis } from "../Core/Timestamp.ts"
import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import type { MeetingTime } from "./WritingBrief.ts"

const minute = 60_000

const minutesBetween = (from: Timestamp, to: Timestamp): number => Math.round((toMillis(to) - toMillis(from)) / minute)

const placeOf = (meeting: MeetingTime, language: Language): ReadonlyArray<string> => {
  if (meeting.joinUrl !== undefined) return [say(language, "meetings.join_link", { url: meeting.joinUrl })]
  switch (meeting.place?._tag) {
    case "Calendar":
      return [say(language, "meetings.join_link_in_invitation")]
    case "Phone":
      return [
        meeting.place.number === undefined
          ? say(language, "meetings.which_number")
          : say(language, "meetings.by_phone", { number: meeting.place.number })
      ]
    default:
      return []
  }
}

/** The duration of a meeting, and how the lead and the business will talk. */
export const meetingDetails = (meeting: MeetingTime, language: Language): ReadonlyArray<string> => [
  ...(meeting.endsAt === undefined
    ? []
    : [say(language, "meetings.length", { minutes: minutesBetween(meeting.startsAt, meeting.endsAt) })]),
  ...placeOf(meeting, language)
]

/** How to join, for a reminder. */
export const meetingPlace = (meeting: MeetingTime, language: Language): ReadonlyArray<string> =>
  meeting.place?._tag === "Phone" && meeting.place.number === undefined ? [] : placeOf(meeting, language)
