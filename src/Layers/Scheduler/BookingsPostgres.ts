import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Clock, Effect, Layer, Option } from "effect"
import { type Refused, refused, type Transient } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { MeetingId } from "../../Services/Meetings/Ids.ts"
import { Meetings } from "../../Services/Meetings/Meetings.ts"
import type { Booking } from "../../Services/Scheduler/BookingRules.ts"
import { type LinkedBooking, SchedulerBookings } from "../../Services/Scheduler/Scheduler.ts"
import { resourceOf } from "../../Services/Scheduler/SchedulerRules.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { makeBookingMeetings } from "./BookingMeetings.ts"
import { asToolError, toToolError } from "./CalendlyApi.ts"
import { inviteeIdOf, readBookingOf, versionOf } from "./ReadBooking.ts"
import { SchedulerConnection } from "./SchedulerConnection.ts"
import { SchedulerSettings } from "./SchedulerSettings.ts"

/** The longest chain of bookings that replaced one another. */
const longestChain = 20
const sweepDays = 100
/** A booking that has begun may still be moved or cancelled for this long. */
const sweepBackMillis = 86_400_000
const cancelledHere = "Cancelled by the host."

const notBooking = refused("not_a_booking", "This is no booking of the scheduler's.", "Send an invitee's address.")

const makeBookingReader = Effect.gen(function* () {
  const meetings = yield* Meetings
  const { take } = yield* makeBookingMeetings
  const { api: apiFor } = yield* SchedulerConnection
  const { apiUrl } = yield* SchedulerSettings
  const api = apiFor(false)

  /** The bookings that this one replaced, back to one with a meeting. It may have been moved several times. */
  const earlierOf = Effect.fnUntraced(function* ({ oldInvitee }: Booking) {
    const earlier: Array<string> = []
    let uri = oldInvitee
    while (uri !== undefined && earlier.length < longestChain && !earlier.includes(uri)) {
      const eventId = resourceOf("invitee", apiUrl, uri)
      if (eventId === undefined) break
      earlier.push(uri)
      if ((yield* meetings.ofExternal("scheduler", uri)) !== undefined) break
      uri = yield* api.invitee(eventId, inviteeIdOf(uri)).pipe(
        Effect.map(({ old_invitee }) => old_invitee),
        Effect.catchTag("ProviderFailure", (failure) =>
          failure.kind === "not_found" ? Effect.succeed(undefined) : Effect.fail(failure)
        )
      )
    }
    return earlier
  })

  /** Reads a booking. The booking that replaced it is read first, because the meeting moves to that one. */
  const look = (inviteeUri: string, left = longestChain): Effect.Effect<void, Refused | Transient, Caller> =>
    Effect.gen(function* () {
      const eventId = resourceOf("invitee", apiUrl, inviteeUri)
      if (eventId === undefined || left === 0) return yield* notBooking
      const event = yield* api.event(eventId)
      const invitee = yield* api.invitee(eventId, inviteeIdOf(inviteeUri))
      const read = readBookingOf(event, invitee, eventId)
      if (read === undefined) return yield* notBooking
      if (read.booking.newInvitee !== undefined) yield* look(read.booking.newInvitee, left - 1)
      yield* take(read, read.booking.newInvitee === undefined ? yield* earlierOf(read.booking) : [])
    }).pipe(
      Effect.catchTag("ProviderFailure", (failure) =>
        // The booking was deleted at the scheduler. A person decides about its meeting.
        failure.kind === "not_found" ? Effect.void : Effect.fail(toToolError(failure))
      )
    )

  return look
})

