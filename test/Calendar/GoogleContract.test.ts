import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { toolErrorOf } from "../../src/Layers/Calendar/CalendarRefusals.ts"
import { CalendarSettings } from "../../src/Layers/Calendar/CalendarSettings.ts"
import { CalendarTransport } from "../../src/Layers/Calendar/CalendarTransport.ts"
import { makeGoogleCalendar } from "../../src/Layers/Calendar/Google/GoogleCalendar.ts"
import { meetingUrlOf, periodOf, readEvents, shownEvent } from "../../src/Layers/Calendar/Google/GoogleEvent.ts"
import { RateLimits } from "../../src/Services/Outbound/RateLimits.ts"
import {
  html,
  json,
  type Reply,
  receivedJson,
  asContractor as run,
  VendorOverHttp
} from "../support/providers/VendorOverHttp.ts"

const origin = "https://calendar.example"
const api = `${origin}/calendar/v3`

/** An error as the vendor's guide to errors shows it. */
const fault = (code: number, reason: string, domain = "global", headers: { readonly [name: string]: string } = {}) =>
  json(
    code,
    { error: { errors: [{ domain, reason, message: "Said by the vendor" }], code, message: "Said by the vendor" } },
    headers
  )

/** An event with the members of the vendor's reference, also those that nobody here asks for. */
const event = {
  kind: "calendar#event",
  etag: '"3396284100000000"',
  id: "gate0123456789abcdefghijklmnop",
  status: "confirmed",
  htmlLink: "https://www.google.com/calendar/event?eid=Z2F0ZTAx",
  created: "2026-11-20T12:00:00.000Z",
  updated: "2026-11-20T12:00:01.123Z",
  summary: "Demo",
  creator: { email: "helena@ondas.example", self: true },
  organizer: { email: "helena@ondas.example", self: true },
  start: { dateTime: "2026-12-10T10:00:00-03:00", timeZone: "America/Sao_Paulo" },
  end: { dateTime: "2026-12-10T10:30:00-03:00", timeZone: "America/Sao_Paulo" },
  iCalUID: "gate0123456789abcdefghijklmnop@google.com",
  sequence: 0,
  attendees: [
    { email: "helena@ondas.example", organizer: true, self: true, responseStatus: "accepted" },
    { email: "ana@acme.example", displayName: "Ana", responseStatus: "needsAction", optional: false }
  ],
  guestsCanInviteOthers: false,
  hangoutLink: "https://meet.google.com/aaa-bbbb-ccc",
  conferenceData: {
    createRequest: {
      requestId: "gate0123456789abcdefghijklmnop",
      conferenceSolutionKey: { type: "hangoutsMeet" },
      status: { statusCode: "success" }
    },
    entryPoints: [{ entryPointType: "video", uri: "https://meet.google.com/aaa-bbbb-ccc", label: "meet" }],
    conferenceSolution: { key: { type: "hangoutsMeet" }, name: "Google Meet", iconUri: "https://icons.example/meet" },
    conferenceId: "aaa-bbbb-ccc"
  },
  reminders: { useDefault: true },
  eventType: "default"
}

/** The interface over replies that come one after another, and what was received, renewed and lost on the way. */
const over = (...replies: ReadonlyArray<Reply>) =>
  Effect.gen(function* () {
    const vendor = yield* VendorOverHttp
    const { connection, limits, request, seen, sent } = vendor.over(origin, "calendar", ...replies)
    const google = yield* makeGoogleCalendar.pipe(
      Effect.provide(
        Layer.mergeAll(
          Layer.succeed(RateLimits, limits),
          Layer.succeed(CalendarTransport, { mode: "live", request }),
          Layer.succeed(CalendarSettings, {
            mode: "live",
            isGoogleOffered: true,
            microsoft: {
              isOffered: false,
              client: { id: "client", secret: Redacted.make("secret") },
              apiUrl: "https://graph.example/v1.0",
              loginUrl: "https://login.example"
            },
            client: { id: "client", secret: Redacted.make("secret") },
            apiUrl: api,
            authorizeUrl: api,
            tokenUrl: api,
            revokeUrl: api
          })
        )
      )
    )
    return { calendar: google(connection, true), sent, seen }
  })

