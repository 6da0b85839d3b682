import { Option, Schema } from "effect"
import { at, listAt, textAt } from "../../Platform/AnswerPaths.ts"
import type { GoogleAttendee, GoogleEvent, GoogleTime } from "../Google/GoogleEvent.ts"
import { ownPrefix } from "../Meetings/EventIds.ts"

const text = Schema.optional(Schema.NullOr(Schema.String))
const flag = Schema.optional(Schema.NullOr(Schema.Boolean))
const orNull = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const GraphTime = Schema.Struct({ dateTime: Schema.String, timeZone: text })
const Response = Schema.Struct({ response: text })
const EmailAddress = Schema.Struct({ address: text, name: text })
const GraphAttendee = Schema.Struct({ type: text, status: orNull(Response), emailAddress: orNull(EmailAddress) })

/** The used fields of a Microsoft Graph event. Times are requested in UTC. */
export const GraphEvent = Schema.Struct({
  id: Schema.String,
  "@odata.etag": text,
  /** Present only in lists of changes: the event was deleted. */
  "@removed": Schema.optional(Schema.Unknown),
  subject: text,
  isAllDay: flag,
  isCancelled: flag,
  isOrganizer: flag,
  showAs: text,
  type: text,
  seriesMasterId: text,
  transactionId: text,
  start: orNull(GraphTime),
  end: orNull(GraphTime),
  attendees: orNull(Schema.Array(GraphAttendee)),
  organizer: orNull(Schema.Struct({ emailAddress: orNull(EmailAddress) })),
  responseStatus: orNull(Response),
  isOnlineMeeting: flag,
  onlineMeeting: orNull(Schema.Struct({ joinUrl: text }))
})
export type GraphEvent = typeof GraphEvent.Type

const decodeEvent = Schema.decodeUnknownOption(GraphEvent)

/** Skips unreadable events, so that one of them does not hide the others. */
export const readGraphEvents = (items: ReadonlyArray<unknown>): ReadonlyArray<GraphEvent> =>
  items.flatMap((item) => Option.toArray(decodeEvent(item)))

const answers: { readonly [response: string]: string } = {
  accepted: "accepted",
  organizer: "accepted",
  tentativelyAccepted: "tentative",
  declined: "declined"
}
const answerOf = (response: string | null | undefined): string => answers[response ?? ""] ?? "needsAction"

const attendeesOf = (
  { attendees, isOrganizer, responseStatus }: GraphEvent,
  ownAddress: string
): ReadonlyArray<GoogleAttendee> => {
  const people = (attendees ?? []).map(({ emailAddress, status, type }): GoogleAttendee => {
    const email = emailAddress?.address ?? ""
    const isOwn = isOrganizer === false && email.toLowerCase() === ownAddress.toLowerCase()
    return {
      email,
      ...(emailAddress?.name === undefined || emailAddress.name === null ? {} : { displayName: emailAddress.name }),
      // For the owner's own answer, the event is more recent than the organizer's copy.
      responseStatus: answerOf(isOwn ? (responseStatus?.response ?? status?.response) : status?.response),
      ...(type === "optional" ? { optional: true } : {}),
      ...(type === "resource" ? { resource: true } : {}),
      ...(isOwn ? { self: true } : {})
    }
  })
  // The invitation may name an alias of the owner or a group.
  const isInvited = isOrganizer === false && !people.some(({ self }) => self === true)
  return isInvited
    ? [...people, { email: ownAddress, self: true, responseStatus: answerOf(responseStatus?.response) }]
    : people
}

/** `2026-12-10T13:00:00.0000000` in UTC. For an all-day event, only the date. */
const timeOf = (time: GraphEvent["start"], isAllDay: boolean): GoogleTime | undefined => {
  if (time === undefined || time === null) return undefined
  if (isAllDay) return { date: time.dateTime.slice(0, 10) }
  return { dateTime: `${time.dateTime.slice(0, 19)}Z` }
}

const kinds: { readonly [showAs: string]: string } = { oof: "outOfOffice", workingElsewhere: "workingLocation" }

const statusOf = ({ "@removed": removed, isCancelled, showAs }: GraphEvent): string =>
  removed !== undefined || isCancelled === true ? "cancelled" : showAs === "tentative" ? "tentative" : "confirmed"

