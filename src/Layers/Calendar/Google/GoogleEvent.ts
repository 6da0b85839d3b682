import { Option, Schema } from "effect"
import type { AttendeeAnswer, CalendarEvent } from "../../../Services/Calendar/CalendarModel.ts"
import { allDay, type EventKind, isBusy, type Occupation, type Period } from "../../../Services/Calendar/FreeSlots.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { clip, tidyText } from "../../../Services/Text/PlainText.ts"

/** A day (`date`) or an instant (`dateTime`). */
export const GoogleTime = Schema.Struct({
  date: Schema.optional(Schema.NullOr(Schema.String)),
  dateTime: Schema.optional(Schema.NullOr(Schema.String)),
  timeZone: Schema.optional(Schema.NullOr(Schema.String))
})
export type GoogleTime = typeof GoogleTime.Type

/** All fields are kept, because a sent attendee replaces the whole stored one. */
const Attendee = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type GoogleAttendee = typeof Attendee.Type

/** The used fields of the provider's event. */
export const GoogleEvent = Schema.Struct({
  id: Schema.String,
  etag: Schema.optional(Schema.String),
  status: Schema.optional(Schema.String),
  summary: Schema.optional(Schema.String),
  transparency: Schema.optional(Schema.String),
  eventType: Schema.optional(Schema.String),
  start: Schema.optional(GoogleTime),
  end: Schema.optional(GoogleTime),
  recurringEventId: Schema.optional(Schema.String),
  recurrence: Schema.optional(Schema.Array(Schema.String)),
  attendees: Schema.optional(Schema.Array(Attendee)),
  organizer: Schema.optional(
    Schema.Struct({ email: Schema.optional(Schema.String), self: Schema.optional(Schema.Boolean) })
  ),
  hangoutLink: Schema.optional(Schema.String),
  conferenceData: Schema.optional(
    Schema.Struct({
      createRequest: Schema.optional(
        Schema.Struct({ status: Schema.optional(Schema.Struct({ statusCode: Schema.optional(Schema.String) })) })
      )
    })
  )
})
export type GoogleEvent = typeof GoogleEvent.Type

export const EventPage = Schema.Struct({
  items: Schema.optionalWith(Schema.Array(Schema.Unknown), { default: () => [] }),
  timeZone: Schema.optional(Schema.String),
  summary: Schema.optional(Schema.String),
  accessRole: Schema.optional(Schema.String),
  nextPageToken: Schema.optional(Schema.String),
  nextSyncToken: Schema.optional(Schema.String)
})
export type EventPage = typeof EventPage.Type

export const readEvent = Schema.decodeUnknownOption(GoogleEvent)
/** Skips unreadable events, so that one of them does not hide the others. */
export const readEvents = (items: ReadonlyArray<unknown>): ReadonlyArray<GoogleEvent> =>
  items.flatMap((item) => Option.toArray(readEvent(item)))

const text = (value: unknown): string => (typeof value === "string" ? value : "")

export const emailOf = (attendee: GoogleAttendee): string => text(attendee.email)
export const isSelf = (attendee: GoogleAttendee): boolean => attendee.self === true

const answers: { readonly [status: string]: AttendeeAnswer } = {
  needsAction: "needs_action",
  accepted: "accepted",
  tentative: "tentative",
  declined: "declined"
}

export const answerOf = (attendee: GoogleAttendee): AttendeeAnswer =>
  answers[text(attendee.responseStatus)] ?? "needs_action"

const kinds: { readonly [type: string]: EventKind } = {
  outOfOffice: "outOfOffice",
  focusTime: "focusTime",
  workingLocation: "presence",
  birthday: "presence"
}

/** The range of times that can be stored. Events outside of it are ignored. */
const [firstTime, lastTime] = [Date.parse("1900-01-01"), Date.parse("9000-01-01")]
const isKnownTime = (at: number): boolean => at >= firstTime && at <= lastTime

const isDate = (date: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(date) && isKnownTime(Date.parse(date))

/** Returns the time of the event. Undefined if it has none, as a cancelled one may. */
export const periodOf = ({ end, start }: GoogleEvent, zone: string): Period | undefined => {
  const [first, last] = [text(start?.date), text(end?.date)]
  if (isDate(first)) return isDate(last) ? allDay(first, last, zone) : undefined
  const [from, to] = [Date.parse(text(start?.dateTime)), Date.parse(text(end?.dateTime))]
  return isKnownTime(from) && isKnownTime(to) ? { from, to } : undefined
}

export const isAllDay = ({ start }: GoogleEvent): boolean => isDate(text(start?.date))

/** Returns when the event makes its owner busy. Undefined if it does not. */
export const occupationOf = (event: GoogleEvent, zone: string): Occupation | undefined => {
  const period = periodOf(event, zone)
  if (period === undefined) return undefined
  const ownAttendee = event.attendees?.find(isSelf)
  return {
    ...period,
    status: event.status === "cancelled" || event.status === "tentative" ? event.status : "confirmed",
    isTransparent: event.transparency === "transparent",
    kind: kinds[event.eventType ?? ""] ?? "default",
    isDeclined: ownAttendee !== undefined && answerOf(ownAttendee) === "declined"
  }
}

const longestText = 1000

const isWebAddress = (url: string): boolean => /^https:\/\/\S{1,500}$/.test(url)

/** The link to the event's video meeting. */
export const meetingUrlOf = ({ hangoutLink }: GoogleEvent): string | null =>
  hangoutLink !== undefined && isWebAddress(hangoutLink) ? hangoutLink : null

/** Returns the event as tools show it. Undefined if it has no time. */
export const shownEvent = (event: GoogleEvent, calendarId: string, zone: string): CalendarEvent | undefined => {
  const occupation = occupationOf(event, zone)
  if (occupation === undefined) return undefined
  const attendees = (event.attendees ?? []).filter((attendee) => emailOf(attendee) !== "")
  const ownAttendee = attendees.find(isSelf)
  const url = meetingUrlOf(event)
  return {
    event_id: event.id,
    calendar_id: calendarId,
    summary: clip(tidyText(event.summary ?? ""), longestText),
    start_utc: fromMillis(occupation.from),
    end_utc: fromMillis(occupation.to),
    is_all_day: isAllDay(event),
    status: occupation.status,
    takes_time: isBusy(occupation),
    series_id: event.recurringEventId ?? null,
    is_series: (event.recurrence ?? []).length > 0,
    meeting_url: url,
    is_meeting_url_pending: url === null && event.conferenceData?.createRequest?.status?.statusCode === "pending",
    own_response: ownAttendee === undefined ? null : answerOf(ownAttendee),
    attendees: attendees.map((attendee) => ({
      email: emailOf(attendee).slice(0, 320),
      response: answerOf(attendee),
      is_organizer: attendee.organizer === true,
      is_self: isSelf(attendee)
    }))
  }
}
