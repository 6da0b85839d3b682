import { Context, type Effect } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import type { ServiceMode } from "../Core/IntegrationModes.ts"
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

/** The scheduling tool that an account connected. It is asked over the network, or simulated. */
export class Scheduler extends Context.Tag("Scheduler")<
  Scheduler,
  {
    readonly mode: ServiceMode
    readonly connectionUrl: Effect.Effect<string, Transient, Caller>
    readonly status: Effect.Effect<SchedulerStatus, Transient, Caller>
    /** Active ones. */
    readonly eventTypes: Effect.Effect<ReadonlyArray<SchedulerEventType>, Refused | Transient, Caller>
    /** By address where one is given, else by name; neither where the address is empty, which clears it. */
    readonly setDefault: (wanted: {
      readonly uri: string | undefined
      readonly name: string | undefined
    }) => Effect.Effect<ChangedDefault, NotFound | Refused | Transient, Caller>
    /** Of UTC days, both inclusive. */
    readonly events: (range: {
      readonly startDate: string | undefined
      readonly endDate: string | undefined
      readonly status: ScheduledEventStatus
    }) => Effect.Effect<ScheduledEventList, Refused | Transient, Caller>
    readonly event: (uri: string) => Effect.Effect<ScheduledEventDetail, NotFound | Refused | Transient, Caller>
    readonly disconnect: Effect.Effect<DisconnectedScheduler, Transient, Caller>
  }
>() {}

/** A booking at the scheduler that is a meeting here. */
export interface LinkedBooking {
  readonly leadId: LeadId
  readonly meetingId: MeetingId
  readonly eventUri: string
  readonly inviteeUri: string
  /** The event in the owner's calendar that the scheduler made of it, where it says so. */
  readonly calendarEventId: string | null
}

/** Bookings at the scheduler, as far as they are of the account's leads. */
export class SchedulerBookings extends Context.Tag("SchedulerBookings")<
  SchedulerBookings,
  {
    /** Reads a booking anew, by the address of its invitee, and does what it means for the account's meetings. */
    readonly look: (inviteeUri: string) => Effect.Effect<void, Refused | Transient, Caller>
    /** Finds what no notice told, and takes back there what was cancelled here. */
    readonly sweep: Effect.Effect<void, Refused | Transient, Caller>
    readonly ofMeeting: (id: MeetingId) => Effect.Effect<LinkedBooking | undefined, Transient, Caller>
    readonly ofCalendarEvent: (calendarEventId: string) => Effect.Effect<LinkedBooking | undefined, Transient, Caller>
  }
>() {}

/** Somebody who books at the simulated scheduler. */
export interface SimulatedBooking {
  /** The page of an event type, or a single-use link. */
  readonly url: string
  readonly name: string
  readonly email: string
  readonly startsAt: Timestamp
}

/** What people do at the simulated scheduler. Notices go out as from the real one. */
export class SimulatedScheduler extends Context.Tag("SimulatedScheduler")<
  SimulatedScheduler,
  {
    /** Answers the invitee's address. */
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
