import { Context, type Effect } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { MeetingId } from "../Meetings/Ids.ts"
import type {
  ChangedDefault,
  DisconnectedScheduler,
  ScheduledEventDetail,
  ScheduledEventList,
  ScheduledEventStatus,
  SchedulerEventType,
  SchedulerStatus
} from "./SchedulerModel.ts"

/** The scheduling tool that an account connected, real or simulated. */
export class Scheduler extends Context.Tag("Scheduler")<
  Scheduler,
  {
    readonly mode: ServiceMode
    readonly connectionUrl: Effect.Effect<string, Transient, Caller>
    readonly status: Effect.Effect<SchedulerStatus, Transient, Caller>
    /** Active event types. */
    readonly eventTypes: Effect.Effect<ReadonlyArray<SchedulerEventType>, Refused | Transient, Caller>
    /** By address if there is one, otherwise by name. An empty address without a name clears the default. */
    readonly setDefault: (choice: {
      readonly uri: string | undefined
      readonly name: string | undefined
    }) => Effect.Effect<ChangedDefault, NotFound | Refused | Transient, Caller>
    /** For UTC days, both inclusive. */
    readonly events: (range: {
      readonly startDate: string | undefined
      readonly endDate: string | undefined
      readonly status: ScheduledEventStatus
    }) => Effect.Effect<ScheduledEventList, Refused | Transient, Caller>
    readonly event: (uri: string) => Effect.Effect<ScheduledEventDetail, NotFound | Refused | Transient, Caller>
    readonly disconnect: Effect.Effect<DisconnectedScheduler, Transient, Caller>
  }
>() {}

/** A booking at the scheduler that belongs to a meeting. */
export interface LinkedBooking {
  readonly leadId: LeadId
  readonly meetingId: MeetingId
  readonly eventUri: string
  readonly inviteeUri: string
  /** The event that the scheduler created in the owner's calendar, if it reports one. */
  readonly calendarEventId: string | null
}

/** The scheduler's bookings with leads of the account. */
export class SchedulerBookings extends Context.Tag("SchedulerBookings")<
  SchedulerBookings,
  {
    /** Reads a booking by its invitee's URI and applies it to the account's meetings. */
    readonly look: (inviteeUri: string) => Effect.Effect<void, Refused | Transient, Caller>
    /**
     * Finds bookings whose notice was lost. Also cancels bookings at the scheduler whose meeting was cancelled in the
     * gateway.
     */
    readonly sweep: Effect.Effect<void, Refused | Transient, Caller>
    readonly ofMeeting: (id: MeetingId) => Effect.Effect<LinkedBooking | undefined, Transient, Caller>
    readonly ofCalendarEvent: (calendarEventId: string) => Effect.Effect<LinkedBooking | undefined, Transient, Caller>
  }
>() {}

/** A person who books at the simulated scheduler. */
export interface SimulatedBooking {
  /** An event type's page, or a single-use link. */
  readonly url: string
  readonly name: string
  readonly email: string
  readonly startsAt: Timestamp
}

/** Actions of people at the simulated scheduler. It sends the same notices as the real one. */
export class SimulatedScheduler extends Context.Tag("SimulatedScheduler")<
  SimulatedScheduler,
  {
    /** Returns the invitee's URI. */
    readonly book: (booking: SimulatedBooking) => Effect.Effect<string, NotFound | Refused | Transient, Caller>
    readonly reschedule: (
      inviteeUri: string,
      startsAt: Timestamp
    ) => Effect.Effect<string, NotFound | Refused | Transient, Caller>
    readonly cancel: (
      inviteeUri: string,
      by: "invitee" | "host",
      reason: string
    ) => Effect.Effect<void, NotFound | Refused | Transient, Caller>
  }
>() {}
