import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { Accounts } from "../../../Services/Accounts/Accounts.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { primaryCalendar } from "../../../Services/Calendar/Calendar.ts"
import { MeetingTimes } from "../../../Services/Calendar/MeetingTimes.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis, type Timestamp, toMillis } from "../../../Services/Core/Timestamp.ts"
import { Notifications } from "../../../Services/Events/Notifications.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import type { BookedThrough, LeadResponse, MeetingId, MeetingStatus } from "../../../Services/Meetings/Ids.ts"
import { Meetings } from "../../../Services/Meetings/Meetings.ts"
import { calendarUpdateKey, updateMeetingInCalendar } from "../../../Services/Meetings/MeetingTasks.ts"
import { say } from "../../../Services/Messages/Messages.ts"
import { makeOwnerLocale } from "../../Accounts/Sql.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { CalendarConnection } from "../Google/CalendarConnection.ts"
import type { CalendarFailure } from "../Google/GoogleCalendar.ts"
import { answerOf, emailOf, type GoogleEvent, meetingUrlOf, periodOf } from "../Google/GoogleEvent.ts"
import { makeAnswersToBookings } from "./BookedEvents.ts"
import { newEventId, ownPrefix } from "./EventIds.ts"
import { type TitleRow, titleColumns, titleOf } from "./InvitationTitles.ts"

interface Situation extends TitleRow {
  readonly meetingId: MeetingId
  readonly leadId: LeadId
  readonly status: MeetingStatus
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
  readonly bookedThrough: BookedThrough
  readonly meetingUrl: string | null
  readonly leadEmail: string | null
  readonly canInvite: boolean
  readonly way: "calendar" | "mail" | null
  readonly eventId: string | null
  readonly toldStart: Timestamp | null
  readonly toldEnd: Timestamp | null
  readonly isCancelled: boolean
}

/** The provider adds the video link within seconds. If it takes longer, the invitation is sent without waiting. */
const linkAfterSeconds = 20
/** The delay in milliseconds before a lead is contacted again after its meeting was cancelled. */
const backAfter = 5 * 60_000
const hour = 3_600_000
/** The most meetings that one run handles. The next read of the calendar handles the rest. */
const atATime = 100

interface GivenAnswer {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly uid: string
  readonly sequence: number
  readonly stampedAt: number | null
  readonly answer: LeadResponse
}

interface DeletedEvent {
  readonly accountId: AccountId
  readonly calendarId: string
  readonly eventId: string
}

const isOpen = ({ status }: Situation): boolean => status === "scheduled" || status === "confirmed"

const makeMeetingEventServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const meetings = yield* Meetings
  const notifications = yield* Notifications
  const times = yield* MeetingTimes
  const accounts = yield* Accounts
  const { inBackground } = yield* CalendarConnection
  const answersToBookings = yield* makeAnswersToBookings
  const localeOf = yield* makeOwnerLocale
  /** Returns why the calendar cancels a meeting, in the account's language. */
  const cancelReason = Effect.fnUntraced(function* (why: "time_taken" | "deleted_in_calendar") {
    const { accountId } = yield* Caller
    const { language } = yield* localeOf(accountId)
    return say(language, `meetings.records.${why}`)
  })
  return { accounts, answersToBookings, cancelReason, inBackground, meetings, notifications, sql, tasks, times, unit }
})
type MeetingEventServices = Effect.Effect.Success<typeof makeMeetingEventServices>

