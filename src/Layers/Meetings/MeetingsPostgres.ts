import { Effect, Layer } from "effect"
import { notFound } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { now } from "../../Services/Core/Timestamp.ts"
import type { MeetingId } from "../../Services/Meetings/Ids.ts"
import {
  areTimesValid,
  cleanText,
  isToCome,
  joinedTexts,
  notStarted,
  overRefused,
  statusAfter,
  timesInvalid,
  timeTaken
} from "../../Services/Meetings/MeetingRules.ts"
import {
  Meetings,
  type MeetingView,
  maximumMeetings,
  maximumNotes,
  pastDays
} from "../../Services/Meetings/Meetings.ts"
import { clip } from "../../Services/Text/PlainText.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

import { makeMeetingEvents } from "./MeetingEvents.ts"
import { type MeetingRows, type MeetingServices, makeMeetingRows, makeMeetingServices } from "./MeetingRows.ts"

const longestTitle = 300
const longestInstructions = 10_000

const readMeetings = ({
  meetingColumns,
  sql
}: MeetingServices): Pick<typeof Meetings.Service, "list" | "nextWith" | "ofExternal"> => ({
  list: Effect.fn("Meetings.list")(function* ({ includeCancelled, includePast, leadId }) {
    const { accountId } = yield* Caller
    if (leadId !== undefined) {
      const rows = yield* sql`
          select from lead where account_id = ${accountId} and lead_id = ${leadId}`.pipe(fromSql())
      if (rows.length === 0) return yield* notFound("lead", "lead_id", leadId)
    }
    const rows = yield* sql<MeetingView & { readonly total: number }>`
        select ${meetingColumns}, count(*) over () as total
        from meeting m join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
        where m.account_id = ${accountId} and ${leadId === undefined ? sql`true` : sql`m.lead_id = ${leadId}`}
          and ${includeCancelled ? sql`true` : sql`m.status <> 'cancelled'`}
          and m.ends_at >= instant() - make_interval(days => ${includePast ? pastDays : 0})
          -- Narrows the range of the index: no meeting is longer than a day.
          and m.starts_at >= instant() - make_interval(days => ${(includePast ? pastDays : 0) + 1})
        order by m.starts_at, m.meeting_id limit ${maximumMeetings}`.pipe(fromSql())
    return { meetings: rows.map(({ total: _, ...meeting }) => meeting), total: rows[0]?.total ?? 0 }
  }),

  nextWith: Effect.fn("Meetings.nextWith")(function* (leadId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<MeetingView>`
        select ${meetingColumns} from meeting m join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
        where m.account_id = ${accountId} and m.lead_id = ${leadId} and m.status in ('scheduled', 'confirmed')
          and m.ends_at > instant()
        order by m.starts_at, m.meeting_id limit 1`.pipe(fromSql())
    return rows[0]
  }),

  ofExternal: Effect.fn("Meetings.ofExternal")(function* (bookedThrough, externalId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<MeetingView>`
        select ${meetingColumns} from meeting m join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
        where m.account_id = ${accountId} and m.booked_through = ${bookedThrough} and m.external_id = ${externalId}`.pipe(
      fromSql()
    )
    return rows[0]
  })
})

