import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { recordsOfAccount } from "../support/AllRecords.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { newConsole, ownPage, ownWrite, signedIn, signIn } from "./browsing.ts"

const webhook = JSON.stringify({ url: "https://hooks.example.com/a" })
const createWebhook = "/console/api/rest/v1/tools/create_webhook_subscription"

const typeOf = (json: unknown): unknown => (json as { readonly type?: unknown } | undefined)?.type
const reasonOf = (json: unknown): unknown => (json as { readonly reason?: unknown } | undefined)?.reason

/** A signed-in owner with a lead that can be stopped. */
const consoleWithLead = Effect.gen(function* () {
  const holder = yield* newConsole
  const { lead_id } = yield* recordsOfAccount(holder.caller)
  const args = { lead_id: Number(lead_id) }
  const ask = (tool = "stop_lead", of: object = args) => holder.console.post("/confirmations", { tool, arguments: of })
  const stop = (confirmation: string | undefined, headers: Readonly<Record<string, string>> = {}, of: object = args) =>
    holder.console.post("/rest/v1/tools/stop_lead", of, {
      ...(confirmation === undefined ? {} : { "Console-Confirmation": confirmation }),
      ...headers
    })
  const confirmation = Effect.map(ask(), ({ json }) => (json as { readonly confirmation: string }).confirmation)
  return { ...holder, args, ask, stop, confirmation }
})

