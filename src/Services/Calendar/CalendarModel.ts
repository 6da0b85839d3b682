import { Schema } from "effect"
import { ConnectionState } from "../Connections/Ids.ts"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"

/** An attendee's answer to an invitation. */
export const AttendeeAnswer = Schema.Literal("needs_action", "accepted", "tentative", "declined")
export type AttendeeAnswer = typeof AttendeeAnswer.Type

export const CalendarAttendee = Schema.Struct({
  email: Schema.String,
  response: AttendeeAnswer,
  is_organizer: Schema.Boolean,
  is_self: Schema.Boolean.annotations({ description: "Whether this is the account whose calendar it is." })
})
export type CalendarAttendee = typeof CalendarAttendee.Type

export const CalendarEvent = Schema.Struct({
  event_id: Schema.String.annotations({
    description: "Of one instance of a series, or of a series as a whole: what it names is what a call changes."
  }),
  calendar_id: Schema.String,
  summary: Schema.String,
  start_utc: Timestamp.annotations({
    description: "Of an all-day event: midnight in the calendar's own zone."
  }),
  end_utc: Timestamp,
  is_all_day: Schema.Boolean,
  status: Schema.Literal("confirmed", "tentative", "cancelled"),
  takes_time: Schema.Boolean.annotations({
    description: "Whether nothing else is proposed for its time: not for one that is shown as free or was declined."
  }),
  series_id: Schema.NullOr(Schema.String).annotations({ description: "The series that it is an instance of." }),
  is_series: Schema.Boolean,
  meeting_url: Schema.NullOr(Schema.String),
  is_meeting_url_pending: Schema.Boolean.annotations({
    description: "Whether a video-meeting link is being made: it is there a little later."
  }),
  own_response: Schema.NullOr(AttendeeAnswer).annotations({ description: "Null where the account is not invited." }),
  attendees: Schema.Array(CalendarAttendee)
})
export type CalendarEvent = typeof CalendarEvent.Type

export const EventsOfDay = Schema.Struct({
  date: Schema.String,
  calendar_id: Schema.String,
  time_zone: Schema.NullOr(Schema.String).annotations({ description: "The calendar's own; all-day events are by it." }),
  events: Schema.Array(CalendarEvent).annotations({
    description: "By their beginning; also those of the day before that end in it."
  }),
  total: Schema.Int
})
export type EventsOfDay = typeof EventsOfDay.Type

export const ChangedEvent = Schema.Struct({
  changed: Schema.Boolean.annotations({ description: "False where the calendar was so already." }),
  event: CalendarEvent
})
export type ChangedEvent = typeof ChangedEvent.Type

export const DeletedEvent = Schema.Struct({
  changed: Schema.Boolean.annotations({ description: "False where it was deleted before." }),
  event_id: Schema.String,
  calendar_id: Schema.String
})
export type DeletedEvent = typeof DeletedEvent.Type

export const CalendarStatus = Schema.Struct({
  connection_status: ConnectionState,
  mode: ServiceMode.annotations({ description: "In sandbox nothing of it is in a real calendar." }),
  account_email: Schema.NullOr(Schema.String),
  time_zone: Schema.NullOr(Schema.String),
  connected_at: Schema.NullOr(Timestamp),
  last_synced_at: Schema.NullOr(Timestamp).annotations({
    description: "When the calendar was last read; free times that are proposed to leads rest on it."
  }),
  is_watched: Schema.Boolean.annotations({
    description: "Whether the calendar tells of changes at once; otherwise it is asked every few minutes."
  }),
  watch_expires_at: Schema.NullOr(Timestamp),
  proposes_times: Schema.Boolean.annotations({ description: "Whether leads are offered free times of this calendar." }),
  last_error: Schema.NullOr(Schema.String)
})
export type CalendarStatus = typeof CalendarStatus.Type