const makeInvitationRows = ({ cancelReason, meetings, sql, tasks, unit }: MeetingEventServices) => {
  const situation = Effect.fnUntraced(function* (meetingId: MeetingId) {
    const { accountId } = yield* Caller
    const [row] = yield* sql<Situation>`
      select m.meeting_id as "meetingId", m.lead_id as "leadId", m.status, m.starts_at as "startsAt",
        m.ends_at as "endsAt", m.booked_through as "bookedThrough", m.meeting_url as "meetingUrl",
        l.email as "leadEmail", ${titleColumns(sql)},
        exists (select from calendar_mirror c join connection o on o.account_id = c.account_id
          and o.service in ('calendar', 'calendar_microsoft') and o.state = 'connected'
          where c.account_id = ${accountId} and c.can_write) as "canInvite",
        i.way, i.event_id as "eventId", i.told_starts_at as "toldStart", i.told_ends_at as "toldEnd",
        coalesce(i.is_cancelled, false) as "isCancelled"
      from meeting m join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
        left join meeting_invitation i on i.account_id = m.account_id and i.meeting_id = m.meeting_id
      where m.account_id = ${accountId} and m.meeting_id = ${meetingId}`.pipe(fromSql())
    return row
  })

  const ofMeeting = (accountId: AccountId, meetingId: MeetingId) =>
    sql`account_id = ${accountId} and meeting_id = ${meetingId}`

  /** Stores the intent before a call, so that concurrent runs and runs after a crash use the same event id. */
  const intend = Effect.fnUntraced(function* ({ meetingId }: Situation) {
    const { accountId } = yield* Caller
    const id = yield* newEventId
    yield* unit.write(
      sql`
        insert into meeting_invitation (account_id, meeting_id, way, event_id, uid)
        values (${accountId}, ${meetingId}, 'calendar', ${id}, ${`${id}@google.com`})
        on conflict (account_id, meeting_id) do nothing`.pipe(fromSql())
    )
  })

  const recordInvited = Effect.fnUntraced(function* ({ endsAt, meetingId, startsAt }: Situation, url: string | null) {
    const { accountId } = yield* Caller
    yield* unit.write(
      Effect.gen(function* () {
        yield* sql`
          update meeting_invitation set told_starts_at = ${startsAt}, told_ends_at = ${endsAt}, sequence = sequence + 1
          where ${ofMeeting(accountId, meetingId)}`.pipe(fromSql())
        if (url !== null) yield* meetings.note(meetingId, { meetingUrl: url })
      })
    )
  })

  const withdrawn = Effect.fnUntraced(function* ({ meetingId }: Situation) {
    const { accountId } = yield* Caller
    yield* sql`
      update meeting_invitation set is_cancelled = true, sequence = sequence + 1
      where ${ofMeeting(accountId, meetingId)}`.pipe(fromSql())
  })

  const again = Effect.fnUntraced(function* (meetingId: MeetingId, seconds: number) {
    const { accountId } = yield* Caller
    const at = fromMillis((yield* Clock.currentTimeMillis) + seconds * 1000)
    yield* tasks.enqueue(
      updateMeetingInCalendar,
      { accountId, meetingId },
      { jobKey: calendarUpdateKey(accountId, meetingId), runAt: at }
    )
  })

  /** Another event took the time after the lead agreed to it, so the lead is asked for another time. */
  const takenMeanwhile = Effect.fnUntraced(function* ({ meetingId }: Situation) {
    const { accountId } = yield* Caller
    const now = yield* Clock.currentTimeMillis
    yield* unit.write(
      Effect.gen(function* () {
        yield* sql`delete from meeting_invitation where ${ofMeeting(accountId, meetingId)}`.pipe(fromSql())
        yield* meetings.cancel(meetingId, {
          nextTouchAt: fromMillis(now + backAfter),
          reason: yield* cancelReason("time_taken"),
          additionalInstructions: undefined
        })
      })
    )
  })

  return { again, intend, ofMeeting, situation, takenMeanwhile, recordInvited, withdrawn }
}
type InvitationRows = ReturnType<typeof makeInvitationRows>

