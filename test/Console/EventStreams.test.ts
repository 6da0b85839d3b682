import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { AccessTokens } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { AccountEvents } from "../../src/Services/Events/AccountEvents.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { newConsole, ownPage, signedIn } from "./browsing.ts"
import { openEvents } from "./eventStream.ts"

const route = "/platform/v1/events"

type Caller = Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>["caller"]

/** An answered request for support, or an import that ended: events without a lead. */
const happen = (caller: Caller, id: number, type: "support" | "import" = "support") =>
  Effect.gen(function* () {
    const events = yield* AccountEvents
    const { write } = yield* UnitOfWork
    const counts = { created_count: 0, duplicate_count: 0, invalid_count: 0 }
    yield* as(caller)(
      write(
        events.append(
          type === "support"
            ? { type: "support_request_answered", data: { support_request_id: id } }
            : { type: "import_finished", data: { lead_import_id: id, status: "finished", ...counts } }
        )
      )
    )
  })

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

const revoke = ({ caller, token }: { readonly caller: Caller; readonly token: string }) =>
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    const { tokenId } = yield* tokens.authenticate(token)
    yield* as(caller)(tokens.revoke(tokenId))
  })

layer(testGateway({ trustedProxies: () => true }), { excludeTestServices: true })("streams of events", (it) => {
  it.scoped("bring each event once, in order, for programs and for the console, and none of another account", () =>
    Effect.gen(function* () {
      const one = yield* newConsole
      const other = yield* newConsole
      yield* happen(one.caller, 1)
      const program = yield* openEvents(route, bearer(one.token))
      const page = yield* openEvents(`/console/api${route}`, { Cookie: one.console.Cookie, ...ownPage })
      const stranger = yield* openEvents(route, bearer(other.token))
      assert.strictEqual(program.headers.get("content-type"), "text/event-stream; charset=utf-8")
      yield* happen(one.caller, 2)
      yield* happen(one.caller, 3)
      yield* happen(other.caller, 4)
      const [second, third] = yield* program.take(2)
      assert.strictEqual(second?.event, "support_request_answered")
      assert.containSubset(second?.data, { type: "support_request_answered", data: { support_request_id: 2 } })
      assert.containSubset(third?.data, { data: { support_request_id: 3 } })
      assert.deepStrictEqual(yield* page.take(2), [second, third])
      assert.containSubset((yield* stranger.next)?.data, { data: { support_request_id: 4 } })
      const list = yield* send("/rest/v1/call/list_account_events?since_cursor=0", { token: one.token })
      const { events } = list.json as { readonly events: ReadonlyArray<unknown> }
      assert.deepStrictEqual(events.slice(1), [second?.data, third?.data])
    })
  )

  it.scoped("continue after a cursor, without a gap to what happens next", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      for (let id = 1; id <= 5; id++) yield* happen(caller, id)
      const all = yield* openEvents(`${route}?last_event_id=0`, bearer(token))
      const first = yield* all.take(5)
      const cursor = first[1]?.id ?? ""
      const again = yield* openEvents(route, { ...bearer(token), "Last-Event-ID": cursor })
      yield* happen(caller, 6)
      const rest = yield* again.take(4)
      assert.strictEqual(again.firstId(), cursor)
      assert.deepStrictEqual(
        rest.map((event) => event?.data["data"]),
        [3, 4, 5, 6].map((support_request_id) => ({ support_request_id }))
      )
      // The header, which browsers set, is later than the address that they connect to again.
      const reconnected = yield* openEvents(`${route}?last_event_id=0`, {
        ...bearer(token),
        "Last-Event-ID": rest[2]?.id ?? ""
      })
      assert.containSubset((yield* reconnected.next)?.data, { data: { support_request_id: 6 } })
    })
  )

  it.scoped("catch up with more than one page while more happens", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const events = yield* AccountEvents
      const { write } = yield* UnitOfWork
      const many = (from: number, count: number) =>
        as(caller)(
          write(
            events.appendMany(
              Array.from({ length: count }, (_, at) => ({
                type: "support_request_answered" as const,
                data: { support_request_id: from + at }
              }))
            )
          )
        )
      yield* many(1, 450)
      // Keeps the account's feed at its end while the other one catches up.
      const live = yield* openEvents(route, bearer(token))
      const behind = yield* openEvents(`${route}?last_event_id=0`, bearer(token))
      yield* Effect.all([many(451, 150), Effect.void], { concurrency: 2 })
      const received = yield* behind.take(600)
      assert.deepStrictEqual(
        received.map((event) => (event?.data["data"] as { support_request_id: number }).support_request_id),
        Array.from({ length: 600 }, (_, at) => at + 1)
      )
      assert.containSubset((yield* live.next)?.data, { data: { support_request_id: 451 } })
    })
  )

  it.scoped("have the types that were asked for", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      yield* happen(caller, 1)
      yield* happen(caller, 2, "import")
      const imports = yield* openEvents(`${route}?types=import_finished&last_event_id=0`, bearer(token))
      assert.containSubset((yield* imports.next)?.data, { data: { lead_import_id: 2 } })
      yield* happen(caller, 3)
      yield* happen(caller, 4, "import")
      assert.containSubset((yield* imports.next)?.data, { data: { lead_import_id: 4 } })
      for (const query of ["types=nothing", "last_event_id=x", "last_event_id=-1"]) {
        assert.strictEqual((yield* send(`${route}?${query}`, { token })).status, 400, query)
      }
    })
  )

  it.scoped("end within five seconds of their token or their session", () =>
    Effect.gen(function* () {
      const holder = yield* newConsole
      const streams = [
        yield* openEvents(route, bearer(holder.token)),
        yield* openEvents(`/console/api${route}`, { Cookie: holder.console.Cookie, ...ownPage })
      ]
      const leaving = yield* newConsole
      const signedOut = yield* openEvents(`/console/api${route}`, { Cookie: leaving.console.Cookie, ...ownPage })
      yield* revoke(holder)
      yield* send("/console/api/session", {
        method: "DELETE",
        headers: { Cookie: leaving.console.Cookie, ...ownPage, "X-Console": "1" }
      })
      for (const stream of [...streams, signedOut]) {
        const last = yield* stream.next
        assert.deepStrictEqual(last?.data, { reason: "token_ended" })
        assert.strictEqual(last?.event, "end")
        assert.isUndefined(yield* stream.next)
      }
      assert.strictEqual((yield* send(route, { token: holder.token })).status, 401)
    })
  )

  it.scoped("need a token or a session, and the scope of the feed", () =>
    Effect.gen(function* () {
      const { caller, console, token } = yield* newConsole
      assert.strictEqual((yield* send(route)).status, 401)
      assert.strictEqual((yield* send(route, { headers: { Cookie: console.Cookie, ...ownPage } })).status, 401)
      assert.strictEqual((yield* send(`/console/api${route}`, { token })).status, 401)
      const foreign = { Cookie: console.Cookie, "Sec-Fetch-Site": "cross-site" }
      assert.strictEqual((yield* send(`/console/api${route}`, { headers: foreign })).status, 403)
      assert.strictEqual((yield* send(route, { token, method: "POST" })).status, 405)
      const tokens = yield* AccessTokens
      const narrow = yield* as(caller)(
        tokens.generate({ label: "narrow", expiresAt: Option.none(), bounds: { scopes: ["read", "leads"] } })
      )
      assert.strictEqual((yield* send(route, { token: narrow.token })).status, 403)
      const narrowConsole = yield* signedIn(narrow.token)
      assert.strictEqual((yield* narrowConsole.get(route)).status, 403)
    })
  )

  it.scoped("are at most twenty of a token, and a stream that ends makes room", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const open = openEvents(route, bearer(token))
      const streams = yield* Effect.forEach(Array.from({ length: 19 }), () => open)
      assert.isTrue(streams.every(({ status }) => status === 200))
      yield* Effect.scoped(
        Effect.gen(function* () {
          assert.strictEqual((yield* open).status, 200)
          const refused = yield* send(route, { token })
          assert.strictEqual(refused.status, 429)
          assert.strictEqual(refused.headers.get("retry-after"), "5")
        })
      )
      const again = yield* Effect.repeat(open, { until: ({ status }) => status === 200, times: 50 })
      assert.strictEqual(again.status, 200)
    })
  )
})
