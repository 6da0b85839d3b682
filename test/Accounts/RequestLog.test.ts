import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as pureTest } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { AccessTokenId } from "../../src/Services/Accounts/Ids.ts"
import { RequestTrail } from "../../src/Services/Accounts/RequestTrail.ts"
import { type LoggedRequest, RequestLog } from "../../src/Services/Core/RequestLog.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { NumberLiteral } from "../../src/Tools/Core/ArgumentCoercion.ts"
import { loggedArguments } from "../../src/Tools/Core/LoggedArguments.ts"
import * as Param from "../../src/Tools/Core/Param.ts"
import { calling } from "../Mcp/speaking.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { onPlatform, scopedToken } from "./tokens/tokens.ts"

type Holder = Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>

const everything = {
  since: undefined,
  until: undefined,
  tool: undefined,
  tokenId: undefined,
  reason: undefined,
  onlyFailed: false
}

const logged = ({ caller }: Holder) =>
  Effect.gen(function* () {
    const trail = yield* RequestTrail
    yield* trail.flush
    const { requests } = yield* as(caller)(trail.list(everything, { limit: 100, before: undefined }))
    return requests.toReversed()
  })

const call = (
  token: string,
  tool: string,
  args: object,
  requestId: string,
  prefix = "/rest/v1",
  headers: Readonly<Record<string, string>> = {}
) =>
  send(`${prefix}/tools/${tool}`, {
    method: "POST",
    token,
    body: JSON.stringify(args),
    headers: { "X-Request-Id": requestId, ...headers }
  })

const secret = "Segredo Pessoal 123"

