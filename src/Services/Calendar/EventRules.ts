import { Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"
import { mostAttendees } from "./Calendar.ts"

const longestDays = 366

/** Why an event cannot have these times. Undefined if it can. */
export const timesRefused = (startsAt: Timestamp, endsAt: Timestamp): Refused | undefined => {
  const length = toMillis(endsAt) - toMillis(startsAt)
  if (length <= 0) {
    return refused("end_before_start", "The event does not end after it begins.", "Send an end_utc after start_utc.", {
      parameter: "end_utc",
      start_utc: startsAt,
      end_utc: endsAt
    })
  }
  if (length > longestDays * 86_400_000) {
    return refused("event_too_long", `An event lasts at most ${longestDays} days.`, "Send an earlier end_utc.", {
      parameter: "end_utc",
      maximum_days: longestDays
    })
  }
  return undefined
}

/** Normalised addresses without duplicates. Refused if one is invalid. */
export const attendeesOf = (rawAddresses: ReadonlyArray<string>): Either.Either<ReadonlyArray<string>, Refused> => {
  const addresses = new Set<string>()
  for (const one of rawAddresses) {
    const address = normaliseEmail(one)
    if (Either.isLeft(address)) {
      return Either.left(
        refused(
          "attendee_invalid",
          "An attendee is not an e-mail address.",
          "Send e-mail addresses, separated by commas.",
          {
            parameter: "attendees",
            attendee: one.slice(0, 200)
          }
        )
      )
    }
    addresses.add(address.right)
  }
  if (addresses.size > mostAttendees) {
    return Either.left(
      refused("too_many_attendees", `An event takes at most ${mostAttendees} attendees.`, "Invite fewer people.", {
        parameter: "attendees",
        maximum: mostAttendees
      })
    )
  }
  return Either.right([...addresses])
}

/**
 * The new list of attendees. People who were already invited keep their entry with their answer, and so does the
 * account if it owns the event. `emailOf` reads an attendee's address.
 */
export const replacedAttendees = <A>(
  before: ReadonlyArray<A>,
  newAddresses: ReadonlyArray<string>,
  {
    emailOf,
    invite,
    isKept
  }: {
    readonly emailOf: (attendee: A) => string
    readonly isKept: (attendee: A) => boolean
    readonly invite: (email: string) => A
  }
): ReadonlyArray<A> => {
  const invitedByAddress = new Map(before.map((attendee) => [emailOf(attendee).trim().toLowerCase(), attendee]))
  const invited = newAddresses.map((email) => invitedByAddress.get(email) ?? invite(email))
  return [...before.filter((attendee) => isKept(attendee) && !invited.includes(attendee)), ...invited]
}

export const readOnlyRefused = (calendarId: string): Refused =>
  refused(
    "calendar_read_only",
    "The account may only read this calendar.",
    "Use a calendar that it may write to, such as primary, or let the calendar's owner grant more.",
    { parameter: "calendar_id", calendar_id: calendarId }
  )

/** Ids are part of a URL at the provider, so they may only contain safe characters. */
export const isEventId = (id: string): boolean => /^[\w=-]{1,1100}$/.test(id)
export const isCalendarId = (id: string): boolean => /^[\w.@#+%=-]{1,300}$/.test(id) && !/^\.+$/.test(id)
