import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { noticeEndpoints } from "../../src/Layers/Calendar/NoticeEndpoint.ts"
import { MeetingTimes } from "../../src/Services/Calendar/MeetingTimes.ts"
import { Caller } from "../../src/Services/Core/Caller.ts"
import { now, plusSeconds, Timestamp, toMillis } from "../../src/Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../src/Services/Core/UnitOfWork.ts"
import type { MeetingId } from "../../src/Services/Meetings/Ids.ts"
import { MailedInvitations } from "../../src/Services/Meetings/MailedInvitations.ts"
import { Meetings, type MeetingView } from "../../src/Services/Meetings/Meetings.ts"
import type { TouchId } from "../../src/Services/Outreach/TouchLedger.ts"
import { insertLead } from "../support/LeadServices.ts"
import { serveEndpoints } from "../support/ServedEndpoints.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import {
  act,
  answered,
  Background,
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

layer(CalendarWorld, { excludeTestServices: true, timeout: "60 seconds" })("meetings in the calendar", (it) => {
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
        yield* unit.write(meetings.callOff(meeting.meeting_id, { nextTouchAt: undefined }))
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
        const proposed = yield* times.proposalsFor({ ...lead, near: period.from })
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
        const seen = (rows: typeof whole) => rows.filter((row) => row.to > from && row.from < to)
        assert.isAbove(seen(whole).length, 10)
        assert.deepStrictEqual(seen(followed), seen(whole))
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
          assert.strictEqual(yield* waiting, 1)
          yield* sql`select graphile_worker.remove_job(${`sync_calendar ${accountId}`})`
          yield* sql`update calendar_mirror set due_at = instant() + interval '1 hour' where account_id = ${accountId}`
          assert.strictEqual(yield* notice(6), 204)
          assert.strictEqual(yield* waiting, 0)
        })
      )
    )
  )
})
