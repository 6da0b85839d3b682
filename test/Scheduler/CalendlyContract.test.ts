import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { makeCalendly, SchedulerTransport, toToolError } from "../../src/Layers/Scheduler/CalendlyApi.ts"
import { RateLimits } from "../../src/Services/Outbound/RateLimits.ts"
import { html, json, type Reply, asContractor as run, VendorOverHttp } from "../support/providers/VendorOverHttp.ts"

const api = "https://api.scheduler.example"
const user = `${api}/users/AAAA`

const fault = (status: number, title: string) => json(status, { title, message: title, details: [] })

/** An event type as the vendor's reference shows it, with members that nobody here asks for. */
const eventType = (id: string) => ({
  uri: `${api}/event_types/${id}`,
  name: "15 Minute Meeting",
  active: true,
  booking_method: "instant",
  slug: "acmesales",
  scheduling_url: "https://scheduler.example/acmesales",
  duration: 15,
  duration_options: null,
  kind: "solo",
  pooling_type: null,
  color: "#fff200",
  internal_note: null,
  profile: { type: "User", name: "Tamara Jones", owner: user },
  custom_questions: [],
  deleted_at: null
})
const event = {
  uri: `${api}/scheduled_events/GBGB`,
  name: "15 Minute Meeting",
  meeting_notes_plain: null,
  status: "active",
  start_time: "2019-08-24T14:15:22.123456Z",
  end_time: "2019-08-24T14:30:22.123456Z",
  event_type: `${api}/event_types/GBGB`,
  location: { type: "physical", location: "string" },
  invitees_counter: { total: 1, active: 1, limit: 1 },
  event_memberships: [{ user, user_email: "user@example.com", user_name: "John Smith" }],
  event_guests: [],
  calendar_event: { kind: "google", external_id: "8suu9k3hj00mni03ss12ba0ce0" },
  created_at: "2019-01-02T03:04:05.678123Z",
  updated_at: "2019-08-07T06:05:04.321123Z"
}

/** The interface over replies that come one after another, and what was received, renewed and lost on the way. */
const over = (...replies: ReadonlyArray<Reply>) =>
  Effect.gen(function* () {
    const vendor = yield* VendorOverHttp
    const { connection, limits, request, seen, sent } = vendor.over(api, "scheduler", ...replies)
    const calendly = yield* makeCalendly(api).pipe(
      Effect.provide(
        Layer.merge(Layer.succeed(RateLimits, limits), Layer.succeed(SchedulerTransport, { mode: "live", request }))
      )
    )
    return { api: calendly.of(connection, true), calendly, sent, seen }
  })

