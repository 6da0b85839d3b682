import { assert, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { watchedHttp } from "../../src/Layers/Platform/Outbound/WatchedHttp.ts"
import { OutsideHealth, OutsideHealthLive } from "../../src/Services/Core/Outside/OutsideHealth.ts"
import { OutboundFailure, OutboundHttp } from "../../src/Services/Outbound/OutboundHttp.ts"

type Exchange = number | "timed_out" | "connection_failed"

/** The state of the connection after each exchange, a minute apart. */
const statesAfter = (exchanges: ReadonlyArray<Exchange>, keyHolder: "operator" | "account" = "operator") =>
  Effect.gen(function* () {
    let next: Exchange = 200
    const exchange = Effect.suspend(() =>
      typeof next === "number"
        ? Effect.succeed({ status: next, headers: {}, body: new Uint8Array() })
        : new OutboundFailure({ reason: next, mayHaveArrived: false })
    )
    const http = yield* Effect.provideService(
      watchedHttp("language_model", keyHolder),
      OutboundHttp,
      OutboundHttp.of({ request: () => exchange, stream: () => Effect.die("not asked for") })
    )
    const states: Array<unknown> = []
    for (const wanted of exchanges) {
      next = wanted
      yield* TestClock.adjust("1 minute")
      yield* Effect.exit(http.request({ method: "GET", url: "https://model.example" }))
      states.push((yield* (yield* OutsideHealth).states)["language_model"])
    }
    return states
  }).pipe(Effect.provide(OutsideHealthLive))

const minute = (count: number) => `1970-01-01T00:0${count}:00Z`

it.effect("a connection is down from its first failure to its next success, and says since when", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* statesAfter([200, "timed_out", 503, 200]), [
      { status: "up", since: minute(1), reason: null, last_success_at: minute(1) },
      { status: "down", since: minute(2), reason: "timed_out", last_success_at: minute(1) },
      { status: "down", since: minute(2), reason: "status_503", last_success_at: minute(1) },
      { status: "up", since: minute(4), reason: null, last_success_at: minute(4) }
    ])
  })
)

for (const status of [400, 404, 409, 422, 429] as const) {
  it.effect(`an answer that refuses the request (${status}) is an answer`, () =>
    Effect.gen(function* () {
      assert.deepInclude((yield* statesAfter(["connection_failed", status]))[1], { status: "up", reason: null })
    })
  )
}

for (const status of [401, 402, 403] as const) {
  it.effect(`a key that is not taken (${status}) is the connection's fault where the operator holds it`, () =>
    Effect.gen(function* () {
      const rejected = { status: "down", reason: "credentials_rejected" }
      assert.deepInclude((yield* statesAfter([status]))[0], rejected)
      assert.deepInclude((yield* statesAfter([status], "account"))[0], { status: "up" })
    })
  )
}
