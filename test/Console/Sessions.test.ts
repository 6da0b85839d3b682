import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { RequestTrail } from "../../src/Services/Accounts/RequestTrail.ts"
import { AccessTokens } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { ManagedTokens } from "../../src/Services/Accounts/Tokens/ManagedTokens.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { cookieOf, newConsole, ownPage, ownWrite, signedIn, signIn } from "./browsing.ts"

const everything = {
  since: undefined,
  until: undefined,
  tool: undefined,
  tokenId: undefined,
  reason: undefined,
  onlyFailed: false
}

const tokenIdOf = (token: string) =>
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    return (yield* tokens.authenticate(token)).tokenId
  })

layer(testGateway({ trustedProxies: () => true }), { excludeTestServices: true })("sessions of the console", (it) => {
  it.effect("begin with a token, and have a cookie that only this gateway's page can use", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const answer = yield* signIn(token)
      assert.strictEqual(answer.status, 200)
      const cookie = answer.headers.get("set-cookie") ?? ""
      assert.match(
        cookie,
        /^__Secure-console=[0-9a-z]+\.[\w-]{43}; Path=\/console; Secure; HttpOnly; SameSite=Strict; Max-Age=43200$/
      )
      assert.notInclude(answer.text, token)
      assert.containSubset(answer.json, {
        account: { account_id: caller.accountId, plan: "paid", time_zone: "America/Sao_Paulo" },
        member: null,
        token: { label: "test", scopes: null, expires_at: null },
        session: { idle_seconds: 3600 },
        outside_services: { mail: "sandbox" }
      })
      const console = yield* signedIn(token)
      const look = yield* console.get("/session")
      assert.strictEqual(look.status, 200)
      assert.isNull(look.headers.get("set-cookie"))
    })
  )

  it.effect("call the same tools, with the same answers and limits", () =>
    Effect.gen(function* () {
      const { console, token } = yield* newConsole
      const whoami = yield* console.get("/rest/v1/call/whoami")
      assert.strictEqual(whoami.status, 200)
      assert.strictEqual(whoami.text, (yield* send("/rest/v1/call/whoami", { token })).text)
      const list = yield* console.get("/rest/v1/tools")
      assert.strictEqual(list.text, (yield* send("/rest/v1/tools", { token })).text)
      const tokens = yield* console.get("/platform/v1/call/list_tokens")
      assert.strictEqual(tokens.status, 200)
      const added = yield* console.post("/rest/v1/tools/create_webhook_subscription", {
        url: "https://hooks.example.com/a"
      })
      assert.strictEqual(added.status, 200)
      assert.strictEqual((yield* console.get("/rest/v1/call/create_webhook_subscription")).status, 405)
      assert.strictEqual((yield* console.get("/api/v1/call/whoami")).status, 404)
      assert.strictEqual((yield* console.get("/nothing")).status, 404)
    })
  )

  it.effect("repeat writes with a key, and try writes", () =>
    Effect.gen(function* () {
      const { console } = yield* newConsole
      const key = { "Idempotency-Key": "once" }
      const create = (headers: Readonly<Record<string, string>>) =>
        console.post("/rest/v1/tools/create_webhook_subscription", { url: "https://hooks.example.com/a" }, headers)
      const first = yield* create(key)
      assert.strictEqual((yield* create(key)).text, first.text)
      assert.strictEqual((yield* create({ "Dry-Run": "true" })).headers.get("dry-run"), "true")
      const { json } = yield* console.get("/rest/v1/call/list_webhook_subscriptions")
      assert.lengthOf((json as { subscriptions: ReadonlyArray<unknown> }).subscriptions, 1)
    })
  )

  it.effect("are in the log of requests under their token, without their secrets", () =>
    Effect.gen(function* () {
      const { caller, console, token } = yield* newConsole
      yield* console.get("/rest/v1/call/whoami")
      const trail = yield* RequestTrail
      yield* trail.flush
      const page = yield* as(caller)(trail.list(everything, { limit: 10, before: undefined }))
      assert.sameMembers(
        page.requests.map(({ route }) => route),
        ["GET /console/api/rest/v1/call/{name}", "POST /console/api/session"]
      )
      assert.notInclude(JSON.stringify(page), token)
      assert.notInclude(JSON.stringify(page), console.Cookie)
    })
  )

  it.effect("get a new id with each sign-in, which ends the one before", () =>
    Effect.gen(function* () {
      const { console, token } = yield* newConsole
      const again = yield* signIn(token, { Cookie: console.Cookie })
      assert.notStrictEqual(cookieOf(again), console.Cookie)
      assert.strictEqual((yield* console.get("/session")).status, 401)
      // An id that someone chose is never taken over.
      const fixedCookie = `__Secure-console=1.${"A".repeat(43)}`
      assert.notStrictEqual(cookieOf(yield* signIn(token, { Cookie: fixedCookie })), fixedCookie)
      assert.strictEqual(
        (yield* send("/console/api/session", { headers: { Cookie: fixedCookie, ...ownPage } })).status,
        401
      )
    })
  )

  it.effect("end when the person signs out", () =>
    Effect.gen(function* () {
      const { console } = yield* newConsole
      const out = yield* send("/console/api/session", {
        method: "DELETE",
        headers: { Cookie: console.Cookie, ...ownWrite }
      })
      assert.strictEqual(out.status, 204)
      assert.include(out.headers.get("set-cookie") ?? "", "Max-Age=0")
      assert.strictEqual((yield* console.get("/rest/v1/call/whoami")).status, 401)
    })
  )

  it.effect("end with their token: revoked, rotated or expired", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const managed = yield* ManagedTokens
      const sql = yield* SqlClient

      const revoked = yield* newConsole
      yield* as(revoked.caller)(tokens.revoke(yield* tokenIdOf(revoked.token)))
      assert.strictEqual((yield* revoked.console.get("/rest/v1/call/whoami")).status, 401)

      const rotated = yield* newConsole
      yield* as(rotated.caller)(managed.rotate(yield* tokenIdOf(rotated.token), 0))
      assert.strictEqual((yield* rotated.console.get("/rest/v1/call/whoami")).status, 401)

      const overlapping = yield* newConsole
      yield* as(overlapping.caller)(managed.rotate(yield* tokenIdOf(overlapping.token), 3600))
      assert.strictEqual((yield* overlapping.console.get("/rest/v1/call/whoami")).status, 200)

      const expiring = yield* newConsole
      yield* sql`update access_token set expires_at = instant() where account_id = ${expiring.caller.accountId}`
      assert.strictEqual((yield* expiring.console.get("/session")).status, 401)
    })
  )

  it.effect("end after 12 hours, and after an hour without a call", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const age = (console: string, account: number) =>
        sql`update console_session set ${sql.literal(console)} where account_id = ${account}`
      const old = yield* newConsole
      yield* age("started_at = started_at - interval '12 hours'", old.caller.accountId)
      assert.strictEqual((yield* old.console.get("/session")).status, 401)
      const idle = yield* newConsole
      yield* age("last_call_at = last_call_at - interval '59 minutes'", idle.caller.accountId)
      assert.strictEqual((yield* idle.console.get("/session")).status, 200)
      yield* age("last_call_at = last_call_at - interval '1 minute'", idle.caller.accountId)
      assert.strictEqual((yield* idle.console.get("/session")).status, 401)
    })
  )

  it.effect("may do what their token may", () =>
    Effect.gen(function* () {
      const { caller } = yield* makeTokenHolder()
      const tokens = yield* AccessTokens
      const make = (bounds: { readonly scopes: ReadonlyArray<string>; readonly resource?: string }) =>
        Effect.map(
          as(caller)(tokens.generate({ label: "narrow", expiresAt: Option.none(), bounds })),
          ({ token }) => token
        )
      const reading = yield* signedIn(yield* make({ scopes: ["read"] }))
      assert.strictEqual((yield* reading.get("/rest/v1/call/whoami")).status, 200)
      const refused = yield* reading.post("/rest/v1/tools/create_webhook_subscription", {
        url: "https://a.example.com"
      })
      assert.strictEqual(refused.status, 403)
      assert.containSubset(refused.json, { type: "ScopeRequired" })

      const base = "http://gateway.test"
      const ofRest = yield* signedIn(yield* make({ scopes: ["read"], resource: `${base}/rest/v1` }))
      assert.strictEqual((yield* ofRest.get("/rest/v1/call/whoami")).status, 200)
      assert.strictEqual((yield* ofRest.get("/platform/v1/call/list_tokens")).status, 401)
      assert.strictEqual((yield* ofRest.get("/session")).status, 200)
      const ofAgents = yield* signIn(yield* make({ scopes: ["read"], resource: `${base}/mcp` }))
      assert.strictEqual(ofAgents.status, 401)
      assert.isNull(ofAgents.headers.get("set-cookie"))
    })
  )

  it.effect("of a token are at most twenty, the newest", () =>
    Effect.gen(function* () {
      const { caller, console, token } = yield* newConsole
      const sql = yield* SqlClient
      yield* sql`
        insert into console_session (account_id, session_hash, access_token_id, token_hash, started_at)
        select account_id, sha256(n::text::bytea), access_token_id, token_hash, instant()
        from console_session, generate_series(1, 19) n where account_id = ${caller.accountId}`
      assert.strictEqual((yield* console.get("/session")).status, 200)
      yield* signIn(token)
      assert.strictEqual((yield* console.get("/session")).status, 401)
      const rows = yield* sql<{ count: number }>`
        select count(*) from console_session where account_id = ${caller.accountId}`
      assert.strictEqual(rows[0]?.count, 20)
    })
  )
})

layer(testGateway({ trustedProxies: () => true }), { excludeTestServices: true })("sign-ins", (it) => {
  it.effect("are limited by address", () =>
    Effect.gen(function* () {
      const from = (address: string) => signIn("pgw_wrong", { "X-Forwarded-For": address })
      const statuses = yield* Effect.forEach(Array.from({ length: 25 }), () => from("203.0.113.7"))
      assert.isAtLeast(statuses.filter(({ status }) => status === 401).length, 20)
      const refused = statuses.filter(({ status }) => status === 429)
      // The minute may end in between.
      assert.isTrue(refused.length > 0 || (yield* from("203.0.113.7")).status === 401)
      assert.strictEqual((yield* from("203.0.113.8")).status, 401)
    })
  )
})
