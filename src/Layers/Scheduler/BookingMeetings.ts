import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { now, plusSeconds } from "../../Services/Core/Timestamp.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { Meetings, type MeetingView } from "../../Services/Meetings/Meetings.ts"
import { bookingChange } from "../../Services/Scheduler/BookingRules.ts"
import { leadOfReference } from "../../Services/Scheduler/LeadReference.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { inviteeIdOf, newMeetingOf, type ReadBooking } from "./ReadBooking.ts"

/** The delay before a lead is contacted again: a day after it cancelled a booking, an hour after the host did. */
const daySeconds = 86_400
const hourSeconds = 3600

const makeLeadOfBooking = Effect.map(SqlClient, (sql) =>
  Effect.fnUntraced(function* ({ booking, invitee }: ReadBooking) {
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
    // If two leads have the address, neither is chosen.
    const byMail = yield* sql<{ readonly id: LeadId }>`
    select lead_id as id from lead
    where account_id = ${accountId} and lower(email) = lower(${invitee.email.trim()}) limit 2`.pipe(fromSql())
    return byMail.length === 1 ? byMail[0]?.id : undefined
  })
)

/** Makes, moves and cancels the meetings of bookings. */
const makeMeetingChanges = Effect.gen(function* () {
  const meetings = yield* Meetings
  const notifications = yield* Notifications

  /** The scheduler has notified both sides, so only the next touch is planned here. */
  const callOff = Effect.fnUntraced(function* (meeting: MeetingView, { booking }: ReadBooking) {
    const present = yield* now
    if (booking.isCancelledByInvitee) {
      yield* meetings.cancelByLead(meeting.meeting_id, { nextTouchAt: plusSeconds(present, daySeconds) })
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
        // The meeting was agreed on in the conversation before, and was booked at the scheduler for the same time.
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

  return act
})

/** Stores the bookings that were read, and keeps their meetings up to date. */
export const makeBookingMeetings = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  /** Finds the lead by the reference in the link, by the replaced booking, or by e-mail address. */
  const leadOf = yield* makeLeadOfBooking
  const act = yield* makeMeetingChanges

  /** Stores a booking and applies its consequences. A version older than the stored one does nothing. */
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
                  // Refused, for example, if the lead may not be contacted. The booking is stored without a meeting.
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
          // The lead's single-use link cannot be used again.
          yield* sql`
            delete from scheduler_link where account_id = ${accountId} and lead_id = ${leadId} and is_single_use`.pipe(
            fromSql()
          )
        }
      })
    )

  return { take }
})
