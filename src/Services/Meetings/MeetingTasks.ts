import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"
import { MeetingId } from "./Ids.ts"

/** Updates the account's calendar after a meeting was booked, moved or cancelled. */
export const updateMeetingInCalendar = Task.make("settle_meeting", {
  sends: "calendar",
  payload: Schema.Struct({ accountId: AccountId, meetingId: MeetingId }),
  maxAttempts: 16
})

/** One queued update per meeting is enough. */
export const calendarUpdateKey = (accountId: AccountId, meetingId: MeetingId): string =>
  `settle_meeting ${accountId} ${meetingId}`
