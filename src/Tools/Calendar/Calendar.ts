import { Effect, Schema } from "effect"
import { refused } from "../../Errors.ts"
import { Calendar, CalendarProvider, primaryCalendar } from "../../Services/Calendar/Calendar.ts"
import {
  CalendarEvent,
  CalendarStatus,
  ChangedEvent,
  DeletedEvent,
  EventsOfDay
} from "../../Services/Calendar/CalendarModel.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

/** The connected calendar's own errors. */
const calendarReasons = {
  Refused: ["calendar_needs_reconnect", "calendar_not_connected", "calendar_refused", "not_organizer"],
  Transient: ["calendar_answer_lost", "calendar_rate_limited", "calendar_unavailable", "event_changed_meanwhile"]
} as const

const calendarId = Param.withDefault(
  Param.text("The calendar; primary is the account's own.", { maxLength: 300, minLength: 1 }),
  primaryCalendar
)
const eventId = Param.text(
  "The event, as list_calendar_events answers it: an instance of a series, or the whole series.",
  {
    maxLength: 1100,
    minLength: 1
  }
)
const summary = Param.text("What the event is called.", { maxLength: 1000, minLength: 1 })
const startUtc = Param.instant("When it begins: UTC, or ISO 8601 with an offset.")
const endUtc = Param.instant("When it ends.")

const getCalendarConnectionUrl = Tool.make("get_calendar_connection_url", {
  kind: "read",
  openWorld: false,
  description:
    "The links by which the account's owner connects a calendar, or connects it again where access was lost: one for each provider. An account has one calendar, so another one takes its place. Links hold for a week; confirm afterwards with get_calendar_status.",
  parameters: {},
  returns: Schema.Struct({
    connection_url: Schema.String.annotations({ description: "The first provider's." }),
    providers: Schema.Array(Schema.Struct({ provider: CalendarProvider, connection_url: Schema.String }))
  }),
  example: {},
  run: Tool.via(Calendar, ({ connectionLinks }) =>
    Effect.map(connectionLinks, (providers) => ({ connection_url: providers[0]?.connection_url ?? "", providers }))
  )
})

const getCalendarStatus = Tool.make("get_calendar_status", {
  kind: "read",
  openWorld: false,
  description:
    "Whether a calendar is connected, whose it is, when it was read last, and whether leads are offered its free times.",
  parameters: {},
  returns: CalendarStatus,
  example: {},
  run: Tool.via(Calendar, ({ status }) => status)
})

const disconnectCalendar = Tool.make("disconnect_calendar", {
  kind: "destructive",
  idempotent: true,
  openWorld: true,
  transaction: "several",
  description:
    "Disconnects the calendar: its notices are stopped, access is given back, and what was read of it is forgotten. Its events stay as they are. Repeating it changes nothing.",
  parameters: { user_has_confirmed: Param.boolean("Must be true: the owner said so.") },
  returns: Schema.Struct({
    changed: Schema.Boolean,
    connection_status: Schema.Literal("disconnected"),
    at_calendar: Schema.Literal("done", "unconfirmed", "nothing_to_do").annotations({
      description: "Whether the calendar's side confirmed that access ended; the gateway has none left in any case."
    })
  }),
  errors: {
    Refused: ["calendar_needs_reconnect", "calendar_not_connected", "not_confirmed"],
    Transient: ["calendar_unavailable"]
  },
  example: { user_has_confirmed: true },
  run: Effect.fnUntraced(function* ({ user_has_confirmed }) {
    if (!user_has_confirmed) {
      return yield* refused(
        "not_confirmed",
        "The calendar is disconnected only when its owner has confirmed it.",
        "Ask the owner, then send user_has_confirmed true.",
        { parameter: "user_has_confirmed", accepted_values: [true] }
      )
    }
    const { atService, changed } = yield* (yield* Calendar).disconnect
    return { changed, connection_status: "disconnected" as const, at_calendar: atService }
  })
})

const listCalendarEvents = Tool.make("list_calendar_events", {
  kind: "read",
  openWorld: true,
  description:
    "The events of one UTC day, earliest first, as they stand in the calendar now. An event that lasts over midnight is among those of both days; of a series the day's instance is answered.",
  parameters: { date: Param.date("The day, YYYY-MM-DD, read as UTC."), calendar_id: calendarId },
  returns: EventsOfDay,
  errors: {
    NotFound: ["calendar_not_found"],
    Refused: calendarReasons.Refused,
    Transient: calendarReasons.Transient
  },
  example: { date: "2027-01-15" },
  run: Tool.via(Calendar, (calendar, { calendar_id, date }) => calendar.eventsOn(date, calendar_id))
})