layer(testGateway({ trustedProxies: () => true }), { excludeTestServices: true })("attacks on the console", (it) => {
  it.effect("other sites can send nothing, whatever the cookie", () =>
    Effect.gen(function* () {
      const { console } = yield* newConsole
      const write = (headers: Readonly<Record<string, string>>) =>
        send(createWebhook, { method: "POST", headers: { Cookie: console.Cookie, ...headers }, body: webhook })
      const foreign: ReadonlyArray<Readonly<Record<string, string>>> = [
        { "Sec-Fetch-Site": "cross-site", "X-Console": "1" },
        { "Sec-Fetch-Site": "same-site", "X-Console": "1" },
        { "Sec-Fetch-Site": "none", "X-Console": "1" },
        { "X-Console": "1" },
        ownPage,
        { ...ownPage, "X-Console": "true" },
        {}
      ]
      for (const headers of foreign) {
        const answer = yield* write(headers)
        assert.strictEqual(answer.status, 403, JSON.stringify(headers))
        assert.strictEqual(typeOf(answer.json), "ForeignRequest")
        for (const method of ["POST", "DELETE"]) {
          const session = yield* send("/console/api/session", {
            method,
            headers: { Cookie: console.Cookie, ...headers },
            ...(method === "POST" ? { body: JSON.stringify({ token: "pgw_x" }) } : {})
          })
          assert.strictEqual(session.status, 403)
          assert.isNull(session.headers.get("set-cookie"))
        }
      }
      for (const site of ["cross-site", "same-site"]) {
        for (const path of ["/session", "/rest/v1/call/whoami", "/platform/v1/call/list_tokens"]) {
          assert.strictEqual((yield* console.get(path, { "Sec-Fetch-Site": site })).status, 403)
        }
      }
      const { json } = yield* console.get("/rest/v1/call/list_webhook_subscriptions")
      assert.deepStrictEqual(json, { subscriptions: [] })
      assert.strictEqual((yield* write(ownWrite)).status, 200)
    })
  )

  it.effect("no answer lets another origin read it or send its headers", () =>
    Effect.gen(function* () {
      const { console } = yield* newConsole
      const preflight = {
        Origin: "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-console"
      }
      for (const path of ["/console/api/session", "/console/api/confirmations", createWebhook]) {
        const answer = yield* send(path, { method: "OPTIONS", headers: { Cookie: console.Cookie, ...preflight } })
        assert.isFalse([...answer.headers.keys()].some((name) => name.startsWith("access-control-")))
      }
    })
  )

  it.effect("a GET changes nothing", () =>
    Effect.gen(function* () {
      const { console } = yield* newConsole
      const answer = yield* console.get(
        `/rest/v1/call/create_webhook_subscription?url=${encodeURIComponent("https://hooks.example.com")}`
      )
      assert.strictEqual(answer.status, 405)
      const form = yield* send(createWebhook, {
        method: "POST",
        headers: { Cookie: console.Cookie, "Sec-Fetch-Site": "cross-site", "Content-Type": "text/plain" },
        body: webhook
      })
      assert.strictEqual(form.status, 403)
    })
  )

  it.effect("the cookie opens no route but the console's, and a bearer token none of the console's", () =>
    Effect.gen(function* () {
      const { console, token } = yield* newConsole
      for (const path of [
        "/rest/v1/call/whoami",
        "/api/v1/call/whoami",
        "/platform/v1/call/list_tokens",
        "/rest/v1/tools"
      ]) {
        const answer = yield* send(path, { headers: { Cookie: console.Cookie, ...ownWrite } })
        assert.strictEqual(answer.status, 401, path)
      }
      const agent = yield* send("/mcp", {
        method: "POST",
        headers: { Cookie: console.Cookie, ...ownWrite },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
      })
      assert.strictEqual(agent.status, 401)
      for (const path of ["/session", "/rest/v1/call/whoami", "/platform/v1/call/list_tokens", "/rest/v1/tools"]) {
        const answer = yield* send(`/console/api${path}`, { token, headers: ownPage })
        assert.strictEqual(answer.status, 401, path)
      }
    })
  )

  it.effect("an account reaches only its own records", () =>
    Effect.gen(function* () {
      const one = yield* consoleWithLead
      const other = yield* newConsole
      assert.strictEqual((yield* one.console.get(`/rest/v1/call/get_lead?lead_id=${one.args.lead_id}`)).status, 200)
      assert.strictEqual((yield* other.console.get(`/rest/v1/call/get_lead?lead_id=${one.args.lead_id}`)).status, 404)
      // The account in the cookie is only a hint: the rest of the key belongs to one account.
      const stolen = one.console.Cookie.replace(/=[0-9a-z]+\./, `=${other.caller.accountId.toString(36)}.`)
      const answer = yield* send("/console/api/session", { headers: { Cookie: stolen, ...ownPage } })
      assert.strictEqual(answer.status, 401)
    })
  )

  it.effect("a cookie that another path or host added is not taken next to the right one", () =>
    Effect.gen(function* () {
      const { console } = yield* newConsole
      const other = yield* newConsole
      const both = yield* send("/console/api/session", {
        headers: { Cookie: `${other.console.Cookie}; ${console.Cookie}`, ...ownPage }
      })
      assert.strictEqual(both.status, 401)
    })
  )

  it.effect("a destructive call needs a confirmation of this call in this session, once", () =>
    Effect.gen(function* () {
      const { args, ask, caller, confirmation, console, stop, token } = yield* consoleWithLead
      const missing = yield* stop(undefined)
      assert.strictEqual(missing.status, 422)
      assert.strictEqual(reasonOf(missing.json), "confirmation_required")
      const answer = yield* ask()
      assert.containSubset(answer.json, { summary: { tool: "stop_lead", arguments: args } })

      const forOther = yield* confirmation
      assert.strictEqual(
        reasonOf((yield* stop(forOther, {}, { lead_id: args.lead_id + 1 })).json),
        "confirmation_invalid"
      )
      assert.strictEqual(reasonOf((yield* stop(forOther, {}, { ...args, reason: "x" })).json), "confirmation_invalid")
      const otherTool = yield* console.post(
        "/rest/v1/tools/delete_webhook_subscription",
        { subscription_id: args.lead_id },
        { "Console-Confirmation": forOther }
      )
      assert.strictEqual(reasonOf(otherTool.json), "confirmation_invalid")

      const elsewhere = yield* signedIn(token)
      const otherSession = yield* elsewhere.post("/rest/v1/tools/stop_lead", args, { "Console-Confirmation": forOther })
      assert.strictEqual(reasonOf(otherSession.json), "confirmation_invalid")
      const stranger = yield* newConsole
      const otherAccount = yield* stranger.console.post("/rest/v1/tools/stop_lead", args, {
        "Console-Confirmation": forOther
      })
      assert.strictEqual(reasonOf(otherAccount.json), "confirmation_invalid")
      for (const invented of ["x", "00000000-0000-4000-8000-000000000000", ""]) {
        assert.notStrictEqual((yield* stop(invented)).status, 200)
      }

      const tried = yield* stop(undefined, { "Dry-Run": "true" })
      assert.strictEqual(tried.status, 200)
      const before = yield* console.get(`/rest/v1/call/get_lead?lead_id=${args.lead_id}`)
      assert.strictEqual((yield* stop(forOther)).status, 200)
      const after = yield* console.get(`/rest/v1/call/get_lead?lead_id=${args.lead_id}`)
      assert.notStrictEqual(after.text, before.text)
      assert.strictEqual(reasonOf((yield* stop(forOther)).json), "confirmation_invalid")
      assert.strictEqual(caller.plan, "paid")
    })
  )

  it.effect("numbers that JavaScript cannot tell apart are two", () =>
    Effect.gen(function* () {
      const { console } = yield* newConsole
      const first = yield* send("/console/api/confirmations", {
        method: "POST",
        headers: { Cookie: console.Cookie, ...ownWrite },
        body: '{"tool":"stop_lead","arguments":{"lead_id":9007199254740992}}'
      })
      const { confirmation } = first.json as { readonly confirmation: string }
      const answer = yield* send("/console/api/rest/v1/tools/stop_lead", {
        method: "POST",
        headers: { Cookie: console.Cookie, ...ownWrite, "Console-Confirmation": confirmation },
        body: '{"lead_id":9007199254740993}'
      })
      assert.strictEqual(reasonOf(answer.json), "confirmation_invalid")
    })
  )

  it.effect("what needs no confirmation, is not known or not allowed, gets none", () =>
    Effect.gen(function* () {
      const { ask, console } = yield* consoleWithLead
      assert.strictEqual(reasonOf((yield* ask("whoami", {})).json), "confirmation_not_needed")
      assert.strictEqual((yield* ask("no_such_tool", {})).status, 404)
      assert.strictEqual((yield* console.post("/confirmations", { tool: "stop_lead" })).status, 400)
      assert.strictEqual(
        (yield* console.post("/confirmations", { tool: "stop_lead", arguments: { a: {} } })).status,
        400
      )
    })
  )

  it.effect("bodies that are no sign-in are refused", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const post = (body: string) => send("/console/api/session", { method: "POST", headers: ownWrite, body })
      for (const body of ["", "x", "[]", "{}", '{"token":1}', JSON.stringify(token)]) {
        assert.strictEqual((yield* post(body)).status, 400, body)
      }
      assert.strictEqual((yield* post(JSON.stringify({ token: "x".repeat(5000) }))).status, 413)
      const wrong = yield* signIn(`${token.slice(0, -1)}A`)
      assert.strictEqual(wrong.status, 401)
      assert.strictEqual(wrong.headers.get("www-authenticate"), "Cookie")
    })
  )
})
