import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { EndedConnection } from "../Connections/OAuth.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { CalendarEvent, CalendarStatus, ChangedEvent, DeletedEvent, EventsOfDay } from "./CalendarModel.ts"

/** The service's name in an account's list of connections. */
export const calendarService = "calendar"
/** The service name of a calendar at Microsoft 365. An account has at most one calendar connected. */
export const microsoftCalendarService = "calendar_microsoft"

export const CalendarProvider = Schema.Literal("google", "microsoft")
export type CalendarProvider = typeof CalendarProvider.Type

export const serviceOf: { readonly [P in CalendarProvider]: string } = {
  google: calendarService,
  microsoft: microsoftCalendarService
}

/** The link by which an account connects its calendar at a provider. */
export interface CalendarLink {
  readonly provider: CalendarProvider
  readonly connection_url: string
}

/** The account's primary calendar, in which meetings are created. */
export const primaryCalendar = "primary"
/** The most attendees of an event, as the calendar allows. */
export const mostAttendees = 200
/** The most events of a day that are returned. */
export const mostEvents = 1000

export interface EventRef {
  readonly calendarId: string
  readonly eventId: string
}

export interface NewEvent {
  readonly calendarId: string
  readonly summary: string
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
  /** Addresses as the caller wrote them. */
  readonly attendees: ReadonlyArray<string>
}

/** `undefined` keeps a field. */
export interface EventChanges {
  readonly summary: string | undefined
  readonly startsAt: Timestamp | undefined
  readonly endsAt: Timestamp | undefined
  readonly attendees: ReadonlyArray<string> | undefined
}

type Failure = NotFound | Refused | Transient

/** An account's calendar at its provider. */
export class Calendar extends Context.Tag("Calendar")<
  Calendar,
  {
    /** Links for each provider that the operator configured. There is at least one. */
    readonly connectionLinks: Effect.Effect<ReadonlyArray<CalendarLink>, Transient, Caller>
    readonly status: Effect.Effect<CalendarStatus, Transient, Caller>
    /** Stops the notices, revokes the consent and deletes what was read from the calendar. */
    readonly disconnect: Effect.Effect<EndedConnection, Transient, Caller>
    /** The events of one UTC day (`YYYY-MM-DD`). */
    readonly eventsOn: (date: string, calendarId: string) => Effect.Effect<EventsOfDay, Failure, Caller>
    /** Creates an event with a video link and invites everyone. A repeated request creates it once. */
    readonly create: (event: NewEvent) => Effect.Effect<CalendarEvent, Failure, Caller>
    readonly update: (event: EventRef, changes: EventChanges) => Effect.Effect<ChangedEvent, Failure, Caller>
    /** Cancels the event for everyone. */
    readonly remove: (event: EventRef) => Effect.Effect<DeletedEvent, Failure, Caller>
    /** Answers an invitation on behalf of the account. */
    readonly respond: (event: EventRef, doesAccept: boolean) => Effect.Effect<ChangedEvent, Failure, Caller>
  }
>() {}
