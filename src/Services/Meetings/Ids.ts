import { Schema } from "effect"

export const MeetingId = Schema.Int.pipe(Schema.brand("MeetingId"))
export type MeetingId = typeof MeetingId.Type

/** `held` and `no_show` follow from who attended. */
export const MeetingStatus = Schema.Literal("scheduled", "confirmed", "cancelled", "held", "no_show")
export type MeetingStatus = typeof MeetingStatus.Type

export const BookedThrough = Schema.Literal("conversation", "scheduler", "calendar", "voice")
export type BookedThrough = typeof BookedThrough.Type

/** The lead's response to a meeting's invitation. */
export const LeadResponse = Schema.Literal("accepted", "tentative", "declined")
export type LeadResponse = typeof LeadResponse.Type
