import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { noticeEndpoints } from "../../src/Layers/Calendar/Syncing/NoticeEndpoint.ts"
import { endSubscription } from "../../src/Layers/Mail/Inbox/MailReportEffects.ts"
import { MeetingTimes } from "../../src/Services/Calendar/MeetingTimes.ts"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { now, plusSeconds, Timestamp, toMillis } from "../../src/Services/Core/Timestamp.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import type { MeetingId } from "../../src/Services/Meetings/Ids.ts"
import { MailedInvitations } from "../../src/Services/Meetings/MailedInvitations.ts"
import { Meetings, type MeetingView } from "../../src/Services/Meetings/Meetings.ts"
import { BookingLinks } from "../../src/Services/Outreach/BookingLinks.ts"
import type { TouchId } from "../../src/Services/Outreach/TouchLedger.ts"
import { Scheduler, SchedulerBookings, SimulatedScheduler } from "../../src/Services/Scheduler/Scheduler.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { collectLogs } from "../support/logs/CollectedLogs.ts"
import { collectSpans, textOfSpans } from "../support/logs/CollectedSpans.ts"
import { serveEndpoints } from "../support/servers/ServedEndpoints.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import {
  act,
  answered,
  CalendarRoad,
  CalendarWorld,
  connect,
  connected,
  eventsThere,
  type Fault,
  settle,
  sync,
  timedOutAfter,
  timedOutBefore,
  tool
} from "./CalendarWorld.ts"
import { Background } from "./calendarLayers.ts"

/** Half an hour on the tenth day from now, on the full hour. */
const aTime = Effect.map(now, (present) => Timestamp.make(`${plusSeconds(present, 10 * 86_400).slice(0, 14)}00:00Z`))

let people = 0
const booked = Effect.gen(function* () {
  const email = `ana${++people}@acme.example`
  const leadId = yield* insertLead({ name: "Ana", email })
  const unit = yield* UnitOfWork
  const meetings = yield* Meetings
  const startsAt = yield* aTime
  const meeting = yield* unit.write(
    meetings.book({
      leadId,
      startsAt,
      endsAt: plusSeconds(startsAt, 1800),
      title: "Meeting with Ana",
      bookedThrough: "conversation"
    })
  )
  return { meeting, email }
})

const current = ({ meeting_id }: MeetingView) =>
  Effect.gen(function* () {
    const meetings = yield* Meetings
    const { meetings: all } = yield* meetings.list({ leadId: undefined, includeCancelled: true, includePast: true })
    return all.find((one) => one.meeting_id === meeting_id) ?? assert.fail("no such meeting")
  })

const live = Effect.map(eventsThere, (events) => events.filter(({ body }) => body.status !== "cancelled"))

const mirrored = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<{ readonly id: string; readonly from: Timestamp; readonly to: Timestamp; readonly busy: boolean }>`
    select event_id as id, starts_at as "from", ends_at as "to", is_busy as busy from calendar_event
    where account_id = ${accountId} order by event_id collate "C"`
})

