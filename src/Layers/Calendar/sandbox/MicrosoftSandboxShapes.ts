import { at, listAt, textAt } from "../../Platform/AnswerPaths.ts"
import { etagOf } from "./CalendarSandboxAnswers.ts"
import type { StoredEvent } from "./CalendarSandboxSeries.ts"

// Converts events between the first provider's format, in which the simulator stores them, and Graph's.

/** The provider assigns different ids than the gateway. */
export const graphIdOf = (storedId: string): string => `AAk-${storedId}=`
export const storedIdOf = (graphId: string): string => /^AAk-(.{1,1050})=$/.exec(graphId)?.[1] ?? ""

/** Converts versions between the formats of the two providers. */
export const graphEtagOf = (version: number): string => `W/${etagOf(version)}`
export const storedEtagOf = (header: string): string => header.replace(/^W\//, "")

const responses: { readonly [status: string]: string } = {
  needsAction: "notResponded",
  accepted: "accepted",
  tentative: "tentativelyAccepted",
  declined: "declined"
}

const graphTime = (time: unknown) => {
  const date = textAt(time, "date")
  const instant = date === "" ? new Date(textAt(time, "dateTime")).toISOString().slice(0, 19) : `${date}T00:00:00`
  return { dateTime: `${instant}.0000000`, timeZone: "UTC" }
}

const emailAddress = (person: unknown) => ({
  address: textAt(person, "email"),
  name: textAt(person, "displayName") || textAt(person, "email")
})

const showAs = ({ eventType, status, transparency }: StoredEvent): string => {
  if (eventType === "outOfOffice") return "oof"
  if (eventType === "workingLocation") return "workingElsewhere"
  if (transparency === "transparent") return "free"
  return status === "tentative" ? "tentative" : "busy"
}

const typeOf = ({ recurrence, recurringEventId }: StoredEvent): string => {
  if ((recurrence ?? []).length > 0) return "seriesMaster"
  return recurringEventId === undefined ? "singleInstance" : "occurrence"
}

/** A stored event in Graph's format. In a list of changes, a deleted event has only its id. */
export const graphEventOf = (event: StoredEvent, version: number): { readonly [member: string]: unknown } => {
  const id = graphIdOf(event.id)
  if (event.status === "cancelled") return { id, "@removed": { reason: "deleted" } }
  const attendees = listAt(event, "attendees")
  const ownAttendee = attendees.find((attendee) => at(attendee, "self") === true)
  const isOrganizer = at(event, "organizer", "self") !== false
  const joinUrl = textAt(event, "hangoutLink")
  const isOnlineMeeting = joinUrl !== "" || at(event, "conferenceData") !== undefined
  return {
    "@odata.etag": graphEtagOf(version),
    id,
    subject: textAt(event, "summary"),
    isAllDay: textAt(event, "start", "date") !== "",
    isCancelled: false,
    isOrganizer,
    showAs: showAs(event),
    type: typeOf(event),
    seriesMasterId: event.recurringEventId === undefined ? null : graphIdOf(event.recurringEventId),
    transactionId: textAt(event, "transactionId") || null,
    start: graphTime(event.start),
    end: graphTime(event.end),
    attendees: attendees.map((attendee) => ({
      type: at(attendee, "optional") === true ? "optional" : "required",
      status: { response: responses[textAt(attendee, "responseStatus")] ?? "none", time: "0001-01-01T00:00:00Z" },
      emailAddress: emailAddress(attendee)
    })),
    organizer: { emailAddress: emailAddress(at(event, "organizer")) },
    responseStatus: {
      response: isOrganizer ? "organizer" : (responses[textAt(ownAttendee, "responseStatus")] ?? "notResponded"),
      time: "0001-01-01T00:00:00Z"
    },
    isOnlineMeeting,
    onlineMeetingProvider: isOnlineMeeting ? "teamsForBusiness" : "unknown",
    onlineMeeting: joinUrl === "" ? null : { joinUrl }
  }
}

const storedTime = (time: unknown): { readonly dateTime: string } | undefined => {
  const dateTime = textAt(time, "dateTime")
  const isUtc =
    textAt(time, "timeZone") === "UTC" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?$/.test(dateTime)
  return isUtc ? { dateTime: `${dateTime.slice(0, 19)}Z` } : undefined
}

/** Returns the fields of a request in the stored format. Undefined if Graph would refuse one of them. */
export const storedFields = (body: unknown): { readonly [member: string]: unknown } | undefined => {
  const [start, end] = [at(body, "start"), at(body, "end")]
  const times = [start, end].filter((time) => time !== undefined)
  if (times.some((time) => storedTime(time) === undefined)) return undefined
  const attendees = at(body, "attendees")
  const ownId = textAt(body, "singleValueExtendedProperties", 0, "value")
  return {
    ...(at(body, "subject") === undefined ? {} : { summary: textAt(body, "subject") }),
    ...(start === undefined ? {} : { start: { ...storedTime(start), date: null } }),
    ...(end === undefined ? {} : { end: { ...storedTime(end), date: null } }),
    ...(attendees === undefined
      ? {}
      : {
          attendees: listAt(body, "attendees").map((attendee) => ({
            email: textAt(attendee, "emailAddress", "address"),
            ...(textAt(attendee, "type") === "optional" ? { optional: true } : {})
          }))
        }),
    ...(textAt(body, "transactionId") === "" ? {} : { transactionId: textAt(body, "transactionId") }),
    ...(ownId === "" ? {} : { ownId }),
    ...(at(body, "isOnlineMeeting") === true ? { conferenceData: { createRequest: {} } } : {})
  }
}
