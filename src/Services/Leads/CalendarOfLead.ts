import { Context, Effect, Schema } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId } from "./Ids.ts"

/** An event that a real calendar holds about a person. Its owner decides about it. */
export const HeldCalendarEvent = Schema.Struct({
  event_id: Schema.String,
  starts_at: Schema.NullOr(Timestamp),
  held_by: Schema.Literal("calendar", "scheduler")
})
export type HeldCalendarEvent = typeof HeldCalendarEvent.Type

export interface ErasedCalendar {
  /** Events of meetings to come: they are deleted in the background, and their attendees are notified. */
  readonly cancelled: number
  /** Events that stay: of past meetings, of a calendar that is not connected, and of the scheduler. */
  readonly remaining: ReadonlyArray<HeldCalendarEvent>
}

/** Calendar events of a lead that is about to be erased. The room Calendar implements it. */
export class CalendarOfLead extends Context.Reference<CalendarOfLead>()("CalendarOfLead", {
  defaultValue: (): {
    /** Call it in the transaction that erases the lead, before its meetings are deleted. */
    readonly withdraw: (leadId: LeadId) => Effect.Effect<ErasedCalendar, Transient, Caller>
  } => ({ withdraw: () => Effect.succeed({ cancelled: 0, remaining: [] }) })
}) {}
