import { type Refused, refused } from "../../Errors.ts"
import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import { tidyText } from "../Text/PlainText.ts"
import type { MeetingId, MeetingStatus } from "./Ids.ts"
import type { MeetingView } from "./Meetings.ts"

const longestMeeting = 24 * 3_600_000

/** Whether a meeting ends after it begins, within a day. */
export const areTimesValid = (startsAt: Timestamp, endsAt: Timestamp): boolean => {
  const length = toMillis(endsAt) - toMillis(startsAt)
  return length > 0 && length <= longestMeeting
}

export const timesInvalid = refused(
  "meeting_times_invalid",
  "The meeting does not end after it begins, or lasts longer than a day.",
  "Send an end after the beginning, by 24 hours at most."
)

const openStatuses: ReadonlySet<MeetingStatus> = new Set(["scheduled", "confirmed"])

/** True if the meeting can still take place, so that it can be confirmed, moved and cancelled. */
export const isToCome = ({ status }: Pick<MeetingView, "status">): boolean => openStatuses.has(status)

/** The error if a meeting is over or cancelled. */
export const overRefused = (meeting: MeetingView): Refused =>
  meeting.status === "cancelled"
    ? refused("meeting_cancelled", "This meeting was cancelled.", "List the meetings with list_lead_meetings.", {
        meeting_id: meeting.meeting_id
      })
    : refused(
        "meeting_over",
        "This meeting is over.",
        "Say who attended with update_lead_meeting_attendance; hand the lead back with recover_lead_to_pipeline.",
        { meeting_id: meeting.meeting_id }
      )

export const timeTaken = (id: MeetingId): Refused =>
  refused("time_taken", "Another meeting of the account is at this time.", "Propose another time.", { meeting_id: id })

export const notStarted = (id: MeetingId): Refused =>
  refused(
    "meeting_not_started",
    "This meeting has not started, so no one has attended it yet.",
    "Say who attended once it has begun, or call it off with cancel_lead_meeting.",
    { meeting_id: id }
  )

/** The attendance that the owner reported. */
export interface Attendance {
  readonly hasCustomerAttended: boolean | undefined
  readonly hasLeadAttended: boolean | undefined
}

/** A meeting was held if the lead attended, and is a no-show if either side did not. Missing values stay unchanged. */
export const statusAfter = (
  {
    has_customer_attended,
    has_lead_attended,
    status
  }: Pick<MeetingView, "has_customer_attended" | "has_lead_attended" | "status">,
  { hasCustomerAttended, hasLeadAttended }: Attendance
): MeetingStatus => {
  if (hasCustomerAttended === undefined && hasLeadAttended === undefined) return status
  const customer = hasCustomerAttended ?? has_customer_attended
  const lead = hasLeadAttended ?? has_lead_attended
  if (customer === false || lead === false) return "no_show"
  return lead === true ? "held" : status
}

/** The trimmed text without invisible characters. Undefined if nothing remains. */
export const cleanText = (value: string | undefined): string | undefined => {
  const tidy = value === undefined ? "" : tidyText(value).trim()
  return tidy === "" ? undefined : tidy
}

/** Joins paragraphs. If the result is too long, its beginning is cut. */
export const joinedTexts = (parts: ReadonlyArray<string | null | undefined>, length: number): string | undefined => {
  const whole = parts.filter((part) => part !== null && part !== undefined && part !== "").join("\n")
  return whole === "" ? undefined : whole.slice(-length).replace(/^[\udc00-\udfff]/, "")
}
