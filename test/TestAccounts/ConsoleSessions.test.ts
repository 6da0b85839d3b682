import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { cookieOf, ownPage, ownWrite, signedIn, signIn } from "../Console/browsing.ts"
import { eventsAt } from "../Console/eventStream.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { testAccountTemplate } from "../support/TestDatabase.ts"
import { call, platform } from "./calls.ts"

const Made = Schema.Struct({ test_account_id: Schema.Int, token: Schema.String })
const Session = Schema.Struct({
  account: Schema.Struct({ account_id: Schema.Int, is_test: Schema.Boolean, now: Schema.String })
})
const decodeSession = Schema.decodeUnknown(Session)
const decodeTotal = Schema.decodeUnknown(Schema.Struct({ total: Schema.Int }))
const decodeConfirmation = Schema.decodeUnknown(Schema.Struct({ confirmation: Schema.String }))

const startsAt = "2026-11-30T12:00:00Z"

const make = (token: string) =>
  Effect.flatMap(
    call(token, "create_test_account", { name: "Try", starts_at: startsAt }, platform),
    Schema.decodeUnknown(Made)
  )

/** A live account with a test account, and someone who is signed in at each. */
const both = Effect.gen(function* () {
  const { token } = yield* makeTokenHolder()
  const account = yield* make(token)
  return { token, account, live: yield* signedIn(token), test: yield* signedIn(account.token) }
})
type Console = Effect.Effect.Success<ReturnType<typeof signedIn>>

const leadsOf = (console: Pick<Console, "get">) =>
  Effect.map(
    Effect.flatMap(console.get("/rest/v1/call/search_leads"), ({ json }) => decodeTotal(json)),
    ({ total }) => total
  )

const statusWith = (Cookie: string, path = "/console/api/session", headers = {}) =>
  Effect.map(send(path, { headers: { Cookie, ...ownPage, ...headers } }), ({ status }) => status)

const keyIn = (cookie: string) => cookie.slice(cookie.indexOf("=") + 1)
const cookieWith = (key: string) => `__Secure-console=${key}`

const TestLayer = Layer.provideMerge(testAccountTemplate, testGateway({ trustedProxies: () => true }))

