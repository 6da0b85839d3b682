import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Option, Redacted, Schema } from "effect"
import { schedulerTasks } from "../../src/Layers/Scheduler/SchedulerWork.ts"
import { OAuth, SimulatedConsents } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { fromMillis, plusSeconds, type Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Meetings } from "../../src/Services/Meetings/Meetings.ts"
import { BookingLinks } from "../../src/Services/Outreach/BookingLinks.ts"
import { signatureOf } from "../../src/Services/Scheduler/NoticeSignature.ts"
import { Scheduler, SchedulerBookings, SimulatedScheduler } from "../../src/Services/Scheduler/Scheduler.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"

const holder = "owner@scheduler.example"

const call = (token: string, tool: string, args: object = {}) =>
  send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })

/** Does the tasks that wait for the caller's account, as the engine would. */
const settle = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const handlers = yield* schedulerTasks
  for (let turn = 0; turn < 20; turn++) {
    const waiting = yield* sql<{ readonly id: string; readonly name: string; readonly payload: unknown }>`
      select j.id::text as id, t.identifier as name, j.payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier in ('look_at_booking', 'subscribe_scheduler')
        and (j.payload ->> 'accountId')::bigint = ${accountId} order by j.id`
    if (waiting.length === 0) return
    for (const { id, name, payload } of waiting) {
      const handler = handlers.find(({ task }) => task.name === name)
      yield* sql`delete from graphile_worker._private_jobs where id = ${id}::bigint`
      if (handler !== undefined) yield* handler.run(payload, { id, attempt: 1, maxAttempts: 1 })
    }
  }
})

const connect = Effect.gen(function* () {
  const oauth = yield* OAuth
  const scheduler = yield* Scheduler
  yield* oauth.consentInSandbox("scheduler", holder)
  yield* settle
  yield* scheduler.setDefault({ uri: undefined, name: "primeira conversa" })
})

const inDays = (days: number): Effect.Effect<Timestamp> =>
  Effect.map(Clock.currentTimeMillis, (now) => fromMillis(Math.floor(now / 3_600_000) * 3_600_000 + days * 86_400_000))

const meetingsWith = (leadId: LeadId) =>
  Effect.flatMap(Meetings, (meetings) =>
    Effect.map(meetings.list({ leadId, includeCancelled: true, includePast: true }), (list) => list.meetings)
  )

const book = (leadId: LeadId, startsAt: Timestamp, email = "somebody@else.example") =>
  Effect.gen(function* () {
    const simulated = yield* SimulatedScheduler
    const url = (yield* (yield* BookingLinks).of(leadId)) ?? ""
    return yield* simulated.book({ url, name: "Ana", email, startsAt })
  })

