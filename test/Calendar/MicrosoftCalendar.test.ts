import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { occupationOf, shownEvent } from "../../src/Layers/Calendar/Google/GoogleEvent.ts"
import {
  answerIn,
  eventOf,
  type GraphEvent,
  graphFields,
  readGraphEvents,
  withSeries
} from "../../src/Layers/Calendar/Microsoft/GraphEvent.ts"
import { isBusy } from "../../src/Services/Calendar/FreeSlots.ts"
import { Connections } from "../../src/Services/Connections/Connections.ts"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { assertNoFaults, vendorJudge } from "../support/VendorJudge.ts"
import {
  act,
  CalendarRoad,
  CalendarWorld,
  connect,
  eventsThere,
  refusalOf,
  sync,
  timedOutAfter,
  tool
} from "./CalendarWorld.ts"

const judge = vendorJudge("microsoft_graph")

const connectMicrosoft = Effect.gen(function* () {
  const { accountId } = yield* Caller
  const oauth = yield* OAuth
  yield* oauth.consentInSandbox("calendar_microsoft", `owner${accountId}@office.example`)
})

const connected = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const caller = yield* makeAccount()
    yield* as(caller)(connectMicrosoft)
    return yield* as(caller)(test)
  })

const day = 86_400_000
const inDays = (days: number, hour: number) => {
  const at = new Date(Date.now() + days * day)
  return fromMillis(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), hour))
}

const idIn = (answer: unknown): string =>
  Predicate.hasProperty(answer, "event_id") && typeof answer.event_id === "string" ? answer.event_id : ""

const reasonOf = (name: string, args: object) =>
  Effect.map(refusalOf(name, args), (error) => ("reason" in error ? error.reason : error._tag))

const mirrored = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<{ readonly id: string; readonly busy: boolean }>`
    select event_id as id, is_busy as busy from calendar_event where account_id = ${accountId} order by event_id`
})

const graphEvent = (changes: object) =>
  readGraphEvents([
    {
      id: "AAk-1=",
      "@odata.etag": 'W/"1"',
      subject: "Demo",
      isAllDay: false,
      isCancelled: false,
      isOrganizer: true,
      showAs: "busy",
      type: "singleInstance",
      seriesMasterId: null,
      transactionId: null,
      start: { dateTime: "2026-12-10T13:00:00.0000000", timeZone: "UTC" },
      end: { dateTime: "2026-12-10T13:30:00.0000000", timeZone: "UTC" },
      attendees: [],
      onlineMeeting: null,
      ...changes
    }
  ])[0] ?? assert.fail("unreadable")

const ownAddress = "helena@ondas.example"
const event = (changes: object) => eventOf(graphEvent(changes), ownAddress, "id")

