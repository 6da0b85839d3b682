import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { LeadResponse, MeetingId } from "../../../Services/Meetings/Ids.ts"
import { Meetings } from "../../../Services/Meetings/Meetings.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { answerOf, emailOf, type GoogleEvent, isSelf } from "../Google/GoogleEvent.ts"
import { ownPrefix } from "./EventIds.ts"

interface BookedThere {
  readonly eventId: string
  readonly meetingId: MeetingId
  readonly response: LeadResponse | null
  readonly leadEmail: string | null
}

/** Links calendar events of scheduler bookings to their meetings. */
export const makeAnswersToBookings = Effect.gen(function* () {
  const sql = yield* SqlClient
  const meetings = yield* Meetings

  /**
   * Records a lead's answer to an invitation of the scheduler. Times and cancellations come from the scheduler itself.
   */
  const noteAnswer = Effect.fnUntraced(function* (booked: BookedThere, event: GoogleEvent) {
    const guests = (event.attendees ?? []).filter((attendee) => !isSelf(attendee) && attendee.organizer !== true)
    // The lead may have booked with a different address.
    const leadAttendee =
      guests.find((guest) => emailOf(guest).toLowerCase() === booked.leadEmail?.toLowerCase()) ??
      (guests.length === 1 ? guests[0] : undefined)
    const answer = leadAttendee === undefined ? "needs_action" : answerOf(leadAttendee)
    if (event.status === "cancelled" || answer === "needs_action" || answer === booked.response) return
    yield* meetings.note(booked.meetingId, { response: answer })
  })

  return Effect.fnUntraced(function* (events: ReadonlyArray<GoogleEvent>) {
    const { accountId } = yield* Caller
    const others = events.filter(({ attendees = [], id }) => attendees.length > 0 && !id.startsWith(ownPrefix))
    const byId = new Map(others.map((event) => [event.id, event]))
    if (byId.size === 0) return
    const booked = yield* sql<BookedThere>`
      select b.calendar_event_id as "eventId", m.meeting_id as "meetingId", m.lead_response as response,
        l.email as "leadEmail"
      from scheduler_booking b join meeting m on m.account_id = b.account_id and m.meeting_id = b.meeting_id
        join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
      where b.account_id = ${accountId} and b.calendar_event_id = any(${[...byId.keys()]}::text[]) and b.is_active
        and m.booked_through = 'scheduler' and m.status in ('scheduled', 'confirmed') and m.ends_at > instant()
      order by m.lead_id, m.meeting_id`.pipe(fromSql())
    for (const one of booked) {
      const event = byId.get(one.eventId)
      if (event !== undefined) yield* noteAnswer(one, event)
    }
  })
})