const own = <A, E, R>(test: (token: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeTokenHolder(), ({ caller, token }) => as(caller)(test(token)))

const Tools = Schema.Struct({ event_types: Schema.Array(Schema.Struct({ uri: Schema.String, name: Schema.String })) })

layer(testGateway(), { excludeTestServices: true })("the scheduling tool", (it) => {
  it.effect("over HTTP: connect, look, choose, list, disconnect, and each refusal by its name", () =>
    own((token) =>
      Effect.gen(function* () {
        const reason = (answer: { readonly json: unknown }) => (answer.json as { readonly reason?: string }).reason
        assert.strictEqual(reason(yield* call(token, "list_scheduler_event_types")), "scheduler_not_connected")
        const url = (yield* call(token, "get_scheduler_connection_url")).json
        assert.match(JSON.stringify(url), /\/connect\/scheduler\?link=/)
        assert.deepInclude((yield* call(token, "get_scheduler_status")).json, { status: "disconnected" })
        yield* connect
        assert.deepInclude((yield* call(token, "get_scheduler_status")).json, {
          status: "connected",
          account_email: holder,
          mode: "sandbox",
          hears_bookings_at_once: true
        })
        const { event_types } = yield* Schema.decodeUnknown(Tools)(
          (yield* call(token, "list_scheduler_event_types")).json
        )
        assert.lengthOf(event_types, 3)
        const choose = (args: object) => call(token, "set_scheduler_default_event_type", args)
        assert.strictEqual(reason(yield* choose({})), "event_type_missing")
        assert.strictEqual(reason(yield* choose({ event_type_name: "demonstr" })), "event_type_ambiguous")
        assert.strictEqual(
          reason(yield* choose({ event_type_uri: "https://evil.example/event_types/1" })),
          "uri_not_of_scheduler"
        )
        const unknown = yield* choose({ event_type_uri: "https://api.scheduler.sandbox.invalid/event_types/1" })
        assert.strictEqual(unknown.status, 404)
        assert.deepInclude((yield* choose({ event_type_uri: event_types[1]?.uri })).json, { changed: true })
        assert.deepInclude((yield* choose({ event_type_uri: event_types[1]?.uri })).json, { changed: false })
        assert.deepInclude((yield* choose({ event_type_uri: "" })).json, { default_event_type: null, changed: true })

        const list = (args: object) => call(token, "list_scheduler_upcoming_events", args)
        assert.strictEqual(reason(yield* list({ start_date: "2026-01-01", end_date: "2026-04-11" })), "range_too_long")
        assert.strictEqual(reason(yield* list({ start_date: "2026-02-30" })), "not_a_date")
        assert.strictEqual(reason(yield* list({ status: "maybe" })), "value_not_accepted")
        assert.deepInclude((yield* list({})).json, { total: 0 })
        const event = (event_uri: string) => call(token, "get_scheduler_event", { event_uri })
        assert.strictEqual(reason(yield* event("http://169.254.169.254/latest")), "uri_not_of_scheduler")
        assert.strictEqual((yield* event("https://api.scheduler.sandbox.invalid/scheduled_events/x")).status, 404)

        const end = (user_has_confirmed: boolean) => call(token, "disconnect_scheduler", { user_has_confirmed })
        assert.strictEqual(reason(yield* end(false)), "confirmation_missing")
        assert.deepInclude((yield* end(true)).json, { changed: true, access_revoked: "done" })
        assert.deepInclude((yield* end(true)).json, { changed: false, access_revoked: "nothing_to_do" })
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        assert.lengthOf(yield* sql`select url from sandbox_scheduler_subscription where account_id = ${accountId}`, 0)
      })
    )
  )

  it.effect("books by the reference of the lead's own link, once, and shows it as the lead's meeting", () =>
    own((token) =>
      Effect.gen(function* () {
        yield* connect
        const leadId = yield* insertLead()
        const links = yield* BookingLinks
        const link = yield* links.of(leadId)
        assert.match(link ?? "", /once=.*utm_content=/)
        assert.strictEqual(yield* links.of(leadId), link)
        const startsAt = yield* inDays(2)
        const uri = yield* book(leadId, startsAt)
        yield* settle
        const bookings = yield* SchedulerBookings
        yield* Effect.all([bookings.look(uri), bookings.look(uri), bookings.sweep], { concurrency: "unbounded" })
        const [meeting, ...others] = yield* meetingsWith(leadId)
        assert.lengthOf(others, 0)
        assert.deepInclude(meeting, { starts_at: startsAt, booked_through: "scheduler", status: "scheduled" })
        assert.match(meeting?.meeting_url ?? "", /^https:\/\/meet\./)
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const events = yield* sql`
          select event_type from account_event where account_id = ${accountId} and event_type = 'meeting_booked'`
        assert.lengthOf(events, 1)
        const listed = yield* call(token, "list_scheduler_upcoming_events")
        assert.include(JSON.stringify(listed.json), `"lead_id":${leadId}`)
        const detail = yield* call(token, "get_scheduler_event", { event_uri: uri.split("/invitees/")[0] })
        assert.include(JSON.stringify(detail.json), "somebody@else.example")
        if (meeting === undefined) return
        const linked = yield* bookings.ofMeeting(meeting.meeting_id)
        assert.deepInclude(linked, { leadId, inviteeUri: uri })
        assert.deepStrictEqual(yield* bookings.ofCalendarEvent(linked?.calendarEventId ?? ""), linked)
        // The link has served; the next one is another.
        assert.notStrictEqual(yield* links.of(leadId), link)
      })
    )
  )

  it.effect("moves and calls off the one meeting, whichever half of a move is heard first", () =>
    own(() =>
      Effect.gen(function* () {
        yield* connect
        const simulated = yield* SimulatedScheduler
        const bookings = yield* SchedulerBookings
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        for (const newFirst of [true, false]) {
          const leadId = yield* insertLead()
          const first = yield* book(leadId, yield* inDays(newFirst ? 3 : 5))
          yield* settle
          const [before] = yield* meetingsWith(leadId)
          yield* sql`update sandbox_scheduler set loses_notices = true where account_id = ${accountId}`
          const to = yield* inDays(newFirst ? 4 : 6)
          const second = yield* simulated.reschedule(first, to)
          yield* bookings.look(newFirst ? second : first)
          yield* bookings.look(newFirst ? first : second)
          const [moved, ...others] = yield* meetingsWith(leadId)
          assert.lengthOf(others, 0)
          assert.strictEqual(moved?.meeting_id, before?.meeting_id)
          assert.deepInclude(moved, { starts_at: to, status: "scheduled" })
          yield* simulated.cancel(second, "invitee", "No time")
          // Nobody told: the sweep finds it.
          yield* bookings.sweep
          assert.deepInclude((yield* meetingsWith(leadId))[0], { status: "cancelled" })
          // What is read late of the time before changes nothing.
          yield* bookings.look(first)
          yield* bookings.sweep
          assert.lengthOf(yield* meetingsWith(leadId), 1)
          yield* sql`update sandbox_scheduler set loses_notices = false where account_id = ${accountId}`
        }
      })
    )
  )

  it.effect("knows a lead by mail, leaves strangers and shared addresses alone, and heeds no made-up reference", () =>
    own(() =>
      Effect.gen(function* () {
        yield* connect
        const simulated = yield* SimulatedScheduler
        const leadId = yield* insertLead({ email: "Known@Lead.example" })
        const [one, two] = [yield* insertLead({ email: "shared@lead.example" }), yield* insertLead()]
        const { accountId } = yield* Caller
        const sql = yield* SqlClient
        const [page] = yield* sql<{ readonly key: string }>`
          select page_key as key from sandbox_scheduler where account_id = ${accountId}`
        const url = `http://gateway.test/sandbox/scheduler/${page?.key ?? ""}?type=demonstracao&utm_content=${two.toString(36)}-AAAAAAAAAAAAAAAA`
        yield* simulated.book({ url, name: "Known", email: "known@lead.EXAMPLE", startsAt: yield* inDays(1) })
        yield* simulated.book({ url, name: "Stranger", email: "stranger@nowhere.example", startsAt: yield* inDays(2) })
        yield* settle
        const bookings = yield* SchedulerBookings
        yield* bookings.sweep
        assert.lengthOf(yield* meetingsWith(leadId), 1)
        assert.lengthOf(yield* meetingsWith(two), 0)
        assert.lengthOf(yield* meetingsWith(one), 0)
        const kept = yield* sql<{ readonly lead_id: number | null }>`
          select lead_id from scheduler_booking where account_id = ${accountId} order by lead_id nulls last`
        assert.deepStrictEqual(
          kept.map(({ lead_id }) => lead_id),
          [leadId, null]
        )
      })
    )
  )

  it.effect("takes back at the scheduler what was cancelled here", () =>
    own(() =>
      Effect.gen(function* () {
        yield* connect
        const leadId = yield* insertLead()
        yield* book(leadId, yield* inDays(7))
        yield* settle
        const meetings = yield* Meetings
        const scheduler = yield* Scheduler
        const [meeting] = yield* meetingsWith(leadId)
        if (meeting === undefined) return assert.fail("no meeting")
        yield* meetings.cancel(meeting.meeting_id, {
          nextTouchAt: plusSeconds(meeting.starts_at, -3600),
          reason: "Travelling",
          additionalInstructions: undefined
        })
        const bookings = yield* SchedulerBookings
        yield* bookings.sweep
        yield* bookings.sweep
        const { events } = yield* scheduler.events({ startDate: undefined, endDate: undefined, status: "canceled" })
        assert.deepStrictEqual(
          events.map(({ lead_id }) => lead_id),
          [leadId]
        )
        assert.lengthOf(yield* meetingsWith(leadId), 1)
      })
    )
  )

  it.effect("takes a notice by its signature alone, and makes one meeting of many", () =>
    own((token) =>
      Effect.gen(function* () {
        yield* connect
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const leadId = yield* insertLead()
        yield* sql`update sandbox_scheduler set loses_notices = true where account_id = ${accountId}`
        const uri = yield* book(leadId, yield* inDays(3))
        const [row] = yield* sql<{ readonly key: string; readonly signing: string }>`
          select a.webhook_key as key, s.signing_key as signing from scheduler_account a
          join sandbox_scheduler s on s.account_id = a.account_id where a.account_id = ${accountId}`
        const path = `/webhooks/scheduler/${row?.key ?? ""}`
        const notice = Buffer.from(JSON.stringify({ event: "invitee.created", payload: { uri } }))
        const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const post = (body: Uint8Array, at: number, key = row?.signing ?? "", to = path) =>
          send(to, {
            method: "POST",
            body,
            headers: { "Calendly-Webhook-Signature": signatureOf(Redacted.make(key), at, body) }
          })
        assert.strictEqual((yield* post(notice, seconds, "another key")).status, 401)
        assert.strictEqual((yield* post(notice, seconds - 200)).status, 401)
        assert.strictEqual((yield* send(path, { method: "POST", body: notice })).status, 401)
        assert.strictEqual(
          (yield* post(notice, seconds, row?.signing, `/webhooks/scheduler/${"A".repeat(43)}`)).status,
          404
        )
        assert.strictEqual((yield* post(Buffer.from("<html>"), seconds)).status, 400)
        assert.strictEqual((yield* post(Buffer.alloc(300 * 1024), seconds)).status, 413)
        // Of another kind, or of somebody else's host: heard, and nothing comes of it.
        const elsewhere = Buffer.from(
          JSON.stringify({ event: "invitee.created", payload: { uri: "https://evil.example/x" } })
        )
        assert.strictEqual((yield* post(elsewhere, seconds)).status, 200)
        yield* settle
        assert.lengthOf(yield* meetingsWith(leadId), 0)
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => post(notice, seconds)),
          { concurrency: 8 }
        )
        assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
        const waiting = yield* sql`
          select from graphile_worker._private_jobs where payload ->> 'inviteeUri' = ${uri} and locked_at is null`
        assert.isAtMost(waiting.length, 1)
        yield* settle
        assert.lengthOf(yield* meetingsWith(leadId), 1)
        assert.deepInclude((yield* call(token, "get_scheduler_status")).json, { status: "connected" })
      })
    )
  )

  it.effect("that was revoked there says so once, keeps its meetings, and goes on after a new consent", () =>
    own((token) =>
      Effect.gen(function* () {
        yield* connect
        const consents = yield* SimulatedConsents
        const notifications = yield* Notifications
        const oauth = yield* OAuth
        const bookings = yield* SchedulerBookings
        yield* consents.expireAll("scheduler")
        assert.strictEqual((yield* call(token, "list_scheduler_event_types")).status, 200)
        yield* consents.revokeAll("scheduler")
        const before = (yield* notifications.pending).total
        for (let turn = 0; turn < 2; turn++) {
          const answer = yield* call(token, "list_scheduler_event_types")
          assert.strictEqual(answer.status, 422)
          assert.deepInclude(answer.json, { reason: "scheduler_needs_reconnect" })
        }
        assert.strictEqual((yield* notifications.pending).total, before + 1)
        assert.deepInclude(yield* Effect.flip(bookings.sweep), { reason: "scheduler_needs_reconnect" })
        assert.isUndefined(yield* (yield* BookingLinks).of(yield* insertLead()))
        yield* oauth.consentInSandbox("scheduler", holder)
        assert.deepInclude((yield* call(token, "get_scheduler_status")).json, {
          status: "connected",
          default_event_type: { uri: yield* defaultUri, name: "Primeira conversa" }
        })
        yield* oauth.consentInSandbox("scheduler", "another@scheduler.example")
        assert.deepInclude((yield* call(token, "get_scheduler_status")).json, {
          account_email: "another@scheduler.example",
          default_event_type: null
        })
      })
    )
  )

  it.effect("in sandbox is acted on as JSON and as a page, each account its own", () =>
    own((token) =>
      Effect.gen(function* () {
        yield* connect
        const act = (body: object, as = token) =>
          send("/sandbox/scheduler", { method: "POST", token: as, body: JSON.stringify(body) })
        const shown = (yield* send("/sandbox/scheduler", { token })).json as {
          readonly accounts: ReadonlyArray<{ readonly page: string }>
        }
        const page = new URL(shown.accounts[0]?.page ?? "http://none.example").pathname
        assert.include((yield* send(page)).text, "Primeira conversa")
        const form = new URLSearchParams({
          act: "book",
          type: "demonstracao",
          name: "Bia",
          email: "bia@lead.example",
          starts_at: (yield* inDays(2)).slice(0, 16)
        })
        const booked = yield* send(page, { method: "POST", body: form.toString() })
        assert.include(booked.text, "Done.")
        assert.include((yield* send(page, { method: "POST", body: form.toString() })).text, "Somebody else has booked")
        const uri = /name="invitee_uri" value="([^"]+)"/.exec(booked.text)?.[1] ?? ""
        const stranger = yield* makeTokenHolder()
        assert.strictEqual((yield* act({ act: "cancel", invitee_uri: uri }, stranger.token)).status, 404)
        assert.deepStrictEqual((yield* send("/sandbox/scheduler", { token: stranger.token })).json, {
          accounts: [],
          bookings: []
        })
        assert.strictEqual((yield* send("/sandbox/scheduler")).status, 401)
        assert.strictEqual((yield* act({ act: "explode" })).status, 400)
        assert.strictEqual((yield* act({ act: "cancel", invitee_uri: uri })).status, 200)
        assert.strictEqual((yield* act({ act: "slow_down", seconds: 90 })).status, 200)
        const slow = yield* call(token, "list_scheduler_event_types")
        assert.strictEqual(slow.status, 503)
        assert.deepInclude(slow.json, { reason: "scheduler_rate_limited" })
        assert.isAbove(Number(slow.headers.get("retry-after")), 60)
      })
    )
  )
})

const defaultUri = Effect.gen(function* () {
  const scheduler = yield* Scheduler
  return Option.getOrUndefined(Option.fromNullable((yield* scheduler.status).default_event_type?.uri))
})