const makeEventSteps = (
  { inBackground, meetings, times, unit }: MeetingEventServices,
  { again, intend, situation, takenMeanwhile, recordInvited, withdrawn }: InvitationRows
) => {
  const invite = Effect.fnUntraced(function* (now: Situation, eventId: string) {
    const period = { from: toMillis(now.startsAt), to: toMillis(now.endsAt) }
    const existing = yield* inBackground.get(primaryCalendar, eventId).pipe(
      Effect.asSome,
      Effect.catchIf(isGone, () => Effect.succeedNone)
    )
    if (Option.isNone(existing) && (yield* times.availability(period, now.leadId)) === "taken") {
      return yield* takenMeanwhile(now)
    }
    const event = Option.isSome(existing)
      ? existing.value
      : yield* inBackground
          .insert(
            primaryCalendar,
            {
              id: eventId,
              summary: titleOf(now),
              start: { dateTime: now.startsAt },
              end: { dateTime: now.endsAt },
              ...(now.leadEmail === null ? {} : { attendees: [{ email: now.leadEmail, displayName: now.leadName }] }),
              conferenceData: {
                createRequest: { requestId: eventId, conferenceSolutionKey: { type: "hangoutsMeet" } }
              },
              extendedProperties: { private: { meeting_id: `${now.meetingId}` } }
            },
            "all"
          )
          .pipe(Effect.catchIf(isThere, () => inBackground.get(primaryCalendar, eventId)))
    const url = meetingUrlOf(event)
    yield* recordInvited(now, now.meetingUrl ?? url)
    if (url === null && now.meetingUrl === null) yield* again(now.meetingId, linkAfterSeconds)
  })

  /** The scheduler sends an invitation with its own event, so the event that was created here is deleted. */
  const leaveToScheduler = Effect.fnUntraced(function* (now: Situation) {
    if (now.way !== "calendar" || now.eventId === null || !now.canInvite) return
    yield* inBackground.remove(primaryCalendar, now.eventId, "all").pipe(Effect.catchIf(isGone, () => Effect.void))
    yield* withdrawn(now)
  })

  /** Reads the event first, so that a retried move does not notify attendees twice. */
  const moveEvent = Effect.fnUntraced(function* ({ endsAt, startsAt }: Situation, eventId: string) {
    const event = yield* inBackground.get(primaryCalendar, eventId)
    if (event.status === "cancelled") return
    const there = periodOf(event, "UTC")
    if (there !== undefined && fromMillis(there.from) === startsAt && fromMillis(there.to) === endsAt) return
    yield* inBackground.patch(
      primaryCalendar,
      eventId,
      { start: { dateTime: startsAt, date: null }, end: { dateTime: endsAt, date: null } },
      { etag: event.etag, sendUpdates: "all" }
    )
  })

  /** Makes one change towards the meeting's state. Returns whether another may be needed. */
  const step = Effect.fnUntraced(function* (meetingId: MeetingId) {
    const now = yield* situation(meetingId)
    if (now === undefined || now.isCancelled) return false
    if (now.bookedThrough === "scheduler") {
      yield* leaveToScheduler(now)
      return false
    }
    if (now.way === null) {
      const isAhead = toMillis(now.endsAt) > (yield* Clock.currentTimeMillis)
      if (!isOpen(now) || !now.canInvite || !isAhead) return false
      yield* intend(now)
      return true
    }
    if (now.way !== "calendar" || now.eventId === null || !now.canInvite) return false
    if (!isOpen(now)) {
      // The event of a meeting that took place stays in the calendar.
      if (now.status !== "cancelled") return false
      yield* inBackground.remove(primaryCalendar, now.eventId, "all").pipe(Effect.catchIf(isGone, () => Effect.void))
      yield* withdrawn(now)
      return false
    }
    if (now.toldStart === null) {
      yield* invite(now, now.eventId)
      return true
    }
    if (now.toldStart !== now.startsAt || now.toldEnd !== now.endsAt) {
      yield* moveEvent(now, now.eventId)
      yield* recordInvited(now, null)
      return true
    }
    if (now.meetingUrl === null) {
      const url = meetingUrlOf(yield* inBackground.get(primaryCalendar, now.eventId))
      if (url !== null) yield* unit.write(meetings.note(meetingId, { meetingUrl: url }))
    }
    return false
  })

  return { step }
}
type EventSteps = ReturnType<typeof makeEventSteps>

const makeSettling = ({ accounts, inBackground }: MeetingEventServices, { step }: EventSteps) => {
  const afterFailure = ({ reason, retryAfterSeconds }: CalendarFailure) =>
    reason === "read_only" || reason === "refused_by_calendar" || reason === "not_found" || reason === "gone"
      ? Effect.void
      : Effect.fail(transient(`calendar_${reason}`, "The calendar did not take a meeting yet.", retryAfterSeconds ?? 5))

  // If the calendar refuses permanently, the meeting stays unchanged. If access was lost, the owner must restore it.
  const settled = (meetingId: MeetingId) =>
    Effect.gen(function* () {
      // The meeting may be moved while this runs, so it repeats.
      for (let steps = 0; steps < 5; steps++) if (!(yield* step(meetingId))) return
    }).pipe(
      Effect.catchTags({ Refused: () => Effect.void, NotFound: () => Effect.void, CalendarFailure: afterFailure })
    )

  const deleted = (calendarId: string, eventId: string) =>
    inBackground
      .remove(calendarId, eventId, "all")
      .pipe(Effect.asVoid, Effect.catchTags({ Refused: () => Effect.void, CalendarFailure: afterFailure }))

  const asOwner =
    (accountId: AccountId, requestId: string) =>
    <E>(work: Effect.Effect<void, E, Caller>): Effect.Effect<void, E | Transient> =>
      Effect.flatMap(
        accounts.planOf(accountId),
        Option.match({
          onNone: () => Effect.void,
          onSome: (plan) => Effect.provideService(work, Caller, Caller.forTask(accountId, plan, requestId))
        })
      )

  return { asOwner, deleted, settled }
}