/** Compares the stored bookings with the scheduler's. */
const makeSweep = Effect.gen(function* () {
  const sql = yield* SqlClient
  const look = yield* makeBookingReader
  const { api: apiFor } = yield* SchedulerConnection
  const { apiUrl } = yield* SchedulerSettings
  const api = apiFor(false)

  const knownVersions = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: string; readonly version: string; readonly is_active: boolean }>`
      select event_id as id, max(version) as version, bool_or(is_active) as is_active from scheduler_booking
      where account_id = ${accountId} group by event_id`.pipe(fromSql())
    return new Map(rows.map((row) => [row.id, row]))
  })

  /** Cancels bookings at the scheduler whose meetings were cancelled in the gateway, unless that already happened. */
  const takeBack = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly eventId: string; readonly inviteeId: string; readonly reason: string | null }>`
      select b.event_id as "eventId", b.invitee_id as "inviteeId", m.cancel_reason as reason
      from scheduler_booking b join meeting m on m.account_id = b.account_id and m.meeting_id = b.meeting_id
      where b.account_id = ${accountId} and m.account_id = ${accountId} and b.is_active and m.status = 'cancelled'
        and m.starts_at > instant()
        and m.external_id = ${apiUrl} || '/scheduled_events/' || b.event_id || '/invitees/' || b.invitee_id`.pipe(
      fromSql()
    )
    for (const { eventId, inviteeId, reason } of rows) {
      const event = yield* api.event(eventId)
      if (event.status === "active") yield* api.cancel(eventId, reason ?? cancelledHere)
      yield* look(`${apiUrl}/scheduled_events/${eventId}/invitees/${inviteeId}`)
    }
  })

  const sweep = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const [own] = yield* sql<{ readonly user: string }>`
      select user_uri as user from scheduler_account where account_id = ${accountId}`.pipe(fromSql())
    if (own === undefined) return
    yield* takeBack
    const present = yield* Clock.currentTimeMillis
    const events = yield* api.events({
      user: own.user,
      min_start_time: new Date(present - sweepBackMillis).toISOString(),
      max_start_time: new Date(present - sweepBackMillis + sweepDays * 86_400_000).toISOString()
    })
    const known = yield* knownVersions
    for (const event of events) {
      const id = resourceOf("scheduled_event", apiUrl, event.uri)
      if (id === undefined) continue
      const before = known.get(id)
      const isActive = event.status === "active"
      if (before !== undefined && before.version >= versionOf(event.updated_at) && before.is_active === isActive)
        continue
      for (const { uri } of yield* api.invitees(id)) yield* look(uri)
    }
    yield* sql`update scheduler_account set swept_at = instant() where account_id = ${accountId}`.pipe(fromSql())
  }).pipe(Effect.catchTags(asToolError), Effect.withSpan("SchedulerBookings.sweep"))

  return sweep
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const look = yield* makeBookingReader
  const sweep = yield* makeSweep
  const { apiUrl } = yield* SchedulerSettings

  const linked = (where: Fragment) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const rows = yield* sql<{
        readonly leadId: LeadId
        readonly meetingId: MeetingId
        readonly eventId: string
        readonly inviteeId: string
        readonly calendarEventId: string | null
      }>`
        select lead_id as "leadId", meeting_id as "meetingId", event_id as "eventId", invitee_id as "inviteeId",
          calendar_event_id as "calendarEventId"
        from scheduler_booking
        where account_id = ${accountId} and lead_id is not null and meeting_id is not null and ${where}
        order by is_active desc, version desc limit 1`.pipe(fromSql())
      return Option.getOrUndefined(
        Option.map(Option.fromNullable(rows[0]), ({ eventId, inviteeId, ...row }): LinkedBooking => {
          const eventUri = `${apiUrl}/scheduled_events/${eventId}`
          return { ...row, eventUri, inviteeUri: `${eventUri}/invitees/${inviteeId}` }
        })
      )
    })

  return SchedulerBookings.of({
    look: (inviteeUri) => look(inviteeUri).pipe(Effect.withSpan("SchedulerBookings.look")),
    sweep,
    ofMeeting: (id) => linked(sql`meeting_id = ${id}`),
    ofCalendarEvent: (calendarEventId) => linked(sql`calendar_event_id = ${calendarEventId}`)
  })
})

export const SchedulerBookingsPostgres = Layer.effect(SchedulerBookings, make)
