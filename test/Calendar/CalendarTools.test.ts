import { assert, layer } from "@effect/vitest"
import { Effect, Predicate, Schema } from "effect"
import { CalendarEvent, ChangedEvent, EventsOfDay } from "../../src/Services/Calendar/CalendarModel.ts"
import { SimulatedConsents } from "../../src/Services/Connections/OAuth.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
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
  lostBefore,
  refusalOf,
  sync,
  timedOutAfter,
  timedOutBefore,
  tool
} from "./CalendarWorld.ts"

const event = (answer: unknown) => Schema.decodeUnknownSync(CalendarEvent)(answer)
const change = (answer: unknown) => Schema.decodeUnknownSync(ChangedEvent)(answer)
const day = (answer: unknown) => Schema.decodeUnknownSync(EventsOfDay)(answer)

const reasonOf = (name: string, args: object = {}) =>
  Effect.map(refusalOf(name, args), (failure) =>
    Predicate.hasProperty(failure, "reason") ? failure.reason : failure._tag
  )

const demo = {
  summary: "Demo",
  start_utc: "2026-12-10T13:00:00Z",
  end_utc: "2026-12-10T13:30:00Z",
  attendees: "ana@acme.example, bia@acme.example"
}
const made = Effect.map(tool("create_calendar_event", demo), event)
const on = (date: string) => Effect.map(tool("list_calendar_events", { date }), day)

