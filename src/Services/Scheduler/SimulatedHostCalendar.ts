import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"

/** A booking in the calendar of the person who is booked. */
export interface HostEvent {
  readonly eventId: string
  readonly title: string
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
  readonly meetingUrl: string
  readonly attendee: { readonly name: string; readonly email: string }
}

/**
 * The calendar that a simulated scheduler writes to, as the real one does. It is the account's simulated calendar, if
 * connected.
 */
export class SimulatedHostCalendar extends Context.Tag("SimulatedHostCalendar")<
  SimulatedHostCalendar,
  {
    readonly put: (event: HostEvent) => Effect.Effect<void, Transient, Caller>
    readonly remove: (eventId: string) => Effect.Effect<void, Transient, Caller>
  }
>() {}
