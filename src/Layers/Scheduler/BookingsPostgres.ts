import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Clock, Effect, Layer, Option } from "effect"
import { type Refused, refused, type Transient } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { fromMillis, now, parseInstant, plusSeconds, type Timestamp } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { MeetingId } from "../../Services/Meetings/Ids.ts"
import { Meetings, type MeetingView } from "../../Services/Meetings/Meetings.ts"
import { type Booking, bookingChange } from "../../Services/Scheduler/BookingRules.ts"
import { leadOfReference } from "../../Services/Scheduler/LeadReference.ts"
import { type LinkedBooking, SchedulerBookings } from "../../Services/Scheduler/Scheduler.ts"
import { resourceOf } from "../../Services/Scheduler/SchedulerRules.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { asToolError, toToolError } from "./CalendlyApi.ts"
import type { CalendlyEvent, CalendlyInvitee } from "./CalendlyShapes.ts"
import { SchedulerConnection } from "./SchedulerConnection.ts"
import { SchedulerSettings } from "./SchedulerSettings.ts"

/** Bookings that one took the place of another of; more than a person moves a meeting. */
const longestChain = 20
/** A lead that calls a booking off is written to a day later, one that we called off sooner. */
const daySeconds = 86_400
const hourSeconds = 3600
const sweepDays = 100
/** What began is looked for as long as it may still be moved or called off. */
const sweepBackMillis = 86_400_000
const cancelledHere = "Cancelled by the host."

/** Fractions of a second are written to any length: as text only the same length compares. */
const versionOf = (text: string | undefined): string => {
  const [, head = "", fraction = ""] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/.exec(text ?? "") ?? []
  return `${head}.${fraction.padEnd(9, "0")}`
}

const instantOf = (text: string): Timestamp | undefined => {
  const parsed = parseInstant(text)
  return parsed === undefined ? undefined : fromMillis(parsed.millis)
}

const notBooking = refused("not_a_booking", "This is no booking of the scheduler's.", "Send an invitee's address.")

/** A booking with what is needed to make a meeting of it. */
interface ReadBooking {
  readonly booking: Booking
  readonly eventId: string
  readonly inviteeId: string
  readonly event: CalendlyEvent
  readonly invitee: CalendlyInvitee
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const meetings = yield* Meetings
  const notifications = yield* Notifications
  const { api: apiFor } = yield* SchedulerConnection
  const { apiUrl } = yield* SchedulerSettings
  const api = apiFor(false)

  const inviteeIdOf = (uri: string): string => uri.slice(uri.lastIndexOf("/") + 1)