layer(VendorOverHttp.layer, { excludeTestServices: true })("the scheduler's interface", (it) => {
  it.effect("reads what the vendor's reference shows, page after page, with the token and nothing else", () =>
    run(
      Effect.gen(function* () {
        const page = (id: string, next: string | null) =>
          json(200, { collection: [eventType(id)], pagination: { count: 1, next_page: null, next_page_token: next } })
        const { api: calls, sent } = yield* over(page("A", "sNjq4TvMDfUHEl7zHRR0k0E1PCEJWvdi"), page("B", null))
        assert.deepStrictEqual(
          (yield* calls.eventTypes(user)).map(({ uri }) => uri.at(-1)),
          ["A", "B"]
        )
        const [first, second] = sent.map(({ url }) => new URL(url).searchParams)
        assert.strictEqual(first?.get("user"), user)
        assert.strictEqual(first?.get("count"), "100")
        assert.strictEqual(second?.get("page_token"), "sNjq4TvMDfUHEl7zHRR0k0E1PCEJWvdi")
        assert.strictEqual(sent[0]?.headers["authorization"], "Bearer first")

        const one = yield* over(json(200, { resource: event }))
        assert.deepInclude(yield* one.api.event("a/../b c"), {
          calendar_event: { external_id: "8suu9k3hj00mni03ss12ba0ce0" }
        })
        assert.strictEqual(one.sent[0]?.url, `${api}/scheduled_events/a%2F..%2Fb%20c`)
      })
    )
  )

  it.effect("says by name what was refused, and what may be tried again", () =>
    run(
      Effect.gen(function* () {
        for (const [reply, kind, tool] of [
          [fault(400, "Invalid Argument"), "rejected", "scheduler_refused"],
          [fault(403, "Permission Denied"), "forbidden", "scheduler_forbidden"],
          [fault(404, "Resource Not Found"), "not_found", "scheduler_refused"],
          [fault(409, "Already Exists"), "conflict", "scheduler_refused"],
          [fault(500, "Internal Error"), "unavailable", "scheduler_unavailable"],
          [html, "unavailable", "scheduler_unavailable"],
          [json(200, { resource: { uri: 7 } }), "unavailable", "scheduler_unavailable"],
          [json(200, { resource: { ...event, name: "x".repeat(30_000) } }), "unavailable", "scheduler_unavailable"],
          [fault(410, "Gone"), "not_found", "scheduler_refused"],
          [fault(412, "Precondition Failed"), "rejected", "scheduler_refused"],
          [fault(503, "Service Unavailable"), "unavailable", "scheduler_unavailable"],
          [{ halfOf: json(200, { resource: event }) }, "unavailable", "scheduler_unavailable"],
          ["breaks", "unavailable", "scheduler_unavailable"],
          ["silent", "unavailable", "scheduler_unavailable"],
          ["unreachable", "unavailable", "scheduler_unavailable"],
          ["silent_before", "unavailable", "scheduler_unavailable"]
        ] as const) {
          const { api: calls } = yield* over(reply)
          const failure = yield* Effect.flip(calls.event("GBGB"))
          assert.deepInclude(failure, { _tag: "ProviderFailure", kind })
          if (failure._tag === "ProviderFailure") assert.strictEqual(toToolError(failure).reason, tool)
        }
      })
    )
  )

  it.effect("heeds what the limits' headers say, with and without a time", () =>
    run(
      Effect.gen(function* () {
        for (const [headers, seconds] of [
          [{ "x-ratelimit-limit": "50", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "42" }, 42],
          [{ "retry-after": "7" }, 7],
          [{}, 30],
          [{ "x-ratelimit-reset": "never" }, 30]
        ] as const) {
          const { api: calls, seen } = yield* over(json(429, { title: "Too Many Requests" }, headers))
          assert.deepInclude(yield* Effect.flip(calls.event("GBGB")), {
            kind: "rate_limited",
            retryAfterSeconds: seconds
          })
          assert.deepStrictEqual(seen, [`minute {"emptyForSeconds":${seconds}}`])
        }
        const few = yield* over(json(200, { resource: event }, { "x-ratelimit-remaining": "3" }))
        yield* few.api.event("GBGB")
        assert.deepStrictEqual(few.seen, [`minute {"left":3}`])
      })
    )
  )

  it.effect("asks for another token once where one is refused, and gives up where that one is too", () =>
    run(
      Effect.gen(function* () {
        const renewed = yield* over(fault(401, "Unauthenticated"), json(200, { resource: event }))
        yield* renewed.api.event("GBGB")
        assert.deepStrictEqual(
          renewed.sent.map(({ headers }) => headers["authorization"]),
          ["Bearer first", "Bearer second"]
        )
        const ended = yield* over(fault(401, "Unauthenticated"))
        assert.deepInclude(yield* Effect.flip(ended.api.event("GBGB")), { reason: "scheduler_needs_reconnect" })
        assert.lengthOf(ended.sent, 2)
        assert.deepStrictEqual(ended.seen, ["rejected", "lost: unauthorized"])
      })
    )
  )

  it.effect("ends a list that does not", () =>
    run(
      Effect.gen(function* () {
        const again = json(200, { collection: [], pagination: { next_page_token: "same" } })
        const { api: calls, sent } = yield* over(again)
        assert.deepInclude(yield* Effect.flip(calls.eventTypes(user)), { kind: "unavailable", code: "list_endless" })
        assert.isBelow(sent.length, 4)
      })
    )
  )

  it.effect("deletes what is deleted already, and repeats no writing by itself", () =>
    run(
      Effect.gen(function* () {
        const gone = yield* over(fault(404, "Resource Not Found"))
        yield* gone.calendly.unsubscribe(Redacted.make("t"), "/webhook_subscriptions/x")
        for (const behind of ["breaks", "silent", { halfOf: json(200, { resource: event }) }] as const) {
          const lost = yield* over(behind)
          yield* Effect.flip(lost.api.schedulingLink(`${api}/event_types/A`))
          yield* Effect.flip(lost.api.cancel("GBGB", "No time"))
          assert.lengthOf(lost.sent, 2)
        }
      })
    )
  )
})