const createCalendarEvent = Tool.make("create_calendar_event", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  transaction: "several",
  description:
    "Puts an event with a video meeting into the calendar and invites its attendees. The link may be made a moment later: is_meeting_url_pending says so.",
  parameters: {
    summary,
    start_utc: startUtc,
    end_utc: endUtc,
    attendees: Param.optional(Param.words("E-mail addresses of whom to invite, separated by commas.")),
    calendar_id: calendarId
  },
  returns: CalendarEvent,
  errors: {
    NotFound: ["calendar_event_not_found", "calendar_not_found"],
    Refused: [
      ...calendarReasons.Refused,
      "attendee_invalid",
      "calendar_read_only",
      "end_before_start",
      "event_too_long",
      "too_many_attendees"
    ],
    Transient: calendarReasons.Transient
  },
  example: {
    summary: "Demo with Acme",
    start_utc: "2027-01-15T13:00:00Z",
    end_utc: "2027-01-15T13:30:00Z",
    attendees: "ana@acme.example"
  },
  run: Tool.via(Calendar, (calendar, { attendees = [], calendar_id, end_utc, start_utc, summary: title }) =>
    calendar.create({ calendarId: calendar_id, summary: title, startsAt: start_utc, endsAt: end_utc, attendees })
  )
})

const updateCalendarEvent = Tool.make("update_calendar_event", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  transaction: "several",
  description:
    "Changes what is passed of an event and leaves the rest. attendees takes the place of the list; who stays on it keeps the answer given. Attendees are told.",
  parameters: {
    event_id: eventId,
    summary: Param.optional(summary),
    start_utc: Param.optional(startUtc),
    end_utc: Param.optional(endUtc),
    attendees: Param.optional(Param.words("All whom to invite from now on; an empty text invites nobody.")),
    calendar_id: calendarId
  },
  returns: ChangedEvent,
  errors: {
    NotFound: ["calendar_event_not_found", "calendar_not_found"],
    Refused: [
      ...calendarReasons.Refused,
      "attendee_invalid",
      "calendar_read_only",
      "end_before_start",
      "event_is_all_day",
      "event_too_long",
      "nothing_to_change",
      "too_many_attendees"
    ],
    Transient: calendarReasons.Transient
  },
  example: { event_id: "gatesample1", summary: "Demo with Acme and its partner" },
  run: Tool.via(Calendar, (calendar, { attendees, calendar_id, end_utc, event_id, start_utc, summary: title }) =>
    calendar.update(
      { calendarId: calendar_id, eventId: event_id },
      { summary: title, startsAt: start_utc, endsAt: end_utc, attendees }
    )
  )
})

const deleteCalendarEvent = Tool.make("delete_calendar_event", {
  kind: "destructive",
  idempotent: true,
  openWorld: true,
  transaction: "several",
  description:
    "Deletes an event and cancels it for all attendees, which cannot be undone. Where it was a meeting with a lead, that is called off. Deleting it again changes nothing.",
  parameters: { event_id: eventId, calendar_id: calendarId },
  returns: DeletedEvent,
  errors: {
    NotFound: ["calendar_event_not_found", "calendar_not_found"],
    Refused: [...calendarReasons.Refused, "calendar_read_only"],
    Transient: calendarReasons.Transient
  },
  example: { event_id: "gatesample1" },
  run: Tool.via(Calendar, (calendar, { calendar_id, event_id }) =>
    calendar.remove({ calendarId: calendar_id, eventId: event_id })
  )
})

const respondCalendarEvent = Tool.make("respond_calendar_event", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  transaction: "several",
  description: "Answers an invitation in the account's name. The same answer again changes nothing.",
  parameters: {
    event_id: eventId,
    accept: Param.boolean("True accepts, false declines."),
    calendar_id: calendarId
  },
  returns: ChangedEvent,
  errors: {
    NotFound: ["calendar_event_not_found", "calendar_not_found"],
    Refused: [...calendarReasons.Refused, "calendar_read_only", "not_invited"],
    Transient: calendarReasons.Transient
  },
  example: { event_id: "gatesample1", accept: true },
  run: Tool.via(Calendar, (calendar, { accept, calendar_id, event_id }) =>
    calendar.respond({ calendarId: calendar_id, eventId: event_id }, accept)
  )
})

export const CalendarGroup = Tool.group("Calendar", "The account's own calendar, and what stands in it.", [
  listCalendarEvents,
  createCalendarEvent,
  updateCalendarEvent,
  deleteCalendarEvent,
  respondCalendarEvent,
  getCalendarConnectionUrl,
  getCalendarStatus,
  disconnectCalendar
])