const bookMeetings = (
  { leads, notifications, sql }: MeetingServices,
  { advance, appendBooked, get, locked, lockLead, ofMeeting, queueCalendarUpdate, sameMeeting }: MeetingRows
): Pick<typeof Meetings.Service, "book" | "confirm" | "note" | "attend"> => ({
  book: Effect.fn("Meetings.book")(function* (meeting) {
    const { accountId } = yield* Caller
    if (!areTimesValid(meeting.startsAt, meeting.endsAt)) return yield* timesInvalid
    yield* lockLead(meeting.leadId)
    const existingId = yield* sameMeeting(meeting)
    if (existingId !== undefined) return yield* get(existingId)

    yield* leads.transition(meeting.leadId, "book_meeting", {
      actor: "platform",
      data: { starts_at: meeting.startsAt, booked_through: meeting.bookedThrough }
    })
    const { id } = single(
      yield* sql<{ readonly id: MeetingId }>`
          insert into meeting (account_id, lead_id, title, starts_at, ends_at, meeting_url, booked_through, external_id,
            announce_at)
          values (${accountId}, ${meeting.leadId}, ${clip(cleanText(meeting.title) ?? "Meeting", longestTitle)},
            ${meeting.startsAt}, ${meeting.endsAt}, ${meeting.meetingUrl ?? null}, ${meeting.bookedThrough},
            ${meeting.externalId ?? null}, ${meeting.announceAt ?? null})
          returning meeting_id as id`.pipe(fromSql())
    )
    const booked = yield* get(id)
    yield* advance(meeting.leadId, meeting.bookedThrough)
    yield* notifications.tellOfLead(
      { kind: "meeting_booked", leadId: meeting.leadId, at: meeting.startsAt },
      { meeting_id: id, starts_at: meeting.startsAt }
    )
    yield* queueCalendarUpdate(id)
    yield* appendBooked(booked)
    return booked
  }),

  confirm: Effect.fn("Meetings.confirm")(function* (id) {
    const { meeting } = yield* locked(id)
    if (!isToCome(meeting) || meeting.ends_at <= (yield* now)) return yield* overRefused(meeting)
    if (meeting.status === "confirmed" && meeting.customer_accepted_at !== null) return meeting
    yield* sql`
        update meeting set status = 'confirmed', customer_accepted_at = coalesce(customer_accepted_at, instant())
        where ${yield* ofMeeting(id)}`.pipe(fromSql())
    return yield* get(id)
  }),

  note: Effect.fn("Meetings.note")(function* (id, { meetingUrl, response }) {
    yield* sql`
        update meeting set lead_response = coalesce(${response ?? null}, lead_response),
          meeting_url = coalesce(${meetingUrl ?? null}, meeting_url)
        where ${yield* ofMeeting(id)}`.pipe(fromSql())
  }),

  attend: Effect.fn("Meetings.attend")(function* (id, { hasCustomerAttended, hasLeadAttended, notes }) {
    const { meeting } = yield* locked(id)
    if (hasCustomerAttended !== undefined || hasLeadAttended !== undefined) {
      if (meeting.status === "cancelled") return yield* overRefused(meeting)
      if (meeting.starts_at > (yield* now)) return yield* notStarted(id)
    }
    yield* sql`
        update meeting set status = ${statusAfter(meeting, { hasCustomerAttended, hasLeadAttended })},
          has_customer_attended = coalesce(${hasCustomerAttended ?? null}, has_customer_attended),
          has_lead_attended = coalesce(${hasLeadAttended ?? null}, has_lead_attended),
          notes = ${joinedTexts([meeting.notes, cleanText(notes)], maximumNotes) ?? null}
        where ${yield* ofMeeting(id)}`.pipe(fromSql())
    return yield* get(id)
  })
})

const cancelMeetings = (
  { leads, records, sql }: MeetingServices,
  { appendCancelled, get, hasAnother, locked, record, queueCalendarUpdate, stay }: MeetingRows
): Pick<typeof Meetings.Service, "cancel" | "cancelByLead"> => ({
  cancel: Effect.fn("Meetings.cancel")(function* (id, options) {
    const { accountId } = yield* Caller
    const { lead, meeting } = yield* locked(id)
    const present = yield* now
    if (!isToCome(meeting) || meeting.ends_at <= present) return yield* overRefused(meeting)
    const reason = cleanText(options.reason)
    const additional = cleanText(options.additionalInstructions)
    const texts = yield* records
    const returnToPipeline = leads.transition(meeting.lead_id, "cancel_meeting", {
      reason,
      data: { meeting_id: id, starts_at: meeting.starts_at },
      nextTouchAt: options.nextTouchAt < present ? present : options.nextTouchAt,
      nextTouchInstructions: joinedTexts(
        [lead.next_touch_instructions, ...texts.calledOffByUs(meeting.starts_at, reason), additional],
        longestInstructions
      )
    })
    const view =
      lead.pipeline_state === "user_controlled" && (yield* hasAnother(meeting))
        ? yield* stay(meeting, reason)
        : yield* returnToPipeline
    const reasonNote = reason === undefined ? undefined : texts.cancelled(reason)
    const notes = joinedTexts([meeting.notes, reasonNote, additional], maximumNotes)
    yield* sql`
        update meeting set status = 'cancelled', cancelled_at = instant(), cancel_reason = ${reason ?? null},
          notes = ${notes ?? null}
        where account_id = ${accountId} and meeting_id = ${id}`.pipe(fromSql())
    const cancelled = yield* get(id)
    yield* queueCalendarUpdate(id)
    yield* appendCancelled(cancelled)
    return { meeting: cancelled, lead: view }
  }),

  cancelByLead: Effect.fn("Meetings.cancelByLead")(function* (id, { nextTouchAt }) {
    const { accountId } = yield* Caller
    const { lead, meeting } = yield* locked(id)
    if (!isToCome(meeting) || meeting.ends_at <= (yield* now)) return yield* overRefused(meeting)
    const returnsToPipeline =
      nextTouchAt !== undefined &&
      !lead.is_taken_over &&
      (lead.pipeline_state === "user_controlled" || lead.pipeline_state === "in_pipeline") &&
      !(yield* hasAnother(meeting))
    const cancelledByLead = (yield* records).calledOffByLead
    if (returnsToPipeline) {
      yield* leads.transition(meeting.lead_id, "cancel_meeting", {
        actor: "lead",
        reason: cancelledByLead,
        data: { meeting_id: id, starts_at: meeting.starts_at },
        nextTouchAt
      })
    } else yield* record(meeting, "lead", cancelledByLead)
    yield* sql`
        update meeting set status = 'cancelled', cancelled_at = instant(), cancel_reason = ${cancelledByLead}
        where account_id = ${accountId} and meeting_id = ${id}`.pipe(fromSql())
    const cancelled = yield* get(id)
    yield* queueCalendarUpdate(id)
    yield* appendCancelled(cancelled)
    return cancelled
  })
})