layer(TestLayer, { excludeTestServices: true, timeout: "5 minutes" })("a console session of a test account", (it) => {
  it.effect("begins with a token of the test account, says so, and shows its time", () =>
    Effect.gen(function* () {
      const { account, live, test, token } = yield* both
      const answer = yield* signIn(account.token)
      assert.strictEqual(answer.status, 200, answer.text)
      assert.match(
        answer.headers.get("set-cookie") ?? "",
        /^__Secure-console=[0-9a-z]{10}\.[0-9a-z]+\.[\w-]{43}; Path=\/console; Secure; HttpOnly; SameSite=Strict; Max-Age=43200$/
      )
      assert.notInclude(answer.text, account.token)
      const ofTest = yield* decodeSession((yield* test.get("/session")).json)
      assert.deepStrictEqual([ofTest.account.is_test, ofTest.account.now], [true, startsAt])
      assert.isFalse((yield* decodeSession((yield* live.get("/session")).json)).account.is_test)
      assert.strictEqual((yield* signIn(`${account.token.slice(0, -1)}_`)).status, 401)
      // The token of the live account is no token of the test account, whatever address it is sent to.
      const key = account.token.slice(4, 14)
      const atAddress = yield* send(`/test/${key}/console/api/session`, {
        method: "POST",
        headers: ownWrite,
        body: JSON.stringify({ token })
      })
      assert.strictEqual(atAddress.status, 401)
    })
  )

  it.effect("calls and confirms in the test account alone, whose clock does not end it", () =>
    Effect.gen(function* () {
      const { live, test } = yield* both
      const lead = { name: "Ana Souza", email: "ana@client.example" }
      assert.strictEqual((yield* test.post("/rest/v1/tools/register_lead", lead)).status, 200)
      assert.deepStrictEqual([yield* leadsOf(test), yield* leadsOf(live)], [1, 0])
      assert.strictEqual((yield* live.post("/rest/v1/tools/register_lead", lead)).status, 200)
      assert.strictEqual(
        (yield* live.post("/rest/v1/tools/register_lead", { ...lead, email: "b@c.example" })).status,
        200
      )
      assert.deepStrictEqual([yield* leadsOf(test), yield* leadsOf(live)], [1, 2])

      // A confirmation is good where it was given.
      const stop = (console: Console, confirmation: string) =>
        console.post("/rest/v1/tools/stop_lead", { lead_id: 1 }, { "Console-Confirmation": confirmation })
      const ask = (console: Console) =>
        Effect.map(
          Effect.flatMap(console.post("/confirmations", { tool: "stop_lead", arguments: { lead_id: 1 } }), ({ json }) =>
            decodeConfirmation(json)
          ),
          ({ confirmation }) => confirmation
        )
      const [ofLive, ofTest] = [yield* ask(live), yield* ask(test)]
      for (const [console, foreign] of [
        [live, ofTest],
        [test, ofLive]
      ] as const) {
        const answer = yield* stop(console, foreign)
        assert.deepInclude(answer.json, { reason: "confirmation_invalid" })
      }
      assert.strictEqual((yield* stop(test, ofTest)).status, 200)

      const moved = yield* test.post("/platform/v1/tools/advance_test_clock", { by: "3 days" })
      assert.strictEqual(moved.status, 200, moved.text)
      const { account } = yield* decodeSession((yield* test.get("/session")).json)
      assert.strictEqual(account.now, "2026-12-03T12:00:00Z")
    })
  )

  it.effect("never reaches live data, nor another test account, and the reverse", () =>
    Effect.gen(function* () {
      const { account, live, test, token } = yield* both
      const other = yield* make(token)
      const [liveKey, testKey] = [keyIn(live.Cookie), keyIn(test.Cookie)]
      const ownKey = account.token.slice(4, 14)
      const forged = [
        // The live session, said to be one of the test account.
        `${ownKey}.${liveKey}`,
        // The test session, said to be one of the live account, or of another test account.
        testKey.slice(ownKey.length + 1),
        testKey.replace(ownKey, other.token.slice(4, 14)),
        // A test account that there is not.
        testKey.replace(ownKey, "aaaaaaaaaa")
      ]
      for (const key of forged) {
        assert.strictEqual(yield* statusWith(cookieWith(key)), 401, key)
        assert.strictEqual(yield* statusWith(cookieWith(key), "/console/api/rest/v1/call/whoami"), 401, key)
      }
      // Two cookies of the name are none.
      assert.strictEqual(yield* statusWith(`${live.Cookie}; ${test.Cookie}`), 401)
      // A token opens nothing at the console, and leads a session nowhere else.
      const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })
      assert.strictEqual(yield* statusWith("", "/console/api/rest/v1/call/whoami", bearer(account.token)), 401)
      for (const [Cookie, secret, isTest] of [
        [test.Cookie, token, true],
        [live.Cookie, account.token, false]
      ] as const) {
        const answer = yield* send("/console/api/session", { headers: { Cookie, ...ownPage, ...bearer(secret) } })
        assert.strictEqual((yield* decodeSession(answer.json)).account.is_test, isTest)
      }
      // The cookie opens no other route, of either gateway.
      for (const path of ["/rest/v1/call/whoami", `/test/${ownKey}/rest/v1/call/whoami`]) {
        assert.strictEqual(yield* statusWith(test.Cookie, path), 401, path)
      }
      // Another site can make the browser send nothing.
      const foreign = yield* send("/console/api/rest/v1/tools/register_lead", {
        method: "POST",
        headers: { Cookie: test.Cookie, "Sec-Fetch-Site": "cross-site", "X-Console": "1" },
        body: JSON.stringify({ name: "Eva", email: "eva@client.example" })
      })
      assert.strictEqual(foreign.status, 403)
      assert.strictEqual(yield* leadsOf(test), 0)
    })
  )

  it.effect("ends with the token that is revoked at the main address", () =>
    Effect.gen(function* () {
      const { account, live, test } = yield* both
      const revoke = (secret: string) =>
        send("/platform/v1/revoke", { method: "POST", body: JSON.stringify({ token: secret }) })
      assert.strictEqual((yield* revoke(`${account.token.slice(0, -1)}_`)).status, 200)
      assert.strictEqual((yield* test.get("/session")).status, 200)
      assert.strictEqual((yield* revoke(account.token)).status, 200)
      assert.strictEqual((yield* test.get("/session")).status, 401)
      assert.strictEqual((yield* signIn(account.token)).status, 401)
      // It was the first token, by which the live account opens it.
      const opened = yield* live.post("/session", { test_account_id: account.test_account_id })
      assert.strictEqual(opened.status, 422)
      assert.deepInclude(opened.json, { reason: "test_token_ended" })
    })
  )

  it.scoped("ends with its account, and its stream within five seconds", () =>
    Effect.gen(function* () {
      const { host, port } = yield* ServerAddress
      const { account, test, token } = yield* both
      const stream = yield* eventsAt(`http://${host}:${port}`, "/console/api/platform/v1/events", {
        headers: { Cookie: test.Cookie, ...ownPage }
      })
      assert.strictEqual(stream.status, 200)
      yield* call(token, "reset_test_account", { test_account_id: account.test_account_id }, platform)
      const at = performance.now()
      assert.deepStrictEqual((yield* stream.next)?.data, { reason: "token_ended" })
      // The machine may be busy with other tests.
      assert.isBelow(performance.now() - at, 15_000)
      assert.strictEqual((yield* test.get("/session")).status, 401)

      const again = yield* make(token)
      const next = yield* signedIn(again.token)
      yield* call(token, "delete_test_account", { test_account_id: again.test_account_id }, platform)
      const ended = yield* next.get("/session")
      assert.strictEqual(ended.status, 401)
      assert.include(ended.headers.get("www-authenticate") ?? "", "Cookie")
      // A page can always get rid of its cookie.
      const out = yield* send("/console/api/session", {
        method: "DELETE",
        headers: { Cookie: next.Cookie, ...ownWrite }
      })
      assert.strictEqual(out.status, 204)
    })
  )

  it.effect("is opened from the live account, by whoever may have a token of it", () =>
    Effect.gen(function* () {
      const { account, live, test, token } = yield* both
      const body = { test_account_id: account.test_account_id }
      const other = yield* signedIn((yield* makeTokenHolder()).token)
      assert.strictEqual((yield* other.post("/session", body)).status, 404)
      assert.strictEqual((yield* test.post("/session", body)).status, 401)
      const narrow = yield* Effect.flatMap(
        call(token, "create_token", { label: "Reads", scopes: "read" }, platform),
        Schema.decodeUnknown(Schema.Struct({ token: Schema.String }))
      )
      const reading = yield* signedIn(narrow.token)
      assert.deepInclude((yield* reading.post("/session", body)).json, { type: "ScopeRequired" })

      const opened = yield* live.post("/session", body)
      assert.strictEqual(opened.status, 200, opened.text)
      assert.isTrue((yield* decodeSession(opened.json)).account.is_test)
      assert.notInclude(opened.text, "pgt_")
      const Cookie = cookieOf(opened)
      assert.strictEqual(yield* statusWith(Cookie), 200)
      // The session before ended with it.
      assert.strictEqual((yield* live.get("/session")).status, 401)
      const out = yield* send("/console/api/session", { method: "DELETE", headers: { Cookie, ...ownWrite } })
      assert.strictEqual(out.status, 204)
      assert.strictEqual(yield* statusWith(Cookie), 401)
    })
  )
})
