import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { EndedConnection } from "../Connections/OAuth.ts"
import type { Caller } from "../Core/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { CalendarEvent, CalendarStatus, ChangedEvent, DeletedEvent, EventsOfDay } from "./CalendarModel.ts"

/** The service's name among an account's connections. */
export const calendarService = "calendar"
/** The same for a calendar at Microsoft 365. An account has one of them connected at most. */
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

/** The calendar that an account's own is, and the one that meetings go into. */
export const primaryCalendar = "primary"
/** Of one event, as many as the calendar takes. */
export const mostAttendees = 200
/** Of one day, more are not answered. */
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

/** What is undefined stays as it is. */
export interface EventChanges {
  readonly summary: string | undefined
  readonly startsAt: Timestamp | undefined
  readonly endsAt: Timestamp | undefined
  readonly attendees: ReadonlyArray<string> | undefined
}

type Failure = NotFound | Refused | Transient

/** An account's own calendar, as it stands at its provider. */
export class Calendar extends Context.Tag("Calendar")<
  Calendar,
  {
    /** One for each provider that the operator has set up, at least one. */
    readonly connectionLinks: Effect.Effect<ReadonlyArray<CalendarLink>, Transient, Caller>
    readonly status: Effect.Effect<CalendarStatus, Transient, Caller>
    /** Stops what the calendar sends, ends the consent and forgets what was read of it. */
    readonly disconnect: Effect.Effect<EndedConnection, Transient, Caller>
    /** Of one UTC day (`YYYY-MM-DD`). */
    readonly eventsOn: (date: string, calendarId: string) => Effect.Effect<EventsOfDay, Failure, Caller>
    /** With an invitation to everybody and a link for a video meeting. Asked once, it is made once. */
    readonly create: (event: NewEvent) => Effect.Effect<CalendarEvent, Failure, Caller>
    readonly update: (event: EventRef, changes: EventChanges) => Effect.Effect<ChangedEvent, Failure, Caller>
    /** Cancels it for everybody. */
    readonly remove: (event: EventRef) => Effect.Effect<DeletedEvent, Failure, Caller>
    /** Answers an invitation in the account's name. */
    readonly respond: (event: EventRef, doesAccept: boolean) => Effect.Effect<ChangedEvent, Failure, Caller>
  }
>() {}
