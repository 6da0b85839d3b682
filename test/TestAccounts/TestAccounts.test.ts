import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { TestAccounts, TestAccountView } from "../../src/Services/TestAccounts/TestAccounts.ts"
import { TestClockView } from "../../src/Services/TestAccounts/TestClock.ts"
import { type HttpAnswer, makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { testAccountTemplate } from "../support/TestDatabase.ts"
import { call, platform, post } from "./calls.ts"

const Shown = Schema.Struct({ ...TestAccountView.fields, token: Schema.String })
const decodeShown = Schema.decodeUnknown(Shown, { onExcessProperty: "error" })
const decodeClock = Schema.decodeUnknown(TestClockView, { onExcessProperty: "error" })
const decodeListed = Schema.decodeUnknown(Schema.Struct({ test_accounts: Schema.Array(TestAccountView) }))
const decodeTotal = Schema.decodeUnknown(Schema.Struct({ total: Schema.Int }))
const decodeModes = Schema.decodeUnknown(
  Schema.Struct({ outside_services: Schema.Record({ key: Schema.String, value: Schema.String }) })
)

const make = (token: string, args: object = {}) =>
  Effect.flatMap(call(token, "create_test_account", { name: "Integration", ...args }, platform), decodeShown)
const list = (token: string) => Effect.flatMap(call(token, "list_test_accounts", {}, platform), decodeListed)
const leadCount = (token: string) =>
  Effect.map(Effect.flatMap(call(token, "search_leads"), decodeTotal), ({ total }) => total)
const onPlatform = (token: string, tool: string, args: object = {}, headers = {}) =>
  post(token, tool, args, { prefix: platform, headers })

const assertFailed = ({ json, status, text }: HttpAnswer, expected: number, fields: object) => {
  assert.strictEqual(status, expected, text)
  assert.deepInclude(json, fields)
}

const TestLayer = Layer.provideMerge(testAccountTemplate, testGateway())

layer(TestLayer, { excludeTestServices: true, timeout: "5 minutes" })("a test account", (it) => {
  it.effect("has a token, data and simulated services of its own", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const account = yield* make(token, { starts_at: "2026-11-30T12:00:00Z" })
      assert.match(account.token, /^pgt_[0-9a-z]{10}[0-9A-Za-z]{30}$/)
      const { outside_services } = yield* Effect.flatMap(call(account.token, "whoami"), decodeModes)
      // The browser draws pages of this machine.
      const { browser: _, ...others } = outside_services
      assert.deepStrictEqual(new Set(Object.values(others)), new Set(["sandbox"]))

      yield* call(account.token, "register_lead", { name: "Ana Souza", email: "ana@client.example" })
      assert.deepStrictEqual([yield* leadCount(account.token), yield* leadCount(token)], [1, 0])
      const other = yield* make(token, { name: "Other" })
      assert.strictEqual(yield* leadCount(other.token), 0)
      assert.deepStrictEqual(
        (yield* list(token)).test_accounts.map(({ name }) => name),
        ["Integration", "Other"]
      )
      // Tokens that it makes are its own too.
      const second = yield* Effect.flatMap(
        call(account.token, "create_token", { label: "Second" }, platform),
        Schema.decodeUnknown(Schema.Struct({ token: Schema.String }))
      )
      assert.isTrue(second.token.startsWith(account.token.slice(0, 14)))
      assert.strictEqual(yield* leadCount(second.token), 1)
    })
  )

  it.effect("is left out of the figures of live accounts", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const account = yield* make(token)
      const calls = Effect.map(send("/metrics"), ({ text }) =>
        Number(/gateway_tool_calls_total\{tool="list_campaigns",outcome="Success"\} (\d+)/.exec(text)?.[1] ?? 0)
      )
      const before = yield* calls
      yield* call(account.token, "list_campaigns")
      assert.strictEqual(yield* calls, before)
      yield* call(token, "list_campaigns")
      assert.strictEqual(yield* calls, before + 1)
    })
  )

  it.effect("has a clock that stands still and is advanced", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const account = yield* make(token, { starts_at: "2026-11-30T12:00:00Z" })
      const clock = yield* Effect.flatMap(call(account.token, "get_test_clock", {}, platform), decodeClock)
      assert.deepStrictEqual<unknown>(
        [clock.now, clock.status, clock.advances_to],
        ["2026-11-30T12:00:00Z", "ready", null]
      )
      const by = yield* Effect.flatMap(
        call(account.token, "advance_test_clock", { by: "90 minutes" }, platform),
        decodeClock
      )
      assert.strictEqual(by.now, "2026-11-30T13:30:00Z")
      // A token of the live account names it.
      const args = { test_account_id: account.test_account_id }
      const to = yield* Effect.flatMap(
        call(token, "advance_test_clock", { ...args, to: "2026-11-30T15:00:00Z" }, platform),
        decodeClock
      )
      assert.strictEqual(to.now, "2026-11-30T15:00:00Z")
      assert.deepStrictEqual(yield* Effect.flatMap(call(token, "get_test_clock", args, platform), decodeClock), to)

      const refusals: ReadonlyArray<readonly [object, string]> = [
        [{}, "advance_target_missing"],
        [{ by: "1 day", to: "2026-12-02" }, "advance_target_missing"],
        [{ by: "soon" }, "duration_invalid"],
        [{ to: "2026-11-30T14:59:59Z" }, "test_clock_goes_forward"],
        [{ by: "93 days" }, "advance_too_far"]
      ]
      for (const [wrong, reason] of refusals) {
        assertFailed(yield* onPlatform(account.token, "advance_test_clock", wrong), 422, { reason })
      }
      const answer = yield* onPlatform(account.token, "advance_test_clock", { test_account_id: 99, by: "1 day" })
      assertFailed(answer, 404, { reason: "test_account_not_found" })
    })
  )

  it.effect("is never reached by a token of another account, nor the live account by its token", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* makeTokenHolder(), yield* makeTokenHolder()]
      const [mine, yours] = [yield* make(first.token), yield* make(second.token)]
      const args = { test_account_id: yours.test_account_id }
      for (const [tool, more] of [
        ["get_test_clock", {}],
        ["advance_test_clock", { by: "1 day" }],
        ["play_prospect", { lead_id: 1, channel: "email", text: "Sim" }],
        ["reset_test_account", {}],
        ["delete_test_account", {}]
      ] as const) {
        const answer = yield* onPlatform(first.token, tool, { ...args, ...more })
        assertFailed(answer, 404, { reason: "test_account_not_found" })
      }
      // A live account has no clock.
      for (const [tool, more] of [
        ["get_test_clock", {}],
        ["advance_test_clock", { by: "1 day" }],
        ["play_prospect", { lead_id: 1, channel: "email", text: "Sim" }]
      ] as const) {
        assertFailed(yield* onPlatform(first.token, tool, more), 422, { reason: "live_account_has_no_clock" })
      }
      // Nothing of a token but the right one opens an account: not its key with other characters, nor a live one.
      const forged = `${yours.token.slice(0, 14)}${mine.token.slice(14)}`
      const paths = ["/rest/v1/call/whoami", "/api/v1/call/whoami", "/platform/v1/call/list_tokens"]
      for (const path of paths) {
        assert.strictEqual((yield* send(path, { token: forged })).status, 401)
        for (const token of [first.token, mine.token]) {
          const answer = yield* send(`/test/${yours.token.slice(4, 14)}${path}`, { token })
          assert.strictEqual(answer.status, 401, answer.text)
        }
        assert.strictEqual((yield* send(`/test/${mine.token.slice(4, 14)}${path}`, { token: mine.token })).status, 200)
      }
      assert.strictEqual((yield* send("/test/0000000000/health/live")).status, 404)
      assert.strictEqual((yield* send("/test/..%2f/SKILL.md")).status, 404)
      assert.strictEqual((yield* send("/rest/v1/call/whoami", { token: "pgt_" })).status, 401)
      // A test account manages no test accounts.
      assertFailed(yield* onPlatform(mine.token, "create_test_account", { name: "Deeper" }), 422, {
        reason: "inside_test_account"
      })
      assert.deepStrictEqual((yield* list(mine.token)).test_accounts, [])
    })
  )

  it.effect("is one of five at most", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const accounts = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => make(token, { name: `Number ${n}` }))
      assertFailed(yield* onPlatform(token, "create_test_account", { name: "Sixth" }), 422, {
        reason: "too_many_test_accounts",
        maximum: 5
      })
      yield* call(token, "delete_test_account", { test_account_id: accounts[0]?.test_account_id }, platform)
      yield* make(token, { name: "Sixth" })
      assertFailed(yield* onPlatform(token, "create_test_account", { name: "x", starts_at: "2030-01-01" }), 422, {
        reason: "starts_at_out_of_range"
      })
      assertFailed(yield* onPlatform(token, "create_test_account", { name: "x", country: "br" }), 422, {
        reason: "country_invalid"
      })
    })
  )

  it.effect("is empty after a reset, and its tokens have ended", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const before = yield* make(token, { starts_at: "2026-11-30T12:00:00Z" })
      yield* call(before.token, "register_lead", { name: "Ana Souza", email: "ana@client.example" })
      yield* call(before.token, "advance_test_clock", { by: "1 hour" }, platform)
      const args = { test_account_id: before.test_account_id }
      const after = yield* Effect.flatMap(call(token, "reset_test_account", args, platform), decodeShown)
      assert.deepStrictEqual([after.test_account_id, after.base_url], [before.test_account_id, before.base_url])
      assert.strictEqual((yield* send("/rest/v1/call/whoami", { token: before.token })).status, 401)
      assert.strictEqual(yield* leadCount(after.token), 0)
      const clock = yield* Effect.flatMap(call(after.token, "get_test_clock", {}, platform), decodeClock)
      assert.strictEqual(clock.now, "2026-11-30T12:00:00Z")
    })
  )

  it.effect("leaves nothing when it is deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { sweep } = yield* TestAccounts
      const { token } = yield* makeTokenHolder()
      const account = yield* make(token)
      yield* call(account.token, "whoami")
      const key = account.token.slice(4, 14)
      const databases = sql`select from pg_database where datname like ${`%\\_test\\_${key}\\_%`}`
      assert.lengthOf(yield* databases, 1)
      yield* call(token, "delete_test_account", { test_account_id: account.test_account_id }, platform)
      assert.strictEqual((yield* send("/rest/v1/call/whoami", { token: account.token })).status, 401)
      yield* sweep
      assert.lengthOf(yield* databases, 0)
      const again = yield* onPlatform(token, "delete_test_account", { test_account_id: account.test_account_id })
      assertFailed(again, 404, { reason: "test_account_not_found" })
    })
  )

  it.effect("is gone after thirty days without a call", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { sweep } = yield* TestAccounts
      const { token } = yield* makeTokenHolder()
      const [called, forgotten] = [yield* make(token), yield* make(token)]
      yield* sql`update test_account set created_at = created_at - interval '30 days 1 minute'
        where test_account_id = any (${[called.test_account_id, forgotten.test_account_id]}::bigint[])`
      yield* call(called.token, "whoami")
      yield* sweep
      const left = (yield* list(token)).test_accounts
      assert.deepStrictEqual(
        left.map(({ test_account_id }) => test_account_id),
        [called.test_account_id]
      )
      assert.isNotNull(left[0]?.last_called_at)
      assert.strictEqual((yield* send("/rest/v1/call/whoami", { token: forgotten.token })).status, 401)
    })
  )

  it.effect("is made and changed under the headers of all writes", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const dry = { "Dry-Run": "true" }
      assert.strictEqual((yield* onPlatform(token, "create_test_account", { name: "Tried" }, dry)).status, 200)
      assert.deepStrictEqual((yield* list(token)).test_accounts, [])
      const key = { "Idempotency-Key": "one" }
      const [once, twice] = [
        yield* onPlatform(token, "create_test_account", { name: "Kept" }, key),
        yield* onPlatform(token, "create_test_account", { name: "Kept" }, key)
      ]
      assert.deepStrictEqual([twice.text, twice.headers.get("idempotency-replayed")], [once.text, "true"])
      const account = yield* decodeShown(once.json)
      for (const caller of [token, account.token]) {
        const args = caller === token ? { test_account_id: account.test_account_id } : {}
        for (const [tool, more] of [
          ["advance_test_clock", { by: "1 day" }],
          ["play_prospect", { lead_id: 1, channel: "email", text: "Sim" }]
        ] as const) {
          assertFailed(yield* onPlatform(caller, tool, { ...args, ...more }, dry), 422, { type: "DryRunUnsupported" })
        }
      }
      // An advance with a key moves the clock once.
      const advance = () =>
        onPlatform(account.token, "advance_test_clock", { by: "1 hour" }, { "Idempotency-Key": "two" })
      const [first, second] = [yield* advance(), yield* advance()]
      assert.strictEqual(second.text, first.text)
      const clock = yield* Effect.flatMap(call(account.token, "get_test_clock", {}, platform), decodeClock)
      assert.strictEqual(Date.parse(clock.now) - Date.parse(account.starts_at), 3_600_000)
    })
  )

  it.effect("needs the scopes of its tools", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const account = yield* make(token)
      const Token = Schema.Struct({ token: Schema.String })
      const limited = (owner: string, scopes: string) =>
        Effect.map(
          Effect.flatMap(call(owner, "create_token", { scopes }, platform), Schema.decodeUnknown(Token)),
          ({ token: narrower }) => narrower
        )
      for (const owner of [token, account.token]) {
        const reader = yield* limited(owner, "read")
        const args = owner === token ? { test_account_id: account.test_account_id } : {}
        assert.strictEqual((yield* onPlatform(reader, "get_test_clock", args)).status, 200)
        for (const tool of ["advance_test_clock", "create_test_account", "play_prospect", "reset_test_account"]) {
          assertFailed(yield* onPlatform(reader, tool, args), 403, { type: "ScopeRequired" })
        }
      }
    })
  )

  it.effect("gives up the place that a stream of events holds when a call to another one needs it", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const accounts = yield* Effect.forEach(["One", "Two", "Three"], (name) => make(token, { name }))
      const [one, two, three] = accounts.map((account) => account.token)
      const { host, port } = yield* ServerAddress
      const follow = (holder: string | undefined) =>
        Effect.promise(() =>
          fetch(`http://${host}:${port}/platform/v1/events`, { headers: { Authorization: `Bearer ${holder}` } })
        )
      const [first, second] = [yield* follow(one), yield* follow(two)]
      assert.deepStrictEqual([first.status, second.status], [200, 200])
      // A stream takes no place from another.
      const refused = yield* follow(three)
      assert.strictEqual(refused.status, 503)
      assert.isNotNull(refused.headers.get("retry-after"))
      yield* call(three ?? "", "whoami")
      const ended = yield* Effect.promise(() => first.text())
      assert.match(ended, /event: end\nretry: 30000\ndata: \{"reason":"place_needed"\}\n\n$/)
      yield* call(two ?? "", "whoami")
      yield* Effect.promise(async () => second.body?.cancel())
    })
  )

  it.effect("answers at its own address, and to agents", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const account = yield* make(token)
      const path = new URL(account.base_url).pathname
      const guide = yield* send(`${path}/SKILL.md`)
      assert.include(guide.text, account.base_url)
      const listed = yield* send("/mcp", {
        method: "POST",
        token: account.token,
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: {
            protocolVersion: "2025-06-18",
            capabilities: {},
            clientInfo: { name: "test", version: "1" }
          }
        })
      })
      assert.strictEqual(listed.status, 200, listed.text)
      // Nothing outside its address leads to it.
      assert.notInclude((yield* send("/SKILL.md")).text, account.base_url)
    })
  )
})