const makeMailedAnswers = ({ meetings, notifications, sql }: MeetingEventServices) => {
  /**
   * Records the answer that a lead's calendar program sent by mail. An answer to an earlier version of the invitation
   * is ignored.
   */
  const noteMailedAnswer = Effect.fnUntraced(function* (answer: GivenAnswer) {
    const { accountId } = yield* Caller
    const stampedAt = answer.stampedAt === null ? null : fromMillis(answer.stampedAt)
    const [row] = yield* sql<{ readonly meetingId: MeetingId; readonly startsAt: Timestamp }>`
      update meeting_invitation i set lead_answer = ${answer.answer}, answered_sequence = ${answer.sequence},
        answered_at = coalesce(${stampedAt}::timestamptz, instant())
      from meeting m
      where i.account_id = ${accountId} and i.uid = ${answer.uid} and not i.is_cancelled and i.way = 'mail'
        and m.account_id = ${accountId} and m.meeting_id = i.meeting_id and m.lead_id = ${answer.leadId}
        -- What is booked at the scheduler is answered there: a lead that removes the older entry keeps its meeting.
        and m.booked_through <> 'scheduler' and m.status in ('scheduled', 'confirmed') and i.sequence <= ${answer.sequence}
        and (i.answered_sequence is distinct from ${answer.sequence} or i.answered_at <= ${stampedAt}::timestamptz)
      returning m.meeting_id as "meetingId", m.starts_at as "startsAt"`.pipe(fromSql())
    if (row === undefined) return
    yield* meetings.note(row.meetingId, { response: answer.answer })
    if (answer.answer !== "declined") return
    const now = yield* Clock.currentTimeMillis
    yield* meetings.cancelByLead(row.meetingId, { nextTouchAt: fromMillis(now + hour) })
    yield* notifications.tellOfLead(
      { kind: "lead_called_off_meeting", leadId: answer.leadId, at: row.startsAt },
      { meeting_id: row.meetingId, starts_at: row.startsAt }
    )
  })

  return { noteMailedAnswer }
}

interface Invited {
  readonly meetingId: MeetingId
  readonly leadId: LeadId
  readonly eventId: string
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
  readonly toldStart: Timestamp | null
  readonly toldEnd: Timestamp | null
  readonly response: LeadResponse | null
  readonly leadEmail: string | null
}