layer(testGateway(), { excludeTestServices: true })("the log of requests", (it) => {
  it.effect("has each request with its route, tool, status and reason, and no text that someone wrote", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder("free_trial")
      const { token } = holder
      const reader = yield* scopedToken(holder, "tool:whoami")
      yield* call(token, "update_user_name", { name: secret }, "r-1")
      yield* call(token, "get_lead", { lead_id: 12 }, "r-2")
      yield* call(token, "get_lead", { lead_id: 12 }, "r-3", "/api/v1")
      yield* call(token, "get_lead", { lead_id: secret, [secret]: 1 }, "r-4")
      yield* call(token, "no_such_tool", { [secret]: secret }, "r-5")
      yield* send("/rest/v1/call/search_leads?page_size=5&query=Segredo", {
        token,
        headers: { "X-Request-Id": "r-6" }
      })
      yield* send("/rest/v1/tools", { token, headers: { "X-Request-Id": "r-7" } })
      yield* send("/rest/v1/nothing/Segredo", { token, headers: { "X-Request-Id": "r-8" } })
      yield* call(reader, "stop_lead", { lead_id: 3 }, "r-9")
      yield* send("/rest/v1/tools/get_lead", {
        method: "POST",
        token,
        body: `{"lead_id": Segredo`,
        headers: { "X-Request-Id": "r-10" }
      })
      yield* call("pgw_nothing", "whoami", {}, "r-11")
      yield* call(token, "whoami", {}, "r-12", "/rest/v1", { "Idempotency-Key": "k" })

      const requests = (yield* logged(holder)).filter(({ request_id }) => request_id.startsWith("r-"))
      assert.deepStrictEqual(
        requests.map(({ argument_values, reason, request_id, route, status, tool }) => [
          request_id,
          route,
          tool,
          status,
          reason,
          JSON.stringify(argument_values)
        ]),
        [
          ["r-1", "POST /rest/v1/tools/{name}", "update_user_name", 200, null, "{}"],
          ["r-2", "POST /rest/v1/tools/{name}", "get_lead", 404, "lead_not_found", `{"lead_id":12}`],
          ["r-3", "POST /api/v1/tools/{name}", "get_lead", 200, "lead_not_found", `{"lead_id":12}`],
          ["r-4", "POST /rest/v1/tools/{name}", "get_lead", 400, "UnknownParameter", "{}"],
          ["r-5", "POST /rest/v1/tools/{name}", null, 404, "UnknownTool", "{}"],
          ["r-6", "GET /rest/v1/call/{name}", "search_leads", 200, null, `{"page_size":5}`],
          ["r-7", "GET /rest/v1/tools", null, 200, null, "{}"],
          ["r-8", "GET /rest/v1/*", null, 404, "UnknownRoute", "{}"],
          ["r-9", "POST /rest/v1/tools/{name}", "stop_lead", 403, "ScopeRequired", "{}"],
          ["r-10", "POST /rest/v1/tools/{name}", "get_lead", 400, "JsonException", "{}"],
          ["r-12", "POST /rest/v1/tools/{name}", "whoami", 200, null, "{}"]
        ]
      )
      assert.deepStrictEqual(requests[0]?.argument_names, ["name"])
      assert.notStrictEqual(requests[0]?.token_id, requests[8]?.token_id)
      const rows = yield* sql`select to_jsonb(e) as e from request_entry e`
      assert.notMatch(JSON.stringify(rows), /segredo/i)
      assert.notInclude(JSON.stringify(rows), token)
    })
  )

  it.effect("has the calls of agents, under the name of the tool that they reach", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const { token } = holder
      const reader = yield* scopedToken(holder, "read")
      yield* calling(token, "whoami", {})
      yield* calling(token, "call_read_tool", { tool: "get_lead", arguments: { lead_id: 12 } })
      yield* calling(reader, "update_user_name", { name: secret }, { path: "/mcp/x/all" })
      yield* calling(token, "list_tokens", {}, { path: "/mcp/x/platform" })
      const requests = yield* logged(holder)
      assert.deepStrictEqual(
        requests
          .slice(1)
          .map(({ argument_values, reason, route, status, tool }) => [route, tool, status, reason, argument_values]),
        [
          ["POST /mcp", "whoami", 200, null, {}],
          ["POST /mcp", "get_lead", 404, "lead_not_found", { lead_id: 12 }],
          ["POST /mcp", "update_user_name", 403, "ScopeRequired", {}],
          ["POST /mcp", "list_tokens", 200, null, {}]
        ]
      )
    })
  )

  it.effect("is read page by page, by id and by errors, and shows an account only its requests", () =>
    Effect.gen(function* () {
      const trail = yield* RequestTrail
      const holder = yield* makeTokenHolder()
      const other = yield* makeTokenHolder()
      for (let lead = 1; lead <= 5; lead++) yield* call(holder.token, "get_lead", { lead_id: lead }, `p-${lead}`)
      yield* call(holder.token, "update_user_name", { name: " " }, "p-6")
      yield* call(other.token, "get_lead", { lead_id: 1 }, "p-1")
      yield* trail.flush

      const listedIds: Array<unknown> = []
      let cursor: unknown
      do {
        const { json, status, text } = yield* onPlatform(holder, "list_requests", {
          limit: 2,
          only_failed: true,
          ...(typeof cursor === "string" ? { cursor } : {})
        })
        assert.strictEqual(status, 200, text)
        const page = json as {
          readonly requests: ReadonlyArray<{ readonly request_id: string }>
          readonly next_cursor: unknown
        }
        listedIds.push(...page.requests.map(({ request_id }) => request_id))
        cursor = page.next_cursor
      } while (cursor !== null)
      assert.deepStrictEqual(listedIds, ["p-6", "p-5", "p-4", "p-3", "p-2", "p-1"])

      const ownRequest = yield* onPlatform(holder, "get_request", { request_id: "p-1" })
      assert.strictEqual((ownRequest.json as { readonly requests: ReadonlyArray<unknown> }).requests.length, 1)
      assert.strictEqual((yield* onPlatform(other, "get_request", { request_id: "p-2" })).status, 404)
      const errors = yield* onPlatform(holder, "list_request_errors", {})
      const groups = (errors.json as { readonly errors: ReadonlyArray<Record<string, unknown>> }).errors
      assert.deepStrictEqual(
        groups.map(({ last_request_id, reason, requests, tool }) => [tool, reason, requests, last_request_id]),
        [
          ["get_lead", "lead_not_found", 5, "p-5"],
          ["update_user_name", "text_empty", 1, "p-6"]
        ]
      )
      for (const wrong of ["1", "a-b", "1-2-3"]) {
        const refused = yield* onPlatform(holder, "list_requests", { cursor: wrong })
        assert.deepInclude(refused.json, { reason: "cursor_invalid" }, wrong)
      }
      const listed = yield* as(holder.caller)(
        trail.list({ ...everything, tool: "get_lead", reason: "lead_not_found" }, { limit: 3, before: undefined })
      )
      assert.strictEqual(listed.requests.length, 3)
    })
  )

  it.effect("counts calls by hour, tool and token", () =>
    Effect.gen(function* () {
      const trail = yield* RequestTrail
      const holder = yield* makeTokenHolder()
      for (let lead = 1; lead <= 3; lead++) yield* call(holder.token, "get_lead", { lead_id: lead }, `u-${lead}`)
      yield* call(holder.token, "whoami", {}, "u-4")
      yield* trail.flush
      yield* call(holder.token, "whoami", {}, "u-5")
      yield* trail.flush
      const usage = yield* onPlatform(holder, "get_usage", { interval: "hour" })
      assert.strictEqual(usage.status, 200, usage.text)
      const { by_token, by_tool, intervals } = usage.json as {
        readonly intervals: ReadonlyArray<{ readonly calls: number; readonly failed_calls: number }>
        readonly by_tool: ReadonlyArray<{
          readonly tool: string
          readonly calls: number
          readonly failed_calls: number
        }>
        readonly by_token: ReadonlyArray<{ readonly calls: number }>
      }
      assert.deepStrictEqual(
        by_tool.map(({ calls, failed_calls, tool }) => [tool, calls, failed_calls]),
        [
          ["get_lead", 3, 3],
          ["whoami", 2, 0]
        ]
      )
      assert.deepStrictEqual(
        by_token.map(({ calls }) => calls),
        [5]
      )
      assert.strictEqual(intervals.length, 24)
      assert.strictEqual(
        intervals.reduce((sum, { calls }) => sum + calls, 0),
        5
      )
      const narrow = yield* onPlatform(holder, "get_usage", { interval: "hour", tool: "whoami" })
      assert.include(narrow.text, `"by_tool":[{"tool":"whoami","calls":2`)
      assert.deepInclude((yield* onPlatform(holder, "get_usage", { since: "2020-01-01" })).json, {
        reason: "range_too_long"
      })
    })
  )

  it.effect("keeps no more than a bounded number of entries, and says how many were dropped", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const log = yield* RequestLog
      const trail = yield* RequestTrail
      const holder = yield* makeTokenHolder()
      const { accountId } = holder.caller
      const now = yield* Clock.currentTimeMillis
      const entry = (number: number): LoggedRequest => ({
        at: now,
        accountId,
        tokenId: undefined,
        requestId: `d-${number}`,
        route: "POST /rest/v1/tools/{name}",
        tool: "whoami",
        status: 200,
        reason: undefined,
        milliseconds: 1,
        arguments: { names: [], values: {} }
      })
      // In one turn of the event loop nothing can be written.
      for (let number = 0; number < 50_007; number++) log.record(entry(number))
      yield* trail.flush
      log.record(entry(60_000))
      yield* trail.flush
      const rows = yield* sql<{ readonly entries: number; readonly dropped: number }>`
        select count(*) as entries, sum(dropped_before)::bigint as dropped from request_entry
        where account_id = ${accountId} and request_id like 'd-%'`
      const [{ dropped, entries } = { dropped: 0, entries: 0 }] = rows
      assert.strictEqual(entries + dropped, 50_008)
      assert.isAtLeast(dropped, 7)
      assert.isAtMost(entries, 50_001)
    })
  )

  it.effect("waits for a database that takes nothing, and counts each request once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const trail = yield* RequestTrail
      const holder = yield* makeTokenHolder()
      yield* sql`alter table call_usage rename to call_usage_away`
      yield* call(holder.token, "list_campaigns", {}, "w-1")
      assert.strictEqual((yield* Effect.exit(trail.flush))._tag, "Failure")
      yield* sql`alter table call_usage_away rename to call_usage`
      const requests = yield* logged(holder)
      assert.deepStrictEqual(
        requests.map(({ request_id }) => request_id),
        ["w-1"]
      )
      const rows = yield* sql`select calls from call_usage where account_id = ${holder.caller.accountId}`
      assert.deepStrictEqual(rows, [{ calls: 1 }])
    })
  )

  it.effect("is kept for thirty days, in a partition a day, and its counts for ninety", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const trail = yield* RequestTrail
      yield* trail.keep
      const now = yield* Clock.currentTimeMillis
      const day = 24 * 3_600_000
      const nameOf = (table: string, millis: number) =>
        `${table}_${fromMillis(millis).slice(0, 10).replaceAll("-", "")}`
      for (const [table, days] of [
        ["request_entry", 29],
        ["request_entry", 31],
        ["call_usage", 89],
        ["call_usage", 91]
      ] as const) {
        const start = Math.floor((now - days * day) / day) * day
        yield* sql.unsafe(
          `create table ${nameOf(table, start)} partition of ${table} for values from ('${fromMillis(start)}') to ('${fromMillis(start + day)}')`
        )
      }
      assert.deepStrictEqual(yield* trail.keep, [
        nameOf("request_entry", now - 31 * day),
        nameOf("call_usage", now - 91 * day)
      ])
    })
  )
})