layer(VendorOverHttp.layer, { excludeTestServices: true })("the calendar's interface", (it) => {
  it.effect("reads and writes what the vendor's reference shows, with the token and nothing else", () =>
    run(
      Effect.gen(function* () {
        const { calendar, sent } = yield* over(json(200, event))
        const made = yield* calendar.insert("primary", { id: event.id, summary: "Demo" }, "all")
        assert.strictEqual(meetingUrlOf(made), "https://meet.google.com/aaa-bbbb-ccc")
        yield* calendar.get("team@group.calendar.example", "a/../b")
        yield* calendar.patch("primary", event.id, { summary: "Other" }, { etag: event.etag, sendUpdates: "all" })
        const [insert, get, patch] = sent
        assert.strictEqual(insert?.method, "POST")
        assert.strictEqual(insert?.url, `${api}/calendars/primary/events?sendUpdates=all&conferenceDataVersion=1`)
        assert.deepStrictEqual(receivedJson(insert), { id: event.id, summary: "Demo" })
        assert.strictEqual(insert?.headers["authorization"], "Bearer first")
        assert.strictEqual(get?.url, `${api}/calendars/team%40group.calendar.example/events/a%2F..%2Fb`)
        assert.strictEqual(patch?.headers["if-match"], event.etag)
        assert.deepInclude<object>(shownEvent(made, "primary", "UTC") ?? {}, {
          start_utc: "2026-12-10T13:00:00Z",
          end_utc: "2026-12-10T13:30:00Z",
          own_response: "accepted",
          is_meeting_url_pending: false
        })

        const gone = yield* over({ status: 204, headers: {}, body: Buffer.alloc(0) })
        yield* gone.calendar.remove("primary", event.id, "all")
        assert.strictEqual(gone.sent[0]?.url, `${api}/calendars/primary/events/${event.id}?sendUpdates=all`)
      })
    )
  )

  it.effect("a list has pages and a token for what changes; one strange event hides none of the others", () =>
    run(
      Effect.gen(function* () {
        const list = {
          kind: "calendar#events",
          etag: '"p32g9nb5bt6fva0g"',
          summary: "helena@ondas.example",
          updated: "2026-11-20T12:00:00.000Z",
          timeZone: "America/Sao_Paulo",
          accessRole: "owner",
          defaultReminders: [{ method: "popup", minutes: 10 }]
        }
        const { calendar, sent } = yield* over(
          json(200, { ...list, items: [event], nextPageToken: "EiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA" }),
          json(200, {
            ...list,
            // What was deleted has hardly more than its id; an all-day event has days; and some are of no known shape.
            items: [
              { kind: "calendar#event", id: "gone1", status: "cancelled" },
              { id: "day1", status: "confirmed", start: { date: "2026-12-24" }, end: { date: "2026-12-26" } },
              { id: 7 },
              "nonsense",
              {
                id: "far1",
                start: { dateTime: "+275760-01-01T00:00:00Z" },
                end: { dateTime: "+275760-01-01T01:00:00Z" }
              }
            ],
            nextSyncToken: "CPDAlvWDx70CEPDAlvWDx70CGAU="
          })
        )
        const first = yield* calendar.page("primary", { singleEvents: true, maxResults: 500 })
        const second = yield* calendar.page("primary", { singleEvents: true, pageToken: first.nextPageToken })
        assert.deepStrictEqual(
          sent.map(({ url }) => [...new URL(url).searchParams]),
          [
            [
              ["singleEvents", "true"],
              ["maxResults", "500"]
            ],
            [
              ["singleEvents", "true"],
              ["pageToken", "EiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA"]
            ]
          ]
        )
        assert.strictEqual(second.nextSyncToken, "CPDAlvWDx70CEPDAlvWDx70CGAU=")
        const events = readEvents(second.items)
        assert.deepStrictEqual(
          events.map((one) => ({ id: one.id, at: periodOf(one, "America/Sao_Paulo") })),
          [
            { id: "gone1", at: undefined },
            { id: "day1", at: { from: Date.parse("2026-12-24T03:00:00Z"), to: Date.parse("2026-12-26T03:00:00Z") } },
            { id: "far1", at: undefined }
          ]
        )
      })
    )
  )

  it.effect("a channel ends when the answer says so, and free and busy times come as they are summed up there", () =>
    run(
      Effect.gen(function* () {
        const channel = {
          kind: "api#channel",
          id: "pgw-1-0123456789abcdef",
          resourceId: "o3hgv1538sdjfh",
          resourceUri: `${api}/calendars/primary/events?alt=json`,
          token: "token",
          expiration: "604700000"
        }
        const { calendar, sent } = yield* over(json(200, channel))
        const wanted = {
          id: channel.id,
          address: "https://gateway.example/calendar/notices",
          token: "token",
          seconds: 604_800
        }
        assert.deepStrictEqual(yield* calendar.watch("primary", wanted), {
          resourceId: "o3hgv1538sdjfh",
          expiresAt: 604_700_000
        })
        assert.strictEqual(sent[0]?.url, `${api}/calendars/primary/events/watch`)
        assert.deepInclude(receivedJson(sent[0]), { type: "web_hook", params: { ttl: "604800" } })
        // What the vendor takes as a channel's name and token.
        assert.match(channel.id, /^[A-Za-z0-9\-_+/=]{1,64}$/)

        const stopped = yield* over({ status: 204, headers: {}, body: Buffer.alloc(0) })
        yield* stopped.calendar.stop({ id: channel.id, resourceId: channel.resourceId })
        assert.strictEqual(stopped.sent[0]?.url, `${api}/channels/stop`)

        const [from, to] = ["2026-12-10T13:00:00Z", "2026-12-10T14:00:00Z"]
        const busy = yield* over(
          json(200, {
            kind: "calendar#freeBusy",
            timeMin: from,
            timeMax: to,
            calendars: { primary: { busy: [{ start: "2026-12-10T10:15:00-03:00", end: to }] } }
          })
        )
        assert.deepStrictEqual(yield* busy.calendar.busy("primary", from, to), [
          { from: Date.parse("2026-12-10T13:15:00Z"), to: Date.parse(to) }
        ])
        // A failure within a success.
        const hidden = yield* over(
          json(200, { calendars: { primary: { errors: [{ domain: "global", reason: "notFound" }], busy: [] } } })
        )
        assert.propertyVal(yield* Effect.flip(hidden.calendar.busy("primary", from, to)), "reason", "unavailable")
      })
    )
  )

  it.effect(
    "says by name what was refused, what may be tried again, and of what nobody knows whether it was done",
    () =>
      run(
        Effect.gen(function* () {
          for (const [reply, ofRead, ofChange] of [
            [fault(400, "timeRangeEmpty", "calendar"), "refused_by_calendar", "refused_by_calendar"],
            [fault(403, "forbiddenForNonOrganizer", "calendar"), "not_organizer", "not_organizer"],
            [fault(403, "requiredAccessLevel", "calendar"), "refused_by_calendar", "read_only"],
            [fault(403, "accessNotConfigured", "usageLimits"), "refused_by_calendar", "refused_by_calendar"],
            [fault(403, "userRateLimitExceeded", "usageLimits"), "rate_limited", "rate_limited"],
            [fault(403, "rateLimitExceeded", "usageLimits"), "rate_limited", "rate_limited"],
            [fault(403, "quotaExceeded", "usageLimits"), "rate_limited", "rate_limited"],
            [fault(404, "notFound"), "not_found", "not_found"],
            [fault(409, "duplicate"), "exists", "exists"],
            [fault(410, "deleted", "calendar"), "gone", "gone"],
            [fault(410, "fullSyncRequired", "calendar"), "gone", "gone"],
            [fault(412, "conditionNotMet"), "changed_meanwhile", "changed_meanwhile"],
            [fault(429, "rateLimitExceeded", "usageLimits"), "rate_limited", "rate_limited"],
            [fault(500, "backendError"), "unavailable", "unknown"],
            [fault(503, "backendError"), "unavailable", "unavailable"],
            [html, "unavailable", "unknown"],
            [json(200, { ...event, id: 7 }), "unavailable", "unknown"],
            [{ halfOf: json(200, event) }, "unavailable", "unknown"],
            ["breaks", "unavailable", "unknown"],
            ["silent", "unavailable", "unknown"],
            ["unreachable", "unavailable", "unavailable"],
            ["silent_before", "unavailable", "unavailable"]
          ] as const) {
            const { calendar } = yield* over(reply)
            const read = yield* Effect.flip(calendar.get("primary", event.id))
            const change = yield* Effect.flip(
              calendar.patch("primary", event.id, { summary: "x" }, { etag: undefined, sendUpdates: "all" })
            )
            const shown = JSON.stringify(reply).slice(0, 200)
            assert.deepInclude(read, { _tag: "CalendarFailure", reason: ofRead }, shown)
            assert.deepInclude(change, { _tag: "CalendarFailure", reason: ofChange }, shown)
            // Nothing that the vendor wrote reaches a caller.
            for (const failure of [read, change]) {
              if (failure._tag !== "CalendarFailure") continue
              assert.notInclude(JSON.stringify(toolErrorOf(failure, { calendarId: "primary" })), "Said by the vendor")
            }
          }
        })
      )
  )

  it.effect("rests for as long as it is told, and as long as it thinks fit where it is not", () =>
    run(
      Effect.gen(function* () {
        for (const [headers, seconds] of [
          [{ "retry-after": "7" }, 7],
          [{}, 20]
        ] as const) {
          const { calendar, seen } = yield* over(fault(429, "rateLimitExceeded", "usageLimits", headers))
          assert.propertyVal(yield* Effect.flip(calendar.get("primary", event.id)), "reason", "rate_limited")
          assert.deepStrictEqual(seen, [`user {"emptyForSeconds":${seconds}}`])
        }
      })
    )
  )

  it.effect("asks for another token once where one is refused, and gives up where that one is too", () =>
    run(
      Effect.gen(function* () {
        const renewed = yield* over(fault(401, "authError"), json(200, event))
        yield* renewed.calendar.get("primary", event.id)
        assert.deepStrictEqual(
          renewed.sent.map(({ headers }) => headers["authorization"]),
          ["Bearer first", "Bearer second"]
        )
        const ended = yield* over(fault(401, "authError"))
        assert.deepInclude(yield* Effect.flip(ended.calendar.get("primary", event.id)), {
          reason: "calendar_needs_reconnect"
        })
        assert.lengthOf(ended.sent, 2)
        assert.deepStrictEqual(ended.seen, ["rejected", "lost: unauthorized"])
      })
    )
  )
})