const makeFollowing = (
  { answersToBookings, cancelReason, meetings, notifications, sql, tasks }: MeetingEventServices,
  { ofMeeting }: InvitationRows
) => {
  /** Applies a change that was made to a meeting's event in the calendar. */
  const follow = Effect.fnUntraced(function* (invited: Invited, event: GoogleEvent, zone: string) {
    const { accountId } = yield* Caller
    const { leadId, meetingId } = invited
    const now = yield* Clock.currentTimeMillis
    if (event.status === "cancelled") {
      yield* sql`
        update meeting_invitation set is_cancelled = true where ${ofMeeting(accountId, meetingId)}`.pipe(fromSql())
      return yield* Effect.asVoid(
        meetings.cancel(meetingId, {
          nextTouchAt: fromMillis(now + hour),
          reason: yield* cancelReason("deleted_in_calendar"),
          additionalInstructions: undefined
        })
      )
    }
    const leadAttendee = event.attendees?.find(
      (attendee) => invited.leadEmail !== null && emailOf(attendee).toLowerCase() === invited.leadEmail.toLowerCase()
    )
    const answer = leadAttendee === undefined ? "needs_action" : answerOf(leadAttendee)
    if (answer !== "needs_action" && answer !== invited.response) {
      yield* meetings.note(meetingId, { response: answer })
      if (answer === "declined") {
        yield* meetings.cancelByLead(meetingId, { nextTouchAt: fromMillis(now + hour) })
        yield* notifications.tellOfLead(
          { kind: "lead_called_off_meeting", leadId, at: invited.startsAt },
          { meeting_id: meetingId, starts_at: invited.startsAt }
        )
        return
      }
    }
    const url = meetingUrlOf(event)
    if (url !== null) yield* meetings.note(meetingId, { meetingUrl: url })
    const period = periodOf(event, zone)
    if (period === undefined || invited.toldStart === null || invited.toldEnd === null) return
    const [startsAt, endsAt] = [fromMillis(period.from), fromMillis(period.to)]
    // If a change by the gateway is still being sent, it wins over the calendar's older state.
    const isSettled = invited.toldStart === invited.startsAt && invited.toldEnd === invited.endsAt
    if (!isSettled || (startsAt === invited.startsAt && endsAt === invited.endsAt)) return
    yield* sql`
      update meeting_invitation set told_starts_at = ${startsAt}, told_ends_at = ${endsAt}
      where ${ofMeeting(accountId, meetingId)}`.pipe(fromSql())
    yield* meetings.move(meetingId, { startsAt, endsAt, announceAt: undefined, by: "owner" })
  })

  /** Applies the calendar's changes to meetings, and adds meetings that the calendar does not have yet. */
  const changed = (events: ReadonlyArray<GoogleEvent>, zone: string): Effect.Effect<void, Transient, Caller> =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const ours = events.filter(({ id }) => id.startsWith(ownPrefix))
      const byId = new Map(ours.map((event) => [event.id, event]))
      const invited =
        byId.size === 0
          ? []
          : yield* sql<Invited>`
              select m.meeting_id as "meetingId", m.lead_id as "leadId", i.event_id as "eventId",
                m.starts_at as "startsAt", m.ends_at as "endsAt", i.told_starts_at as "toldStart",
                i.told_ends_at as "toldEnd", m.lead_response as response, l.email as "leadEmail"
              from meeting_invitation i join meeting m on m.account_id = i.account_id and m.meeting_id = i.meeting_id
                join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
              where i.account_id = ${accountId} and i.event_id = any(${[...byId.keys()]}::text[])
                and not i.is_cancelled and m.status in ('scheduled', 'confirmed') and m.ends_at > instant()
                -- Of one that the scheduler took over, the event here is only taken back.
                and m.booked_through <> 'scheduler'
              order by m.lead_id, m.meeting_id`.pipe(fromSql())
      for (const one of invited) {
        const event = byId.get(one.eventId)
        if (event === undefined) continue
        // The meeting is over or the lead was handed back, so nothing changes.
        yield* follow(one, event, zone).pipe(
          Effect.catchTags({ NotFound: () => Effect.void, Refused: () => Effect.void })
        )
      }
      yield* answersToBookings(events)
      const open = yield* sql<{ readonly meetingId: MeetingId }>`
        select m.meeting_id as "meetingId"
        from meeting m left join meeting_invitation i on i.account_id = m.account_id and i.meeting_id = m.meeting_id
        where m.account_id = ${accountId} and m.starts_at > instant()
          and case when m.booked_through = 'scheduler' then i.way = 'calendar' and not i.is_cancelled
            when m.status in ('scheduled', 'confirmed')
            then i.meeting_id is null or i.way = 'calendar' and not i.is_cancelled
              and (i.told_starts_at is distinct from m.starts_at or i.told_ends_at is distinct from m.ends_at)
            else m.status = 'cancelled' and i.way = 'calendar' and not i.is_cancelled end
        order by m.starts_at limit ${atATime}`.pipe(fromSql())
      yield* tasks.enqueueMany(
        updateMeetingInCalendar,
        open.map(({ meetingId }) => ({
          payload: { accountId, meetingId },
          jobKey: calendarUpdateKey(accountId, meetingId)
        }))
      )
    })

  return { changed }
}

/** Keeps an account's meetings and its calendar equal, in both directions. */
export const makeMeetingEvents = Effect.gen(function* () {
  const services = yield* makeMeetingEventServices
  const { unit } = services
  const rows = makeInvitationRows(services)
  const steps = makeEventSteps(services, rows)
  const { asOwner, deleted, settled } = makeSettling(services, steps)
  const { changed } = makeFollowing(services, rows)
  const { noteMailedAnswer } = makeMailedAnswers(services)

  return {
    changed,
    answered: (answer: GivenAnswer) =>
      asOwner(
        answer.accountId,
        `lead-${answer.leadId}`
      )(
        unit.write(
          noteMailedAnswer(answer).pipe(Effect.catchTags({ NotFound: () => Effect.void, Refused: () => Effect.void }))
        )
      ),
    deleteEvent: ({ accountId, calendarId, eventId }: DeletedEvent) =>
      asOwner(accountId, `calendar-event-${eventId}`)(deleted(calendarId, eventId)),
    settle: ({ accountId, meetingId }: { readonly accountId: AccountId; readonly meetingId: MeetingId }) =>
      asOwner(accountId, `meeting-${meetingId}`)(settled(meetingId))
  }
})

const isGone = (error: { readonly _tag: string; readonly reason: string }): boolean =>
  error._tag === "CalendarFailure" && (error.reason === "gone" || error.reason === "not_found")
const isThere = (error: { readonly _tag: string; readonly reason: string }): boolean =>
  error._tag === "CalendarFailure" && error.reason === "exists"
