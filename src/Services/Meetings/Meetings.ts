import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { LeadId } from "../Leads/Ids.ts"
import { LeadPipelineView } from "../Leads/LeadModel.ts"
import { BookedThrough, LeadResponse, MeetingId, MeetingStatus } from "./Ids.ts"

export const MeetingView = Schema.Struct({
  meeting_id: MeetingId,
  lead_id: LeadId,
  lead_name: Schema.String,
  title: Schema.String,
  status: MeetingStatus,
  starts_at: Timestamp,
  ends_at: Timestamp,
  meeting_url: Schema.NullOr(Schema.String),
  booked_through: BookedThrough,
  customer_accepted_at: Schema.NullOr(Timestamp).annotations({
    description: "When the account accepted the meeting with confirm_lead_meeting."
  }),
  lead_response: Schema.NullOr(LeadResponse).annotations({
    description: "The lead's response to the invitation; null without one."
  }),
  has_customer_attended: Schema.NullOr(Schema.Boolean),
  has_lead_attended: Schema.NullOr(Schema.Boolean),
  notes: Schema.NullOr(Schema.String),
  cancelled_at: Schema.NullOr(Timestamp),
  cancel_reason: Schema.NullOr(Schema.String),
  reminded_at: Schema.NullOr(Timestamp).annotations({ description: "When the account was reminded of it." }),
  created_at: Timestamp
})
export type MeetingView = typeof MeetingView.Type

export const CancelledMeeting = Schema.Struct({
  meeting: MeetingView,
  lead: LeadPipelineView
})
export type CancelledMeeting = typeof CancelledMeeting.Type

export interface NewMeeting {
  readonly leadId: LeadId
  readonly startsAt: Timestamp
  /** At most a day after `startsAt`. */
  readonly endsAt: Timestamp
  readonly title: string
  readonly meetingUrl?: string | undefined
  readonly bookedThrough: BookedThrough
  /** The booking service's id of the meeting. The same id is booked once. */
  readonly externalId?: string | undefined
  /** When the platform confirms the meeting to the lead. Without it, the booking service does. */
  readonly announceAt?: Timestamp | undefined
}

export interface MeetingFilter {
  readonly leadId: LeadId | undefined
  readonly includeCancelled: boolean
  readonly includePast: boolean
}

export interface Attendance {
  readonly hasCustomerAttended: boolean | undefined
  readonly hasLeadAttended: boolean | undefined
  readonly notes: string | undefined
}

/** The most meetings that a list returns. */
export const maximumMeetings = 500
/** How far back a list of past meetings goes. */
export const pastDays = 30
/** The longest notes of a meeting, in characters. The oldest are cut first. */
export const maximumNotes = 20_000

/** Appointments of the account with its leads. Call changes in a transaction. */
export class Meetings extends Context.Tag("Meetings")<
  Meetings,
  {
    /**
     * Books a meeting and hands the lead over to the account, with an event and a notification. An existing meeting
     * (the same `externalId`, or the same lead at the same time) is returned unchanged.
     */
    readonly book: (meeting: NewMeeting) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
    /**
     * Soonest first, optionally with those of the past `pastDays` days. Returns the first `maximumMeetings` of `total`.
     */
    readonly list: (
      filter: MeetingFilter
    ) => Effect.Effect<
      { readonly meetings: ReadonlyArray<MeetingView>; readonly total: number },
      NotFound | Transient,
      Caller
    >
    /** Records the account's acceptance. A repeated call changes nothing. */
    readonly confirm: (id: MeetingId) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
    /**
     * Cancels the meeting and returns the lead to the pipeline, to be contacted at `nextTouchAt`, unless it has another
     * meeting ahead.
     */
    readonly cancel: (
      id: MeetingId,
      options: {
        readonly nextTouchAt: Timestamp
        readonly reason: string | undefined
        readonly additionalInstructions: string | undefined
      }
    ) => Effect.Effect<CancelledMeeting, NotFound | Refused | Transient, Caller>
    /** The next meeting with the lead. */
    readonly nextWith: (leadId: LeadId) => Effect.Effect<MeetingView | undefined, Transient, Caller>
    /**
     * Cancels at the lead's request. Without `nextTouchAt`, or if the owner took over the lead, the lead's state stays.
     * Otherwise the lead returns to the pipeline, and its message is answered at `nextTouchAt`.
     */
    readonly cancelByLead: (
      id: MeetingId,
      options: { readonly nextTouchAt: Timestamp | undefined }
    ) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
    /**
     * Moves a meeting. A time that the lead asks for is refused (`time_taken`) if the account has another meeting then.
     * The lead gets a confirmation at `announceAt`, unless the caller sends one.
     */
    readonly move: (
      id: MeetingId,
      options: {
        readonly startsAt: Timestamp
        readonly endsAt: Timestamp
        readonly announceAt: Timestamp | undefined
        readonly by: "lead" | "owner"
      }
    ) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
    /** The lead's response to the invitation, and the meeting's place. Undefined fields stay unchanged. */
    readonly note: (
      id: MeetingId,
      details: { readonly response?: LeadResponse | undefined; readonly meetingUrl?: string | undefined }
    ) => Effect.Effect<void, Transient, Caller>
    /** The meeting with an outside service's id. */
    readonly ofExternal: (
      bookedThrough: BookedThrough,
      externalId: string
    ) => Effect.Effect<MeetingView | undefined, Transient, Caller>
    /** Updates a meeting that the outside service moved, with the new time and the new id. */
    readonly follow: (
      id: MeetingId,
      to: Pick<NewMeeting, "startsAt" | "endsAt" | "meetingUrl" | "bookedThrough"> & { readonly externalId: string }
    ) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
    /** Records who attended a meeting that has started. Notes are appended, also before the meeting. */
    readonly attend: (
      id: MeetingId,
      attendance: Attendance
    ) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
  }
>() {}