  const readOf = (event: CalendlyEvent, invitee: CalendlyInvitee, eventId: string): ReadBooking | undefined => {
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

  /** Whose booking it is: by the reference of the link, by the booking that it took the place of, or by mail. */
  const leadOf = Effect.fnUntraced(function* ({ booking, invitee }: ReadBooking) {
    const { accountId } = yield* Caller
    const [account] = yield* sql<{ readonly key: Uint8Array }>`
      select mail_key as key from account where account_id = ${accountId}`.pipe(fromSql())
    const named =
      account === undefined ? undefined : leadOfReference(account.key, accountId, invitee.tracking?.utm_content ?? "")
    const [byReference] = yield* sql<{ readonly id: LeadId }>`
      select lead_id as id from lead where account_id = ${accountId} and lead_id = ${named ?? null}`.pipe(fromSql())
    if (byReference !== undefined) return byReference.id
    const [before] = yield* sql<{ readonly id: LeadId }>`
      select lead_id as id from scheduler_booking
      where account_id = ${accountId} and invitee_id = ${inviteeIdOf(booking.oldInvitee ?? "")}
        and lead_id is not null limit 1`.pipe(fromSql())
    if (before !== undefined) return before.id
    // Two leads of one address are not guessed between.
    const byMail = yield* sql<{ readonly id: LeadId }>`
      select lead_id as id from lead
      where account_id = ${accountId} and lower(email) = lower(${invitee.email.trim()}) limit 2`.pipe(fromSql())
    return byMail.length === 1 ? byMail[0]?.id : undefined
  })

  const titleOf = ({ event, invitee }: ReadBooking): string =>
    [event.name, invitee.name].filter((part) => part !== undefined && part !== "").join(": ")

  const newMeetingOf = (read: ReadBooking, leadId: LeadId) => ({
    leadId,
    startsAt: read.booking.startsAt,
    endsAt: read.booking.endsAt,
    title: titleOf(read),
    meetingUrl: read.event.location?.join_url,
    bookedThrough: "scheduler" as const,
    externalId: read.booking.inviteeUri
  })

  /** The scheduler told both sides; here the lead goes on being worked. */
  const callOff = Effect.fnUntraced(function* (meeting: MeetingView, { booking }: ReadBooking) {
    const present = yield* now
    if (booking.isCancelledByInvitee) {
      yield* meetings.callOff(meeting.meeting_id, { nextTouchAt: plusSeconds(present, daySeconds) })
      yield* notifications.tellOfLead(
        { kind: "lead_called_off_meeting", leadId: meeting.lead_id, at: meeting.starts_at },
        { meeting_id: meeting.meeting_id, starts_at: meeting.starts_at }
      )
      return
    }
    yield* meetings.cancel(meeting.meeting_id, {
      nextTouchAt: plusSeconds(present, hourSeconds),
      reason: booking.cancelReason,
      additionalInstructions: undefined
    })
  })

  const follow = Effect.fnUntraced(function* (meeting: MeetingView, read: ReadBooking) {
    const moved = yield* meetings.follow(meeting.meeting_id, newMeetingOf(read, meeting.lead_id))
    if (moved.starts_at === meeting.starts_at) return moved.meeting_id
    yield* notifications.tellOfLead(
      { kind: "lead_moved_meeting", leadId: moved.lead_id, at: moved.starts_at },
      { meeting_id: moved.meeting_id, starts_at: moved.starts_at }
    )
    return moved.meeting_id
  })

  const act = Effect.fnUntraced(function* (read: ReadBooking, leadId: LeadId, earlier: ReadonlyArray<string>) {
    const own = yield* meetings.ofExternal("scheduler", read.booking.inviteeUri)
    let old: MeetingView | undefined
    for (const inviteeUri of earlier) old ??= yield* meetings.ofExternal("scheduler", inviteeUri)
    switch (bookingChange(read.booking, { own, old })) {
      case "nothing":
        return own?.meeting_id
      case "book": {
        const booked = yield* meetings.book(newMeetingOf(read, leadId))
        // Agreed on in the conversation before, for the same time: from now on the scheduler has it.
        if (booked.booked_through !== "scheduler") yield* follow(booked, read)
        return booked.meeting_id
      }
      case "follow":
        return own === undefined ? undefined : yield* follow(own, read)
      case "follow_old":
        return old === undefined ? undefined : yield* follow(old, read)
      case "cancel":
      case "cancel_old": {
        const meeting = own ?? old
        if (meeting !== undefined && meeting.ends_at > (yield* now)) yield* callOff(meeting, read)
        return meeting?.meeting_id
      }
    }
  })

  /** Keeps what was read, and does what it means; what is older than what is known does nothing. */
  const take = (read: ReadBooking, earlier: ReadonlyArray<string>) =>
    unit.write(
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        yield* lockAccount(sql, accountId, "bookings")
        const { booking, eventId, inviteeId } = read
        const isIt = sql`account_id = ${accountId} and event_id = ${eventId} and invitee_id = ${inviteeId}`
        const [known] = yield* sql<{ readonly version: string }>`
          select version from scheduler_booking where ${isIt}`.pipe(fromSql())
        if (known !== undefined && known.version > booking.version) return
        const leadId = yield* leadOf(read)
        const meetingId =
          leadId === undefined
            ? undefined
            : yield* act(read, leadId, earlier).pipe(
                Effect.catchTags({
                  // Such as a lead that is not to be contacted: the booking stands there, and is shown.
                  Refused: ({ reason }) => Effect.as(Effect.logInfo("a booking made no meeting", reason), undefined),
                  NotFound: () => Effect.succeed(undefined)
                })
              )
        yield* sql`
          insert into scheduler_booking (account_id, event_id, invitee_id, version, is_active, calendar_event_id, lead_id,
            meeting_id)
          values (${accountId}, ${eventId}, ${inviteeId}, ${booking.version}, ${booking.isActive},
            ${read.event.calendar_event?.external_id ?? null}, ${leadId ?? null}, ${meetingId ?? null})
          on conflict (account_id, event_id, invitee_id) do update set version = excluded.version,
            is_active = excluded.is_active, calendar_event_id = excluded.calendar_event_id,
            lead_id = excluded.lead_id, meeting_id = coalesce(excluded.meeting_id, scheduler_booking.meeting_id)`.pipe(
          fromSql()
        )
        if (leadId !== undefined && booking.isActive) {
          // A link that serves once has served.
          yield* sql`
            delete from scheduler_link where account_id = ${accountId} and lead_id = ${leadId} and is_single_use`.pipe(
            fromSql()
          )
        }
      })
    )

  /** The bookings that this one took the place of, back to one that is a meeting here: it may have been moved twice. */
  const earlierOf = Effect.fnUntraced(function* ({ oldInvitee }: Booking) {
    const found: Array<string> = []
    let uri = oldInvitee
    while (uri !== undefined && found.length < longestChain && !found.includes(uri)) {
      const eventId = resourceOf("invitee", apiUrl, uri)
      if (eventId === undefined) break
      found.push(uri)
      if ((yield* meetings.ofExternal("scheduler", uri)) !== undefined) break
      uri = yield* api.invitee(eventId, inviteeIdOf(uri)).pipe(
        Effect.map(({ old_invitee }) => old_invitee),
        Effect.catchTag("ProviderFailure", (failure) =>
          failure.kind === "not_found" ? Effect.succeed(undefined) : Effect.fail(failure)
        )
      )
    }
    return found
  })

  /** Reads a booking, and of one that was moved the one in its place first: a meeting goes along with it. */
  const look = (inviteeUri: string, left = longestChain): Effect.Effect<void, Refused | Transient, Caller> =>
    Effect.gen(function* () {
      const eventId = resourceOf("invitee", apiUrl, inviteeUri)
      if (eventId === undefined || left === 0) return yield* notBooking
      const event = yield* api.event(eventId)
      const invitee = yield* api.invitee(eventId, inviteeIdOf(inviteeUri))
      const read = readOf(event, invitee, eventId)
      if (read === undefined) return yield* notBooking
      if (read.booking.newInvitee !== undefined) yield* look(read.booking.newInvitee, left - 1)
      yield* take(read, read.booking.newInvitee === undefined ? yield* earlierOf(read.booking) : [])
    }).pipe(
      Effect.catchTag("ProviderFailure", (failure) =>
        // Deleted there by its owner: what stands here is left to people.
        failure.kind === "not_found" ? Effect.void : Effect.fail(toToolError(failure))
      )
    )

  const knownVersions = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: string; readonly version: string; readonly is_active: boolean }>`
      select event_id as id, max(version) as version, bool_or(is_active) as is_active from scheduler_booking
      where account_id = ${accountId} group by event_id`.pipe(fromSql())
    return new Map(rows.map((row) => [row.id, row]))
  })

  /** What was cancelled here stands there no longer. Looked at first: what may be done already is not asked for again. */
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