layer(CalendarWorld, { excludeTestServices: true })("the calendar's tools", (it) => {
  it.effect("an event is made with its attendees and a link, changed in part, answered and deleted", () =>
    connected(
      Effect.gen(function* () {
        const first = yield* made
        assert.deepInclude<object>(first, {
          summary: "Demo",
          start_utc: demo.start_utc,
          end_utc: demo.end_utc,
          takes_time: true
        })
        assert.match(first.meeting_url ?? "", /^https:\/\/meet\./)
        assert.deepStrictEqual(
          first.attendees.map(({ email }) => email),
          ["ana@acme.example", "bia@acme.example"]
        )

        yield* act({ act: "answer", event_id: first.event_id, email: "ana@acme.example", response: "accepted" })
        const { event_id } = first
        const renamed = change(yield* tool("update_calendar_event", { event_id, summary: "Demo 2" }))
        assert.isTrue(renamed.changed)
        assert.deepInclude<object>(renamed.event, {
          summary: "Demo 2",
          start_utc: demo.start_utc,
          meeting_url: first.meeting_url
        })
        assert.strictEqual(renamed.event.attendees[0]?.response, "accepted")

        const replaced = change(
          yield* tool("update_calendar_event", { event_id, attendees: "CAIO@acme.example,Ana@acme.example" })
        )
        assert.deepStrictEqual(
          replaced.event.attendees.map(({ email, response }) => [email, response]),
          [
            ["caio@acme.example", "needs_action"],
            ["ana@acme.example", "accepted"]
          ]
        )
        const again = change(yield* tool("update_calendar_event", { event_id, summary: "Demo 2" }))
        assert.isFalse(again.changed)

        assert.deepInclude(yield* tool("delete_calendar_event", { event_id }), { changed: true })
        assert.deepInclude(yield* tool("delete_calendar_event", { event_id }), { changed: false })
        assert.lengthOf((yield* on("2026-12-10")).events, 0)
        assert.strictEqual(
          yield* reasonOf("update_calendar_event", { event_id, summary: "x" }),
          "calendar_event_not_found"
        )
      })
    )
  )

  it.effect(
    "a UTC day has what touches it: over midnight, all day in the calendar's zone, and a series' instance",
    () =>
      connected(
        Effect.gen(function* () {
          yield* act({
            act: "create",
            summary: "Overnight",
            start: "2026-12-09T23:00:00Z",
            end: "2026-12-10T01:00:00Z",
            attendees: []
          })
          yield* act({
            act: "create",
            summary: "Ends there",
            start: "2026-12-09T22:00:00Z",
            end: "2026-12-10T00:00:00Z",
            attendees: []
          })
          yield* act({
            act: "create",
            summary: "Holiday",
            start: "2026-12-10",
            end: "2026-12-11",
            attendees: [],
            transparency: "transparent"
          })
          yield* act({
            act: "create",
            summary: "Begins behind",
            start: "2026-12-11T00:00:00Z",
            end: "2026-12-11T01:00:00Z",
            attendees: []
          })
          yield* act({
            act: "create",
            summary: "Weekly",
            start: "2026-12-03T12:00:00Z",
            end: "2026-12-03T12:30:00Z",
            attendees: [],
            recurrence: ["RRULE:FREQ=WEEKLY"]
          })
          const { events, time_zone } = yield* on("2026-12-10")
          assert.strictEqual(time_zone, "America/Sao_Paulo")
          assert.deepStrictEqual(
            events.map(({ summary }) => summary),
            ["Overnight", "Holiday", "Weekly"]
          )
          const [, holiday, weekly] = events
          assert.deepInclude<object>(holiday ?? {}, {
            is_all_day: true,
            takes_time: false,
            start_utc: "2026-12-10T03:00:00Z",
            end_utc: "2026-12-11T03:00:00Z"
          })
          assert.isNotNull(weekly?.series_id)

          // One instance, as its id says; then the whole series.
          yield* tool("delete_calendar_event", { event_id: weekly?.event_id })
          assert.notInclude(
            (yield* on("2026-12-10")).events.map(({ summary }) => summary),
            "Weekly"
          )
          assert.include(
            (yield* on("2026-12-17")).events.map(({ summary }) => summary),
            "Weekly"
          )
          yield* tool("update_calendar_event", { event_id: weekly?.series_id, summary: "Weekly call" })
          assert.include(
            (yield* on("2026-12-24")).events.map(({ summary }) => summary),
            "Weekly call"
          )
          yield* tool("delete_calendar_event", { event_id: weekly?.series_id })
          assert.lengthOf((yield* on("2026-12-17")).events, 0)
        })
      )
  )

  it.effect("an invitation is answered by whom it is for, and others' events are theirs", () =>
    connected(
      Effect.gen(function* () {
        yield* act({
          act: "create",
          summary: "Their call",
          start: "2026-12-10T15:00:00Z",
          end: "2026-12-10T16:00:00Z",
          attendees: [],
          organizer: "boss@other.example"
        })
        const [theirs] = (yield* on("2026-12-10")).events
        assert.strictEqual(theirs?.own_response, "needs_action")
        const event_id = theirs?.event_id
        const declined = change(yield* tool("respond_calendar_event", { event_id, accept: false }))
        assert.deepInclude<object>(declined, { changed: true })
        assert.deepInclude<object>(declined.event, { own_response: "declined", takes_time: false })
        assert.isFalse(change(yield* tool("respond_calendar_event", { event_id, accept: false })).changed)
        assert.strictEqual(yield* reasonOf("update_calendar_event", { event_id, summary: "Mine" }), "not_organizer")
        const own = yield* made
        assert.strictEqual(
          yield* reasonOf("respond_calendar_event", { event_id: own.event_id, accept: true }),
          "not_invited"
        )
      })
    )
  )

  it.effect("bad input is refused by name, and nothing is half done", () =>
    connected(
      Effect.gen(function* () {
        const holidays = "holidays@group.sandbox.example"
        const cases: ReadonlyArray<readonly [string, object, string]> = [
          ["list_calendar_events", { date: "2026-02-30" }, "not_a_date"],
          ["list_calendar_events", { date: "10/12/2026" }, "not_a_date"],
          ["list_calendar_events", { date: "2026-12-10", calendar_id: "who@no.example" }, "calendar_not_found"],
          ["list_calendar_events", { date: "2026-12-10", calendar_id: "../users" }, "calendar_not_found"],
          ["create_calendar_event", { ...demo, end_utc: demo.start_utc }, "end_before_start"],
          ["create_calendar_event", { ...demo, end_utc: "2026-12-09" }, "end_before_start"],
          ["create_calendar_event", { ...demo, end_utc: "2028-12-09" }, "event_too_long"],
          ["create_calendar_event", { ...demo, start_utc: "soon" }, "not_a_date"],
          ["create_calendar_event", { ...demo, attendees: "ana" }, "attendee_invalid"],
          ["create_calendar_event", { ...demo, summary: " " }, "text_empty"],
          ["create_calendar_event", { ...demo, calendar_id: holidays }, "calendar_read_only"],
          ["create_calendar_event", { ...demo, calendar_id: ".." }, "calendar_not_found"],
          ["update_calendar_event", { event_id: "gate0000000", summary: "x" }, "calendar_event_not_found"],
          ["update_calendar_event", { event_id: "a/../../b", summary: "x" }, "calendar_event_not_found"],
          ["update_calendar_event", { event_id: "gate0000000" }, "nothing_to_change"],
          ["delete_calendar_event", { event_id: "gate0000000" }, "calendar_event_not_found"],
          ["disconnect_calendar", { user_has_confirmed: false }, "not_confirmed"]
        ]
        for (const [name, args, reason] of cases)
          assert.strictEqual(yield* reasonOf(name, args), reason, JSON.stringify(args))
        assert.lengthOf(yield* eventsThere, 0)
        const { event_id } = yield* made
        assert.strictEqual(
          yield* reasonOf("update_calendar_event", { event_id, end_utc: "2026-12-10T12:00:00Z" }),
          "end_before_start"
        )
        assert.deepInclude<object>(change(yield* tool("update_calendar_event", { event_id, summary: "Demo" })).event, {
          start_utc: demo.start_utc
        })
      })
    )
  )

  const writes: ReadonlyArray<readonly [string, RegExp, Fault]> = [
    ["times out before it is made", /^POST .*events$/, timedOutBefore],
    ["times out when it is made", /^POST .*events$/, timedOutAfter],
    [
      "meets one with its id",
      /^POST .*events$/,
      (arrive) => Effect.zipRight(arrive, answered(409, "duplicate")(arrive))
    ],
    ["meets a token that ended", /^POST .*events$/, answered(401, "authError")]
  ]
  it.effect.each(writes)("one event is made where the call %s", ([, isMeant, fault]) =>
    connected(
      Effect.gen(function* () {
        const road = yield* CalendarRoad
        yield* road.plan(isMeant, fault)
        yield* made
        const there = yield* eventsThere
        assert.lengthOf(there, 1)
        assert.strictEqual(there[0]?.updates_sent, 1)
      })
    )
  )

  it.effect("what the calendar answers badly is told as what it is", () =>
    connected(
      Effect.gen(function* () {
        const road = yield* CalendarRoad
        const { event_id } = yield* made
        const cases: ReadonlyArray<readonly [Fault, string]> = [
          [answered(403, "rateLimitExceeded"), "calendar_rate_limited"],
          [answered(429, "rateLimitExceeded"), "calendar_rate_limited"],
          [answered(503, "backendError"), "calendar_unavailable"],
          [answered(400, "invalid"), "calendar_refused"],
          [answered(403, "requiredAccessLevel"), "calendar_read_only"],
          [answered(404, "notFound"), "calendar_event_not_found"],
          [lostBefore, "calendar_unavailable"]
        ]
        for (const [fault, reason] of cases) {
          yield* road.plan(/^PATCH/, fault)
          assert.strictEqual(yield* reasonOf("update_calendar_event", { event_id, summary: "Other" }), reason)
        }
        // Somebody was faster, or the answer was lost: read anew, then sent.
        for (const [index, fault] of [answered(412, "conditionNotMet"), timedOutBefore, timedOutAfter].entries()) {
          yield* road.plan(/^PATCH/, fault)
          const summary = `Other ${index}`
          const { changed, event: after } = change(yield* tool("update_calendar_event", { event_id, summary }))
          assert.isTrue(changed)
          assert.strictEqual(after.summary, summary)
        }
        yield* road.plan(/^DELETE/, timedOutAfter)
        assert.deepInclude(yield* tool("delete_calendar_event", { event_id }), { changed: true })
      })
    )
  )

  it.effect("a consent that was revoked is told once, and connecting anew goes on", () =>
    connected(
      Effect.gen(function* () {
        const notifications = yield* Notifications
        const consents = yield* SimulatedConsents
        yield* made
        yield* consents.revokeAll("calendar")
        assert.strictEqual(yield* reasonOf("list_calendar_events", { date: "2026-12-10" }), "calendar_needs_reconnect")
        assert.strictEqual(yield* reasonOf("create_calendar_event", demo), "calendar_needs_reconnect")
        yield* sync
        const told = (yield* notifications.pending).notifications.filter(({ kind }) => kind === "connection_lost")
        assert.lengthOf(told, 1)
        assert.deepInclude(yield* tool("get_calendar_status"), {
          connection_status: "needs_reconnect",
          proposes_times: false
        })
        yield* connect
        assert.lengthOf((yield* on("2026-12-10")).events, 1)
      })
    )
  )

  it.effect("disconnecting stops notices and forgets what was read, again it changes nothing", () =>
    connected(
      Effect.gen(function* () {
        yield* made
        yield* sync
        const status = yield* tool("get_calendar_status")
        assert.deepInclude(status, {
          connection_status: "connected",
          is_watched: true,
          proposes_times: true,
          mode: "sandbox"
        })
        assert.deepInclude(yield* tool("disconnect_calendar", { user_has_confirmed: true }), {
          changed: true,
          at_calendar: "done"
        })
        assert.deepInclude(yield* tool("disconnect_calendar", { user_has_confirmed: true }), { changed: false })
        assert.deepInclude(yield* tool("get_calendar_status"), {
          connection_status: "disconnected",
          account_email: null,
          last_synced_at: null
        })
        assert.strictEqual(yield* reasonOf("create_calendar_event", demo), "calendar_not_connected")
      })
    )
  )

  it.effect("an account without a calendar, or another account, finds nothing of it", () =>
    connected(
      Effect.gen(function* () {
        const { event_id } = yield* made
        const other = yield* makeAccount()
        yield* as(other)(
          Effect.gen(function* () {
            assert.strictEqual(
              yield* reasonOf("list_calendar_events", { date: "2026-12-10" }),
              "calendar_not_connected"
            )
            assert.match(
              JSON.stringify(yield* tool("get_calendar_connection_url")),
              /"connection_url":"https?:[^"]+\/connect\/calendar\?link=/
            )
            yield* connect
            assert.strictEqual(yield* reasonOf("delete_calendar_event", { event_id }), "calendar_event_not_found")
          })
        )
        assert.lengthOf((yield* on("2026-12-10")).events, 1)
      })
    )
  )

  it.effect("a rule or a time that nobody can read is refused, and stands in nobody's way", () =>
    connected(
      Effect.gen(function* () {
        const create = (more: object) =>
          Effect.flip(
            act({
              act: "create",
              summary: "Odd",
              start: "2026-12-10T12:00:00Z",
              end: "2026-12-10T12:30:00Z",
              attendees: [],
              ...more
            })
          )
        for (const rule of ["RRULE:FREQ=NEVER", "RRULE:FREQ=SECONDLY", "RRULE:", "nonsense", "EXDATE:never"]) {
          const failure = yield* Effect.either(create({ recurrence: [rule] }))
          if (failure._tag === "Right") assert.propertyVal(failure.right, "reason", "act_refused", rule)
        }
        assert.propertyVal(
          yield* create({ start: "9990-01-01T00:00:00Z", end: "9991-01-01T00:00:00Z" }),
          "reason",
          "act_refused"
        )
        yield* made
        yield* sync
        assert.deepInclude(yield* tool("get_calendar_status"), { last_error: null, proposes_times: true })
        assert.include(
          (yield* on("2026-12-10")).events.map(({ summary }) => summary),
          "Demo"
        )
      })
    )
  )
})
