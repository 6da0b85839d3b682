import { fromMillis, parseInstant, type Timestamp } from "../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { Booking } from "../../Services/Scheduler/BookingRules.ts"
import type { CalendlyEvent, CalendlyInvitee } from "./CalendlyShapes.ts"

/**
 * Calendly writes fractions of a second with varying length. They are padded, because texts compare correctly only with
 * equal length.
 */
export const versionOf = (text: string | undefined): string => {
  const [, head = "", fraction = ""] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/.exec(text ?? "") ?? []
  return `${head}.${fraction.padEnd(9, "0")}`
}

const instantOf = (text: string): Timestamp | undefined => {
  const parsed = parseInstant(text)
  return parsed === undefined ? undefined : fromMillis(parsed.millis)
}

/** A booking in the scheduler's terms. */
export interface ReadBooking {
  readonly booking: Booking
  readonly eventId: string
  readonly inviteeId: string
  readonly event: CalendlyEvent
  readonly invitee: CalendlyInvitee
}

export const inviteeIdOf = (uri: string): string => uri.slice(uri.lastIndexOf("/") + 1)

/** Returns the booking. Undefined if its times cannot be read. */
export const readBookingOf = (
  event: CalendlyEvent,
  invitee: CalendlyInvitee,
  eventId: string
): ReadBooking | undefined => {
  const startsAt = instantOf(event.start_time)
  const endsAt = instantOf(event.end_time)
  if (startsAt === undefined || endsAt === undefined) return undefined
  const [ofEvent, ofInvitee] = [versionOf(event.updated_at), versionOf(invitee.updated_at)]
  return {
    event,
    invitee,
    eventId,
    inviteeId: inviteeIdOf(invitee.uri),
    booking: {
      inviteeUri: invitee.uri,
      eventUri: event.uri,
      isActive: invitee.status === "active" && event.status === "active",
      newInvitee: invitee.rescheduled === true ? invitee.new_invitee : undefined,
      oldInvitee: invitee.old_invitee,
      startsAt,
      endsAt,
      isCancelledByInvitee: (invitee.cancellation ?? event.cancellation)?.canceler_type !== "host",
      cancelReason: (invitee.cancellation ?? event.cancellation)?.reason,
      version: ofEvent > ofInvitee ? ofEvent : ofInvitee
    }
  }
}

const titleOf = ({ event, invitee }: ReadBooking): string =>
  [event.name, invitee.name].filter((part) => part !== undefined && part !== "").join(": ")

export const newMeetingOf = (read: ReadBooking, leadId: LeadId) => ({
  leadId,
  startsAt: read.booking.startsAt,
  endsAt: read.booking.endsAt,
  title: titleOf(read),
  meetingUrl: read.event.location?.join_url,
  bookedThrough: "scheduler" as const,
  externalId: read.booking.inviteeUri
})