describe("logged arguments", () => {
  const id = AccessTokenId
  const parameters = {
    id: Param.id(id, "An id."),
    ids: Param.ids(id, "Ids."),
    count: Param.integer("A count."),
    share: Param.number("A share."),
    is_on: Param.boolean("Whether."),
    kind: Param.oneOf(["a", "b"], "A kind."),
    kinds: Param.listOf(["a", "b"], "Kinds."),
    text: Param.text("A text."),
    words: Param.words("Words."),
    day: Param.date("A day.")
  }
  const of = (args: Readonly<Record<string, unknown>>) =>
    loggedArguments(parameters, (name) => (Object.hasOwn(args, name) ? args[name] : undefined))

  pureTest("have ids, enumerations, numbers and booleans, however they were sent", () => {
    const values = { id: 7, ids: "1, 2,3", count: -4, share: 0.5, is_on: true, kind: "a", kinds: "a, b" }
    assert.deepStrictEqual(of(values).values, values)
    const asText = { id: "7", count: "-4", share: "0.5", is_on: "true" }
    assert.deepStrictEqual(of(asText).values, { id: 7, count: -4, share: 0.5, is_on: true })
    assert.deepStrictEqual(of({ id: new NumberLiteral("7"), share: new NumberLiteral("5e-1") }).values, { id: 7 })
  })

  pureTest("have nothing else", () => {
    const texts = {
      ...{ id: "Eva", ids: "1,Eva", count: "1 Eva", share: "Eva", is_on: "Eva", kind: "Eva", kinds: "a,Eva" },
      ...{ text: "Eva", words: "Eva", day: "2026-01-01", unknown: "Eva" }
    }
    const { names, values } = of(texts)
    assert.deepStrictEqual(values, {})
    assert.deepStrictEqual(names, Object.keys(parameters))
    assert.deepStrictEqual(of({ text: null }), { names: ["text"], values: {} })
    assert.deepStrictEqual(of({ count: "1".repeat(300), ids: "1,".repeat(500) }).values, {})
  })
})