const moveMeetings = (
  { records, sql }: MeetingServices,
  { appendBooked, get, locked, ofMeeting, queueCalendarUpdate }: MeetingRows
): Pick<typeof Meetings.Service, "move" | "follow"> => ({
  move: Effect.fn("Meetings.move")(function* (id, { announceAt, by, endsAt, startsAt }) {
    const { accountId } = yield* Caller
    if (!areTimesValid(startsAt, endsAt)) return yield* timesInvalid
    const { meeting } = yield* locked(id)
    if (!isToCome(meeting) || meeting.ends_at <= (yield* now)) return yield* overRefused(meeting)
    if (meeting.starts_at === startsAt && (by === "lead" || meeting.ends_at === endsAt)) return meeting
    // The owner may let meetings overlap.
    const overlapping =
      by === "owner"
        ? []
        : yield* sql`
        select from meeting where account_id = ${accountId} and meeting_id <> ${id}
          and status in ('scheduled', 'confirmed') and starts_at < ${endsAt} and ends_at > ${startsAt}
        limit 1`.pipe(fromSql())
    if (overlapping.length > 0) return yield* timeTaken(id)
    const note = (yield* records).moved(by === "lead" ? "moved_by_lead" : "moved_in_calendar", meeting.starts_at)
    yield* sql`
        update meeting set starts_at = ${startsAt}, ends_at = ${endsAt}, status = 'scheduled',
          customer_accepted_at = null, reminded_at = null, remind_lead_at = null, lead_response = null,
          announce_at = ${announceAt ?? null}, notes = ${joinedTexts([meeting.notes, note], maximumNotes) ?? null}
        where account_id = ${accountId} and meeting_id = ${id}`.pipe(fromSql())
    const moved = yield* get(id)
    yield* queueCalendarUpdate(id)
    yield* appendBooked(moved, meeting)
    return moved
  }),

  follow: Effect.fn("Meetings.follow")(function* (id, { bookedThrough, endsAt, externalId, meetingUrl, startsAt }) {
    if (!areTimesValid(startsAt, endsAt)) return yield* timesInvalid
    const { meeting } = yield* locked(id)
    if (!isToCome(meeting)) return yield* overRefused(meeting)
    const isMoved = meeting.starts_at !== startsAt || meeting.ends_at !== endsAt
    yield* sql`
        update meeting set booked_through = ${bookedThrough}, external_id = ${externalId}, meeting_url = ${meetingUrl ?? meeting.meeting_url}
        where ${yield* ofMeeting(id)}`.pipe(fromSql())
    if (!isMoved) {
      // Another system sends the invitation now, so the calendar's event must be checked again.
      if (meeting.booked_through !== bookedThrough) yield* queueCalendarUpdate(id)
      return yield* get(id)
    }
    const note = (yield* records).moved("moved_where_booked", meeting.starts_at)
    // The system that moved the meeting notifies both sides.
    yield* sql`
        update meeting set starts_at = ${startsAt}, ends_at = ${endsAt}, status = 'scheduled',
          customer_accepted_at = null, reminded_at = null, remind_lead_at = null, lead_response = null,
          notes = ${joinedTexts([meeting.notes, note], maximumNotes) ?? null}
        where ${yield* ofMeeting(id)}`.pipe(fromSql())
    const moved = yield* get(id)
    yield* queueCalendarUpdate(id)
    yield* appendBooked(moved, meeting)
    return moved
  })
})

const make = Effect.gen(function* () {
  const services = yield* makeMeetingServices
  const rows = { ...makeMeetingRows(services), ...makeMeetingEvents(services) }

  return Meetings.of({
    ...readMeetings(services),
    ...bookMeetings(services, rows),
    ...cancelMeetings(services, rows),
    ...moveMeetings(services, rows)
  })
})

export const MeetingsPostgres = Layer.effect(Meetings, make)
