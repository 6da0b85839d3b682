import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
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
    description: "What the lead said to the invitation; null where it said nothing."
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
  /** After `startsAt`, by a day at most. */
  readonly endsAt: Timestamp
  readonly title: string
  readonly meetingUrl?: string | undefined
  readonly bookedThrough: BookedThrough
  /** The booking service's own name of the meeting: the same one is booked once. */
  readonly externalId?: string | undefined
  /** When the platform is to tell the lead that the meeting stands; unless given, whoever booked it does. */
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

/** At most this many meetings are listed. */
export const maximumMeetings = 500
/** How far back a list of past meetings goes. */
export const pastDays = 30
/** Characters of a meeting's notes; older ones are cut first. */
export const maximumNotes = 20_000

/** Appointments of the account with its leads. What changes one is to be run in a transaction. */
export class Meetings extends Context.Tag("Meetings")<
  Meetings,
  {
    /**
     * Books a meeting and hands the lead over to the account, with its event and a notification. A meeting that stands
     * already (the same `externalId`, or one with the lead at the same time) is answered as it is, and nothing happens.
     */
    readonly book: (meeting: NewMeeting) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
    /** Soonest first, with the past `pastDays` days where asked for; the first `maximumMeetings` of `total`. */
    readonly list: (
      filter: MeetingFilter
    ) => Effect.Effect<
      { readonly meetings: ReadonlyArray<MeetingView>; readonly total: number },
      NotFound | Transient,
      Caller
    >
    /** Stamps the account's acceptance; again it changes nothing. */
    readonly confirm: (id: MeetingId) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
    /** Calls the meeting off and hands the lead back, to be contacted at `nextTouchAt`, unless it has another one to come. */
    readonly cancel: (
      id: MeetingId,
      options: {
        readonly nextTouchAt: Timestamp
        readonly reason: string | undefined
        readonly additionalInstructions: string | undefined
      }
    ) => Effect.Effect<CancelledMeeting, NotFound | Refused | Transient, Caller>
    /** The next meeting with the lead that is to come. */
    readonly nextWith: (leadId: LeadId) => Effect.Effect<MeetingView | undefined, Transient, Caller>
    /**
     * The lead is not coming. Without `nextTouchAt`, or where the owner took the lead over by hand, the lead stays where
     * it is; else it goes on being worked, and its own words are answered then.
     */
    readonly cancelByLead: (
      id: MeetingId,
      options: { readonly nextTouchAt: Timestamp | undefined }
    ) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
    /**
     * Puts a meeting at another time. One that the lead wants is refused (`time_taken`) where the account has another
     * meeting then; the lead is told of it at `announceAt`, unless whoever moved it tells.
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
    /** What the lead said to the invitation, and where the meeting takes place; what is undefined stays. */
    readonly note: (
      id: MeetingId,
      known: { readonly response?: LeadResponse | undefined; readonly meetingUrl?: string | undefined }
    ) => Effect.Effect<void, Transient, Caller>
    /** The meeting that an outside service knows by this name. */
    readonly ofExternal: (
      bookedThrough: BookedThrough,
      externalId: string
    ) => Effect.Effect<MeetingView | undefined, Transient, Caller>
    /** Whoever booked the meeting outside has moved it there: it stands at the new time, under the new name. */
    readonly follow: (
      id: MeetingId,
      to: Pick<NewMeeting, "startsAt" | "endsAt" | "meetingUrl" | "bookedThrough"> & { readonly externalId: string }
    ) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
    /** Who came, of a meeting that has started; notes are appended, and may be at any time. */
    readonly attend: (
      id: MeetingId,
      attendance: Attendance
    ) => Effect.Effect<MeetingView, NotFound | Refused | Transient, Caller>
  }
>() {}
