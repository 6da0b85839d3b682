import { Effect } from "effect"
import { type NotFound, notFound, type Refused, refused, type Transient, transient } from "../../Errors.ts"
import { readOnlyRefused } from "../../Services/Calendar/EventRules.ts"
import type { CalendarFailure } from "./Google/GoogleCalendar.ts"

/** The tool error for a failed call of a calendar. */
export const toolErrorOf = (
  failure: CalendarFailure,
  { calendarId, eventId }: { readonly calendarId: string; readonly eventId?: string | undefined }
): NotFound | Refused | Transient => {
  const after = failure.retryAfterSeconds
  switch (failure.reason) {
    case "read_only":
      return readOnlyRefused(calendarId)
    case "not_organizer":
      return refused(
        "not_organizer",
        "The event is somebody else's: only its organizer can change it.",
        "Accept or decline it with respond_calendar_event.",
        { event_id: eventId ?? null, calendar_id: calendarId }
      )
    case "gone":
    case "not_found":
      return eventId === undefined
        ? notFound("calendar", "calendar_id", calendarId)
        : notFound("calendar event", "event_id", eventId)
    case "changed_meanwhile":
      return transient("event_changed_meanwhile", "Somebody else is changing this event.", 2)
    case "exists":
    case "refused_by_calendar":
      return refused(
        "calendar_refused",
        "The calendar does not take this.",
        "Check the times, the attendees and whether the event can be changed in the calendar itself.",
        { calendar_id: calendarId }
      )
    case "rate_limited":
      return transient("calendar_rate_limited", "The calendar takes no more calls for now.", after ?? 20)
    case "unavailable":
      return transient("calendar_unavailable", "The calendar did not answer.", after ?? 5)
    case "unknown":
      return transient(
        "calendar_answer_lost",
        "The calendar's answer was lost, so that the change may or may not be made.",
        after ?? 5
      )
  }
}

/** Converts the failures of a calendar call to tool errors. */
export const asToolErrors =
  (ref: { readonly calendarId: string; readonly eventId?: string | undefined }) =>
  <A, R>(
    call: Effect.Effect<A, NotFound | Refused | Transient | CalendarFailure, R>
  ): Effect.Effect<A, NotFound | Refused | Transient, R> =>
    Effect.catchTag(call, "CalendarFailure", (failure) => Effect.fail(toolErrorOf(failure, ref)))