const meetingOf = ({ isOnlineMeeting, onlineMeeting }: GraphEvent) => {
  const url = onlineMeeting?.joinUrl ?? ""
  if (url !== "") return { hangoutLink: url }
  return isOnlineMeeting === true ? { conferenceData: { createRequest: { status: { statusCode: "pending" } } } } : {}
}

/** The id that the gateway gave the event when it created it. */
export const ownIdOf = ({ isOrganizer, transactionId }: GraphEvent): string | undefined =>
  isOrganizer !== false && transactionId?.startsWith(ownPrefix) === true ? transactionId : undefined

/** The event in the gateway's format. `id` replaces the provider's if the gateway assigned one. */
export const eventOf = (event: GraphEvent, ownAddress: string, id: string): GoogleEvent => {
  const { organizer, seriesMasterId, showAs, subject, type } = event
  const isAllDay = event.isAllDay === true
  const start = timeOf(event.start, isAllDay)
  const end = timeOf(event.end, isAllDay)
  const etag = event["@odata.etag"]
  return {
    id,
    ...(typeof etag === "string" ? { etag } : {}),
    status: statusOf(event),
    summary: subject ?? "",
    transparency: showAs === "free" ? "transparent" : "opaque",
    eventType: kinds[showAs ?? ""] ?? "default",
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(typeof seriesMasterId === "string" && type !== "seriesMaster" ? { recurringEventId: seriesMasterId } : {}),
    // Graph does not use recurrence rules. Only the presence of this field matters here.
    ...(type === "seriesMaster" ? { recurrence: ["RRULE"] } : {}),
    attendees: attendeesOf(event, ownAddress),
    organizer: { email: organizer?.emailAddress?.address ?? "", self: event.isOrganizer !== false },
    ...meetingOf(event)
  }
}

/** In a list of changes, an instance has little more than its times. The other fields come from its series. */
export const withSeries = (events: ReadonlyArray<GraphEvent>): ReadonlyArray<GraphEvent> => {
  const series = new Map(events.flatMap((event) => (event.type === "seriesMaster" ? [[event.id, event] as const] : [])))
  return events
    .filter(({ type }) => type !== "seriesMaster")
    .map((event) => {
      const master = event.type === "occurrence" ? series.get(event.seriesMasterId ?? "") : undefined
      if (master === undefined) return event
      const { isAllDay, responseStatus, showAs, subject } = master
      return { isAllDay, responseStatus, showAs, subject, ...event }
    })
}

/** An instant in Graph's format: without an offset, next to the zone's name. */
const graphTime = (instant: string) => ({ dateTime: new Date(instant).toISOString().slice(0, 19), timeZone: "UTC" })

const graphAttendee = (attendee: unknown) => ({
  emailAddress: {
    address: textAt(attendee, "email"),
    ...(textAt(attendee, "displayName") === "" ? {} : { name: textAt(attendee, "displayName") })
  },
  type: at(attendee, "resource") === true ? "resource" : at(attendee, "optional") === true ? "optional" : "required"
})

/** The fields of an event or of its changes in Graph's format. */
export const graphFields = (event: object) => {
  const [start, end] = [textAt(event, "start", "dateTime"), textAt(event, "end", "dateTime")]
  const summary = at(event, "summary")
  return {
    ...(typeof summary === "string" ? { subject: summary } : {}),
    ...(start === "" ? {} : { start: graphTime(start) }),
    ...(end === "" ? {} : { end: graphTime(end) }),
    ...(start !== "" && end !== "" ? { isAllDay: false } : {}),
    ...(at(event, "attendees") === undefined ? {} : { attendees: listAt(event, "attendees").map(graphAttendee) }),
    ...(at(event, "conferenceData") === undefined ? {} : { isOnlineMeeting: true })
  }
}

const actions: { readonly [status: string]: "accept" | "decline" | "tentativelyAccept" } = {
  accepted: "accept",
  declined: "decline",
  tentative: "tentativelyAccept"
}

/** The action that answers an invitation, if the changes contain the owner's answer. */
export const answerIn = (changes: object): "accept" | "decline" | "tentativelyAccept" | undefined => {
  const ownAttendee = listAt(changes, "attendees").find((attendee) => at(attendee, "self") === true)
  return Object.keys(changes).length === 1 ? actions[textAt(ownAttendee, "responseStatus")] : undefined
}