layer(CalendarWorld, { excludeTestServices: true, timeout: 120_000 })("calendars at Microsoft 365", (it) => {
  it("events are read as the gateway understands them", () => {
    const takesTime = (changes: object) => {
      const occupation = occupationOf(event(changes), "America/Sao_Paulo")
      return occupation !== undefined && isBusy(occupation)
    }
    assert.deepStrictEqual(
      [
        {},
        { showAs: "tentative" },
        { showAs: "oof" },
        { showAs: "free" },
        { showAs: "workingElsewhere" },
        { isCancelled: true },
        { isOrganizer: false, responseStatus: { response: "declined" } },
        { isOrganizer: false, responseStatus: { response: "notResponded" } }
      ].map(takesTime),
      [true, true, true, false, false, false, false, true]
    )
    const allDay = shownEvent(
      event({
        isAllDay: true,
        start: { dateTime: "2026-12-24T00:00:00.0000000", timeZone: "UTC" },
        end: { dateTime: "2026-12-25T00:00:00.0000000", timeZone: "UTC" }
      }),
      "primary",
      "America/Sao_Paulo"
    )
    assert.deepInclude<object>(allDay ?? {}, { start_utc: "2026-12-24T03:00:00Z", is_all_day: true })
    const invited = shownEvent(
      event({
        isOrganizer: false,
        responseStatus: { response: "tentativelyAccepted" },
        attendees: [
          {
            type: "required",
            status: { response: "accepted" },
            emailAddress: { address: "ana@acme.example", name: "Ana" }
          }
        ]
      }),
      "primary",
      "UTC"
    )
    assert.deepStrictEqual(
      invited?.attendees.map(({ email, is_self, response }) => [email, is_self, response]),
      [
        ["ana@acme.example", false, "accepted"],
        // Invited by a group: the owner is not on the list.
        [ownAddress, true, "tentative"]
      ]
    )
    assert.strictEqual(invited?.own_response, "tentative")
    assert.isTrue(shownEvent(event({ isOnlineMeeting: true }), "primary", "UTC")?.is_meeting_url_pending)
  })

  it("an instance in a list of changes has what its series says", () => {
    const series = graphEvent({ id: "AAk-s=", type: "seriesMaster", showAs: "free", subject: "Daily" })
    const { id, start, end } = graphEvent({ id: "AAk-i=" })
    const instance = { id, start, end, type: "occurrence", seriesMasterId: "AAk-s=" } satisfies GraphEvent
    assert.deepStrictEqual(
      withSeries([series, instance]).map(({ id: each, showAs, subject }) => [each, showAs, subject]),
      [["AAk-i=", "free", "Daily"]]
    )
  })

  it("times are written in UTC, and only an answer of the owner is one", () => {
    assert.deepStrictEqual(graphFields({ start: { dateTime: "2026-12-10T10:00:00-03:00", date: null } }), {
      start: { dateTime: "2026-12-10T13:00:00", timeZone: "UTC" }
    })
    const attendees = [{ email: ownAddress, self: true, responseStatus: "declined" }]
    assert.strictEqual(answerIn({ attendees }), "decline")
    assert.isUndefined(answerIn({ attendees, summary: "Other" }))
    assert.isUndefined(answerIn({ attendees: [{ email: ownAddress, responseStatus: "declined" }] }))
  })

  it.effect("a link for each provider; the account has the calendar that it connected last", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      yield* as(caller)(
        Effect.gen(function* () {
          const links = yield* tool("get_calendar_connection_url")
          assert.nestedPropertyVal(links, "providers[0].provider", "google")
          assert.nestedPropertyVal(links, "providers[1].provider", "microsoft")
          assert.include(JSON.stringify(links), "/connect/calendar_microsoft?")
          assert.strictEqual(yield* reasonOf("list_calendar_events", { date: "2027-01-15" }), "calendar_not_connected")
          yield* connect
          yield* connectMicrosoft
          const { accountId } = yield* Caller
          const connections = yield* Connections
          const states = Effect.map(connections.list("calendar"), (all) =>
            Object.fromEntries(all.map(({ service, state }) => [service, state]))
          )
          assert.deepStrictEqual(yield* states, { calendar: "disconnected", calendar_microsoft: "connected" })
          assert.deepInclude(yield* tool("get_calendar_status"), {
            connection_status: "connected",
            account_email: `owner${accountId}@office.example`
          })
          yield* connect
          assert.deepStrictEqual(yield* states, { calendar: "connected", calendar_microsoft: "disconnected" })
          yield* connectMicrosoft
          assert.deepInclude(yield* tool("disconnect_calendar", { user_has_confirmed: true }), { changed: true })
          assert.strictEqual(yield* reasonOf("list_calendar_events", { date: "2027-01-15" }), "calendar_not_connected")
        })
      )
    })
  )

  it.effect("events are made once, moved, answered and deleted, and the mirror follows their changes", () =>
    connected(
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const road = yield* CalendarRoad
        const start = inDays(3, 14)
        // The answer to the first request is lost: it made the event all the same.
        yield* road.plan(/^POST .*\/me\/events$/, timedOutAfter)
        const createdEvent = yield* tool("create_calendar_event", {
          summary: "Demo",
          start_utc: start,
          end_utc: inDays(3, 15),
          attendees: "ana@acme.example"
        })
        const id = idIn(createdEvent)
        assert.match(id, /^gate/)
        assert.lengthOf(yield* eventsThere, 1)
        assert.nestedPropertyVal(createdEvent, "attendees[0].email", "ana@acme.example")
        yield* sync
        assert.deepStrictEqual(yield* mirrored, [{ id, busy: true }])

        const date = start.slice(0, 10)
        assert.nestedPropertyVal(yield* tool("list_calendar_events", { date }), "events[0].event_id", id)
        assert.nestedPropertyVal(
          yield* tool("update_calendar_event", { event_id: id, summary: "Other", end_utc: inDays(3, 16) }),
          "event.summary",
          "Other"
        )
        // Another person invites the account, which may answer and nothing else.
        yield* act({
          act: "create",
          summary: "Board",
          start: inDays(4, 14),
          end: inDays(4, 15),
          attendees: [],
          organizer: "rui@rui.example"
        })
        yield* sync
        const invitation = (yield* mirrored).find((one) => one.id !== id)?.id ?? ""
        assert.match(invitation, /^AAk-/)
        assert.strictEqual(
          yield* reasonOf("update_calendar_event", { event_id: invitation, summary: "Mine" }),
          "not_organizer"
        )
        assert.nestedPropertyVal(
          yield* tool("respond_calendar_event", { event_id: invitation, accept: false }),
          "event.own_response",
          "declined"
        )
        yield* sync
        assert.deepInclude(yield* mirrored, { id: invitation, busy: false })

        assert.deepInclude(yield* tool("delete_calendar_event", { event_id: id }), { changed: true })
        yield* sync
        assert.deepStrictEqual(yield* mirrored, [{ id: invitation, busy: false }])
        // The list of changes is gone at the provider: everything is read.
        yield* act({ act: "forget_changes" })
        yield* sync
        assert.deepStrictEqual(yield* mirrored, [{ id: invitation, busy: false }])
        const sql = yield* SqlClient
        const [mirror] = yield* sql<{ readonly error: string | null; readonly watched: boolean }>`
          select last_error as error, channel_expires_at > instant() as watched from calendar_mirror
          where account_id = ${accountId}`
        assert.deepStrictEqual(mirror, { error: null, watched: true })
      })
    )
  )

  it.effect("what is refused, slow or revoked there is answered as for the other provider", () =>
    connected(
      Effect.gen(function* () {
        assert.strictEqual(
          yield* reasonOf("delete_calendar_event", { event_id: "AAk-none=" }),
          "calendar_event_not_found"
        )
        yield* act({ act: "slow_down", seconds: 30 })
        assert.strictEqual(yield* reasonOf("list_calendar_events", { date: "2027-01-15" }), "calendar_rate_limited")
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* sql`update sandbox_calendar set slow_until = null where account_id = ${accountId}`
        yield* act({ act: "revoke" })
        assert.strictEqual(yield* reasonOf("list_calendar_events", { date: "2027-01-15" }), "calendar_needs_reconnect")
        yield* connectMicrosoft
        yield* tool("list_calendar_events", { date: "2027-01-15" })
      })
    )
  )

  it("planted errors are faults of the judge", () => {
    const faultsIn = (body: object) =>
      judge.faultsOfRequest({ method: "POST", path: "/v1.0/me/events", headers: { authorization: "Bearer x" }, body })
    const time = { dateTime: "2026-12-10T13:00:00", timeZone: "UTC" }
    assertNoFaults(faultsIn({ start: time, end: time }))
    for (const planted of [
      { start: time },
      { start: { dateTime: "2026-12-10T13:00:00Z" }, end: time },
      { start: time, end: time, summary: "Demo" },
      { start: time, end: time, attendees: [{ email: "a@b.example" }] }
    ]) {
      assert.isNotEmpty(faultsIn(planted), JSON.stringify(planted))
    }
  })
})
