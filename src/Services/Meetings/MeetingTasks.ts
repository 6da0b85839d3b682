import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"
import { MeetingId } from "./Ids.ts"

/** Brings what stands in the account's calendar in line with a meeting that was agreed on, moved or called off. */
export const settleMeeting = Task.make("settle_meeting", {
  payload: Schema.Struct({ accountId: AccountId, meetingId: MeetingId }),
  maxAttempts: 16
})

/** Of several that wait for one meeting, one is enough. */
export const settleKey = (accountId: AccountId, meetingId: MeetingId): string =>
  `settle_meeting ${accountId} ${meetingId}`