layer(CalendarWorld, { excludeTestServices: true })("meetings in the calendar", (it) => {
  it.effect("an agreed meeting is one event with the lead invited once and a link, however often it is settled", () =>
    connected(
      Effect.gen(function* () {
        yield* sync
        const { email, meeting } = yield* booked
        yield* Effect.all([settle, settle, settle], { concurrency: "unbounded" })
        const [event, ...others] = yield* live
        assert.deepStrictEqual(others, [])
        assert.strictEqual(event?.updates_sent, 1)
        assert.include(JSON.stringify(event?.body.attendees), email)
        assert.match((yield* current(meeting)).meeting_url ?? "", /^https:\/\/meet\./)
      })
    )
  )

  it.effect("of a lead that unsubscribes are called off, also a second one", () =>
    connected(
      Effect.gen(function* () {
        yield* sync
        const { meeting } = yield* booked
        const unit = yield* UnitOfWork
        const meetings = yield* Meetings
        const later = plusSeconds(meeting.starts_at, 86_400)
        yield* unit.write(
          meetings.book({
            leadId: meeting.lead_id,
            startsAt: later,
            endsAt: plusSeconds(later, 1800),
            title: "A second meeting with Ana",
            bookedThrough: "conversation"
          })
        )
        yield* settle
        assert.lengthOf(yield* live, 2)
        const leads = yield* Leads
        yield* unit.write(endSubscription(leads, meeting.lead_id, "unsubscribe_link"))
        yield* settle
        assert.deepStrictEqual(yield* live, [])
        assert.deepInclude(yield* current(meeting), { status: "cancelled" })
      })
    )
  )

  it.effect("of a lead that is erased are deleted, and what stays is listed", () =>
    connected(
      Effect.gen(function* () {
        yield* sync
        const { meeting } = yield* booked
        yield* settle
        const sql = yield* SqlClient
        const unit = yield* UnitOfWork
        const leads = yield* Leads
        const [event] = yield* live
        const erased = yield* unit.write(leads.erase(meeting.lead_id, undefined))
        assert.deepInclude(erased, { cancelled_calendar_events: 1, remaining_calendar_events: [] })
        const { events } = yield* Background
        const { accountId } = yield* Caller
        const [task] = yield* sql<{ readonly payload: { readonly eventId: string } }>`
          select payload from graphile_worker._private_jobs j
            join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier = 'delete_calendar_event'`
        assert.strictEqual(task?.payload.eventId, event?.event_id)
        yield* events.deleteEvent({ accountId, calendarId: "primary", eventId: event?.event_id ?? "" })
        assert.deepStrictEqual(yield* live, [])
        const other = yield* booked
        yield* settle
        const [survivor] = yield* live
        yield* sql`update connection set state = 'needs_reconnect' where account_id = ${accountId}`
        const listed = yield* unit.write(leads.erase(other.meeting.lead_id, undefined))
        assert.deepInclude(listed, {
          cancelled_calendar_events: 0,
          remaining_calendar_events: [
            { event_id: survivor?.event_id ?? "", starts_at: other.meeting.starts_at, held_by: "calendar" }
          ]
        })
        assert.notStrictEqual(event?.event_id, survivor?.event_id)
      })
    )
  )

  const troubles: ReadonlyArray<readonly [string, Fault]> = [
    ["is lost before it is made", timedOutBefore],
    ["is lost when it was made", timedOutAfter],
    ["dies when it was made", (arrive) => Effect.zipRight(arrive, Effect.die("killed"))]
  ]
  it.effect.each(troubles)("and where the call %s", ([, fault]) =>
    connected(
      Effect.gen(function* () {
        const road = yield* CalendarRoad
        const { meeting } = yield* booked
        yield* road.plan(/^POST .*events$/, fault)
        yield* Effect.exit(settle)
        yield* settle
        assert.strictEqual((yield* live).map(({ updates_sent }) => updates_sent).join(), "1")
        const unit = yield* UnitOfWork
        const meetings = yield* Meetings
        yield* unit.write(meetings.cancelByLead(meeting.meeting_id, { nextTouchAt: undefined }))
        yield* road.plan(/^DELETE/, fault)
        yield* Effect.exit(settle)
        yield* settle
        assert.lengthOf(yield* live, 0)
      })
    )
  )

  it.effect("it moves and is called off from either side", () =>
    connected(
      Effect.gen(function* () {
        const unit = yield* UnitOfWork
        const meetings = yield* Meetings
        const { email, meeting } = yield* booked
        yield* settle
        yield* sync
        const [event] = yield* live
        const event_id = event?.event_id ?? ""

        // The lead asks for another time.
        const later = plusSeconds(meeting.starts_at, 7200)
        yield* unit.write(
          meetings.move(meeting.meeting_id, {
            startsAt: later,
            endsAt: plusSeconds(later, 1800),
            announceAt: later,
            by: "lead"
          })
        )
        yield* settle
        assert.deepInclude((yield* live)[0]?.body.start, { dateTime: later })
        yield* sync
        assert.strictEqual((yield* current(meeting)).starts_at, later)

        // The owner drags it in the calendar.
        const latest = plusSeconds(later, 3600)
        yield* act({ act: "move", event_id, start: latest, end: plusSeconds(latest, 3600) })
        yield* sync
        assert.deepInclude<object>(yield* current(meeting), {
          starts_at: latest,
          ends_at: plusSeconds(latest, 3600),
          status: "scheduled"
        })

        yield* act({ act: "answer", event_id, email, response: "accepted" })
        yield* sync
        assert.strictEqual((yield* current(meeting)).lead_response, "accepted")

        yield* act({ act: "answer", event_id, email, response: "declined" })
        yield* sync
        yield* sync
        assert.deepInclude<object>(yield* current(meeting), { lead_response: "declined", status: "cancelled" })
        yield* settle
        assert.lengthOf(yield* live, 0)

        const second = yield* booked
        yield* settle
        yield* sync
        const [again] = yield* live
        yield* tool("delete_calendar_event", { event_id: again?.event_id })
        yield* sync
        assert.deepInclude<object>(yield* current(second.meeting), { status: "cancelled" })
      })
    )
  )

  it.effect("a time that was taken meanwhile is not promised, and what is free is proposed", () =>
    connected(
      Effect.gen(function* () {
        const times = yield* MeetingTimes
        yield* sync
        const startsAt = yield* aTime
        const period = { from: toMillis(startsAt), to: toMillis(startsAt) + 1_800_000 }
        const { meeting } = yield* booked
        assert.strictEqual(yield* times.availability(period, meeting.lead_id), "free")
        yield* act({
          act: "create",
          summary: "Dentist",
          start: startsAt,
          end: plusSeconds(startsAt, 3600),
          attendees: []
        })
        assert.strictEqual(yield* times.availability(period, meeting.lead_id), "taken")
        yield* settle
        assert.strictEqual((yield* current(meeting)).status, "cancelled")
        assert.deepStrictEqual(
          (yield* live).map(({ body }) => body.summary),
          ["Dentist"]
        )

        yield* sync
        const lead = { leadId: meeting.lead_id, zone: "America/New_York", window: { startHour: 8, endHour: 18 } }
        const proposed = yield* times.proposalsFor({
          ...lead,
          wish: { first: startsAt.slice(0, 10), last: null, minutes: null }
        })
        assert.lengthOf(proposed, 3)
        for (const one of proposed) {
          const at = { from: toMillis(one), to: toMillis(one) + 1_800_000 }
          assert.strictEqual(yield* times.availability(at, meeting.lead_id), "free")
        }
      })
    )
  )

  it.effect("the mirror is what a full read answers, whatever happened in the calendar", () =>
    connected(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const { acts } = yield* Background
        const road = yield* CalendarRoad
        const start = toMillis(yield* aTime)
        const steps = fc.sample(
          fc.record({
            kind: fc.constantFrom(
              "create",
              "create",
              "series",
              "move",
              "delete",
              "instance",
              "forget",
              "sync",
              "sync",
              "lost"
            ),
            offset: fc.integer({ min: -200, max: 400 }),
            lasts: fc.integer({ min: 1, max: 30 }),
            pick: fc.nat(50),
            isFree: fc.boolean()
          }),
          { numRuns: 45, seed: 15 }
        )
        for (const { isFree, kind, lasts, offset, pick } of steps) {
          const at = new Date(start + offset * 3_600_000).toISOString()
          const end = new Date(start + (offset + lasts) * 3_600_000).toISOString()
          const all = (yield* live).map(({ event_id }) => event_id)
          const event_id = all[pick % Math.max(1, all.length)] ?? "none0"
          const transparency = isFree ? "transparent" : "opaque"
          if (kind === "create")
            yield* act({ act: "create", summary: "One", start: at, end, attendees: [], transparency })
          if (kind === "series") {
            const recurrence = [`RRULE:FREQ=DAILY;INTERVAL=${1 + (pick % 5)}${pick % 2 === 0 ? ";COUNT=9" : ""}`]
            yield* act({
              act: "create",
              summary: "Many",
              start: at,
              end: new Date(Date.parse(at) + 1_800_000).toISOString(),
              attendees: [],
              recurrence
            })
          }
          if (kind === "move") yield* Effect.ignore(act({ act: "move", event_id, start: at, end }))
          if (kind === "delete") yield* Effect.ignore(act({ act: "delete", event_id }))
          if (kind === "instance") {
            const instances = (yield* mirrored).map(({ id }) => id).filter((id) => id.includes("_"))
            const one = instances[pick % Math.max(1, instances.length)]
            if (one !== undefined)
              yield* Effect.ignore(
                act(isFree ? { act: "delete", event_id: one } : { act: "move", event_id: one, start: at, end })
              )
          }
          if (kind === "forget") yield* acts.act({ act: "forget_changes" })
          if (kind === "lost") yield* road.plan(/^GET .*events$/, answered(503, "backendError"))
          if (kind === "sync" || kind === "lost") yield* sync
        }
        yield* sync
        yield* sync
        const followed = yield* mirrored
        yield* sql`update calendar_mirror set sync_token = null where account_id = ${accountId}`
        yield* sync
        const whole = yield* mirrored
        const from = plusSeconds(yield* now, -86_400)
        const to = plusSeconds(yield* now, 40 * 86_400)
        const within = (rows: typeof whole) => rows.filter((row) => row.to > from && row.from < to)
        assert.isAbove(within(whole).length, 10)
        assert.deepStrictEqual(within(followed), within(whole))
      })
    )
  )

  it.effect(
    "without a calendar the invitation goes by mail, with one id and rising numbers, and its answers count",
    () =>
      Effect.flatMap(makeAccount(), (caller) =>
        as(caller)(
          Effect.gen(function* () {
            const sql = yield* SqlClient
            const { accountId } = caller
            const unit = yield* UnitOfWork
            const meetings = yield* Meetings
            const { attach } = yield* MailedInvitations
            const { events } = yield* Background
            const { meeting } = yield* booked
            const { lead_id: leadId, meeting_id } = meeting
            const [touch] = yield* sql<{ readonly id: TouchId }>`
            insert into touch (account_id, lead_id, touch_number, status, notice, meeting_id, meeting_starts_at)
            values (${accountId}, ${leadId}, 0, 'queued', 'meeting_booked', ${meeting_id}, ${meeting.starts_at})
            returning touch_id as id`
            const touchId = touch?.id ?? assert.fail("no touch")
            const from = { name: "Helena", address: "account@mail.example" }
            const mailed = (cancelledId?: MeetingId) =>
              Effect.map(
                unit.write(attach({ touchId, cancelledId, from })),
                (text) => text ?? assert.fail("no invitation")
              )
            const member = (text: string, name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(text)?.[1]?.trim()

            const first = yield* mailed()
            const uid = member(first, "UID") ?? ""
            assert.strictEqual(member(first, "METHOD"), "REQUEST")
            assert.strictEqual(yield* mailed().pipe(Effect.map((text) => member(text, "SEQUENCE"))), "0")
            const answered = (answer: "accepted" | "declined", sequence: number, to = uid) =>
              events.answered({
                accountId,
                leadId,
                uid: to,
                sequence,
                stampedAt: Date.parse("2026-11-22T12:00:00Z"),
                answer
              })
            yield* answered("accepted", 0, "another@mail.example")
            assert.isNull((yield* current(meeting)).lead_response)
            yield* answered("accepted", 0)
            assert.strictEqual((yield* current(meeting)).lead_response, "accepted")

            const later = plusSeconds(meeting.starts_at, 7200)
            const endsAt = plusSeconds(later, 1800)
            yield* unit.write(meetings.move(meeting_id, { startsAt: later, endsAt, announceAt: later, by: "lead" }))
            const second = yield* mailed()
            assert.deepStrictEqual([member(second, "UID"), member(second, "SEQUENCE")], [uid, "1"])
            // It was said of the time before.
            yield* answered("declined", 0)
            assert.strictEqual((yield* current(meeting)).status, "scheduled")
            yield* answered("declined", 1)
            assert.deepInclude<object>(yield* current(meeting), { status: "cancelled", lead_response: "declined" })
            const off = yield* mailed(meeting_id)
            assert.deepStrictEqual(
              [member(off, "UID"), member(off, "METHOD"), member(off, "SEQUENCE")],
              [uid, "CANCEL", "2"]
            )
            assert.isUndefined(yield* unit.write(attach({ touchId, cancelledId: meeting_id, from })))

            // The lead then books the next one at the scheduler, for the same time: that is the scheduler's, and what
            // the lead's program says to the mailed invitation is nothing to it. It is withdrawn when the meeting is off.
            const { meeting: rival } = yield* booked
            const toldFirst = yield* unit.write(attach({ touchId, cancelledId: rival.meeting_id, from }))
            const takenUid = member(toldFirst ?? "", "UID") ?? assert.fail("no invitation")
            yield* unit.write(
              meetings.follow(rival.meeting_id, {
                startsAt: rival.starts_at,
                endsAt: rival.ends_at,
                bookedThrough: "scheduler",
                externalId: "https://api.scheduler.example/invitees/1",
                meetingUrl: undefined
              })
            )
            assert.isUndefined(yield* unit.write(attach({ touchId, cancelledId: rival.meeting_id, from })))
            yield* events.answered({
              accountId,
              leadId: rival.lead_id,
              uid: takenUid,
              sequence: 0,
              stampedAt: null,
              answer: "declined"
            })
            assert.deepInclude<object>(yield* current(rival), { status: "scheduled", lead_response: null })
            yield* unit.write(
              meetings.cancel(rival.meeting_id, {
                nextTouchAt: rival.starts_at,
                reason: undefined,
                additionalInstructions: undefined
              })
            )
            const withdrawn = (yield* unit.write(attach({ touchId, cancelledId: rival.meeting_id, from }))) ?? ""
            assert.deepStrictEqual(
              [member(withdrawn, "UID"), member(withdrawn, "METHOD"), member(withdrawn, "SEQUENCE")],
              [takenUid, "CANCEL", "1"]
            )
            assert.isUndefined(yield* unit.write(attach({ touchId, cancelledId: rival.meeting_id, from })))

            // One invitation: where a calendar is connected, it invites.
            yield* connect
            const other = yield* booked
            assert.isUndefined(yield* unit.write(attach({ touchId, cancelledId: other.meeting.meeting_id, from })))
          })
        )
      )
  )

  it.effect("a notice brings about one read: not one that is forged, replayed or came too late", () =>
    connected(
      Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          yield* sync
          const address = yield* serveEndpoints(yield* noticeEndpoints)
          const [row] = yield* sql<{ readonly id: string }>`
            select channel_id as id from calendar_mirror where account_id = ${accountId}`
          const id = row?.id ?? ""
          const token = "a token that the test sets"
          yield* sql`update calendar_mirror set channel_token_hash = sha256(${token}::bytea) where account_id = ${accountId}`
          const waiting = Effect.map(
            sql`select from graphile_worker.jobs where task_identifier = 'sync_calendar' and key = ${`sync_calendar ${accountId}`}`,
            (rows) => rows.length
          )
          yield* sql`select graphile_worker.remove_job(${`sync_calendar ${accountId}`})`
          const notice = (number: number, more: Record<string, string> = {}) =>
            Effect.promise(() =>
              fetch(`${address}/calendar/notices`, {
                method: "POST",
                headers: {
                  "x-goog-channel-id": id,
                  "x-goog-channel-token": token,
                  "x-goog-resource-state": "exists",
                  "x-goog-message-number": `${number}`,
                  ...more
                }
              }).then(({ status }) => status)
            )
          assert.strictEqual(yield* notice(5, { "x-goog-channel-token": "another" }), 404)
          assert.strictEqual(yield* notice(5, { "x-goog-channel-id": `pgw-${accountId}-0000000000000000` }), 404)
          assert.strictEqual(yield* notice(5, { "x-goog-channel-id": "pgw-999999-0000000000000000" }), 404)
          assert.strictEqual(yield* notice(1, { "x-goog-resource-state": "sync" }), 204)
          assert.strictEqual(yield* waiting, 0)
          yield* Effect.all([notice(5), notice(6), notice(7)], { concurrency: "unbounded" })
          // Queued behind the answers.
          yield* Effect.repeat(waiting, { until: (reads) => reads === 1 })
          yield* sql`select graphile_worker.remove_job(${`sync_calendar ${accountId}`})`
          yield* sql`update calendar_mirror set due_at = instant() + interval '1 hour' where account_id = ${accountId}`
          assert.strictEqual(yield* notice(6), 204)
          assert.strictEqual(yield* waiting, 0)
        })
      )
    )
  )

  it.effect("a link that takes its time is noted when it is there, and nobody is written to again", () =>
    connected(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* act({ act: "delay_links", seconds: 30 })
        const { meeting } = yield* booked
        yield* settle
        assert.isNull((yield* current(meeting)).meeting_url)
        const again = yield* sql<{ readonly seconds: number }>`
          select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs
          where key = ${`settle_meeting ${accountId} ${meeting.meeting_id}`}`
        assert.isAbove(again[0]?.seconds ?? 0, 5)
        const [event] = yield* live
        const result = yield* tool("create_calendar_event", {
          summary: "Demo",
          start_utc: plusSeconds(meeting.starts_at, 86_400),
          end_utc: plusSeconds(meeting.ends_at, 86_400)
        })
        assert.deepInclude(result, { meeting_url: null, is_meeting_url_pending: true })
        // Half a minute later.
        yield* sql`
          update sandbox_calendar_event set body = body || '{"meetReadyAt": 1}'::jsonb where account_id = ${accountId}`
        yield* settle
        assert.match((yield* current(meeting)).meeting_url ?? "", /^https:\/\/meet\./)
        assert.deepInclude(event, { updates_sent: 1 })
        assert.deepStrictEqual(
          (yield* live).filter(({ event_id }) => event_id === event?.event_id).map(({ updates_sent }) => updates_sent),
          [1]
        )
      })
    )
  )

  it.effect(
    "a channel is opened anew before it ends, the old one is stopped, and where none opens the old one stays",
    () =>
      connected(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const road = yield* CalendarRoad
          const { accountId } = yield* Caller
          const ends = (hours: number) =>
            sql`update calendar_mirror set channel_expires_at = instant() + make_interval(hours => ${hours})
            where account_id = ${accountId}`
          const channel = Effect.map(
            sql<{ readonly id: string; readonly hours: number }>`
            select channel_id as id, extract(epoch from channel_expires_at - instant())::float8 / 3600 as hours
            from calendar_mirror where account_id = ${accountId}`,
            ([row]) => row ?? assert.fail("no mirror")
          )
          const there = Effect.map(
            sql<{ readonly id: string }>`
            select channel_id as id from sandbox_calendar_channel where account_id = ${accountId}`,
            (rows) => rows.map(({ id }) => id)
          )
          yield* sync
          const first = yield* channel
          assert.deepStrictEqual(yield* there, [first.id])
          yield* ends(25)
          yield* sync
          assert.strictEqual((yield* channel).id, first.id)
          yield* ends(23)
          yield* road.plan(/events\/watch$/, answered(400, "invalid"))
          yield* sync
          assert.strictEqual((yield* channel).id, first.id)
          yield* sync
          const second = yield* channel
          assert.notStrictEqual(second.id, first.id)
          assert.isAbove(second.hours, 160)
          assert.deepStrictEqual(yield* there, [second.id])
          // The old one cannot be stopped: it ends by itself, and its notices are of no channel here.
          yield* ends(1)
          yield* road.plan(/channels\/stop$/, timedOutBefore)
          yield* sync
          assert.notStrictEqual((yield* channel).id, second.id)
          assert.lengthOf(yield* there, 2)
        })
      )
  )

  it.effect("what the scheduler booked has one event and one invitation, which are the scheduler's", () =>
    connected(
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const scheduler = yield* Scheduler
        const links = yield* BookingLinks
        const simulated = yield* SimulatedScheduler
        const bookings = yield* SchedulerBookings
        const meetings = yield* Meetings
        const times = yield* MeetingTimes
        const unit = yield* UnitOfWork
        yield* oauth.consentInSandbox("scheduler", "owner@scheduler.example")
        yield* scheduler.setDefault({ uri: undefined, name: "primeira conversa" })
        yield* sync

        // Agreed on in the conversation first, and then booked by the link for the same time.
        const { meeting } = yield* booked
        const leadId = meeting.lead_id
        yield* settle
        const [ours] = yield* live
        const url = (yield* links.of(leadId)) ?? ""
        const invitee = yield* simulated.book({
          url,
          name: "Ana",
          email: "another@address.example",
          startsAt: meeting.starts_at
        })
        yield* bookings.look(invitee)
        assert.deepInclude<object>(yield* current(meeting), { booked_through: "scheduler", status: "scheduled" })
        yield* sync
        yield* Effect.all([settle, settle], { concurrency: "unbounded" })
        yield* sync
        const [theirs, ...others] = yield* live
        assert.deepStrictEqual(others, [])
        assert.notStrictEqual(theirs?.event_id, ours?.event_id)
        const linked = yield* bookings.ofMeeting(meeting.meeting_id)
        assert.strictEqual(linked?.calendarEventId, theirs?.event_id)
        assert.strictEqual((yield* current(meeting)).status, "scheduled")

        // Attendance is known from the event, whatever address the lead gave.
        const event_id = theirs?.event_id ?? ""
        yield* act({ act: "answer", event_id, email: "another@address.example", response: "accepted" })
        yield* sync
        assert.strictEqual((yield* current(meeting)).lead_response, "accepted")
        // Its own event is no obstacle to moving it, and one of others is.
        const period = { from: toMillis(meeting.starts_at) + 900_000, to: toMillis(meeting.starts_at) + 2_700_000 }
        assert.strictEqual(yield* times.availability(period, leadId), "free")
        const stranger = yield* insertLead()
        assert.strictEqual(yield* times.availability(period, stranger), "taken")

        const later = plusSeconds(meeting.starts_at, 7200)
        const moved = yield* simulated.reschedule(invitee, later)
        yield* bookings.look(moved)
        yield* sync
        yield* settle
        assert.deepInclude<object>(yield* current(meeting), { starts_at: later, lead_response: null })
        assert.deepStrictEqual(
          (yield* live).map(({ body, updates_sent }) => [body.start, updates_sent]),
          [[{ dateTime: later }, 0]]
        )
        assert.lengthOf((yield* meetings.list({ leadId, includeCancelled: true, includePast: true })).meetings, 1)

        // Called off here: it is taken back there, and is gone from the calendar.
        yield* unit.write(meetings.cancelByLead(meeting.meeting_id, { nextTouchAt: undefined }))
        yield* bookings.sweep
        yield* sync
        assert.lengthOf(yield* live, 0)
      })
    )
  )

  it.effect("neither addresses nor tokens nor titles are in logs and spans", () =>
    connected(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const road = yield* CalendarRoad
        const logs = yield* collectLogs
        const { collecting, spans } = yield* collectSpans
        const email = yield* Effect.gen(function* () {
          yield* sync
          const { email } = yield* booked
          yield* road.plan(/^POST .*events$/, timedOutAfter)
          yield* Effect.exit(settle)
          yield* settle
          yield* act({ act: "create", summary: "Dentist", start: "2026-12-10", end: "2026-12-11", attendees: [] })
          yield* road.plan(/^GET/, answered(503, "backendError"))
          yield* sync
          yield* sync
          yield* tool("list_calendar_events", { date: "2026-12-10" })
          yield* act({ act: "revoke" })
          yield* Effect.exit(settle)
          yield* sync
          return email
        }).pipe(logs.collecting, Effect.withTracer(collecting))
        const [channel] = yield* sql<{ readonly id: string }>`
          select channel_id as id from calendar_mirror where account_id = ${accountId}`
        assert.isAbove(spans.length, 10)
        const speech = `${textOfSpans(spans)}\n${logs.lines.join("\n")}`
        for (const secret of [email, "Dentist", "calendar.example", "Bearer", channel?.id ?? "no channel"]) {
          assert.notInclude(speech, secret)
        }
      })
    )
  )
})
