import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schedule } from "effect"
import { CallLimitsPostgres } from "../../src/Layers/Accounts/CallLimitsPostgres.ts"
import { Settings } from "../../src/Layers/Platform/Settings.ts"
import { judgeCall } from "../../src/Services/Accounts/CallLimit.ts"
import { CallLimits } from "../../src/Services/Accounts/CallLimits.ts"
import { AccessTokenId } from "../../src/Services/Accounts/Ids.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"

describe("a call within a minute", () => {
  const at = Date.parse("2026-11-22T10:00:20.500Z")
  const judge = (token: number, account: number) =>
    judgeCall(
      [
        { name: "token", limit: 10, used: token },
        { name: "account", limit: 30, used: account }
      ],
      at
    )

  it("is told what is left after it", () => {
    const { headers, refusal } = judge(4, 29)
    assert.isUndefined(refusal)
    assert.deepStrictEqual(headers, {
      "RateLimit-Policy": '"token";q=10;w=60, "account";q=30;w=60',
      RateLimit: '"token";r=5;t=40, "account";r=0;t=40'
    })
  })

  for (const [token, account, name] of [
    [10, 10, "token"],
    [0, 30, "account"],
    [11, 31, "token"]
  ] as const) {
    it(`is refused until the minute ends, with ${token} of the token's and ${account} of the account's before it`, () => {
      const { headers, refusal } = judge(token, account)
      assert.strictEqual(refusal?.reason, "rate_limited")
      assert.strictEqual(refusal?.retryAfterSeconds, 40)
      assert.include(refusal?.error ?? "", name)
      assert.include(headers["RateLimit"] ?? "", `"${name}";r=0;t=40`)
    })
  }
})

const tool = (prefix: string) => `${prefix}/tools/whoami`

layer(testGateway({ rateLimits: { perToken: 3, perAccount: 1000 } }), { excludeTestServices: true })(
  "calls beyond the limit of a token",
  (it) => {
    it.effect("are 429 under /rest/v1, 500 under /api/v1 and refused to agents, and other tokens go on", () =>
      Effect.gen(function* () {
        const call = (token: string, path: string, body = "{}") => send(path, { method: "POST", token, body })
        const { token } = yield* makeTokenHolder()
        // A minute may end in between: then the calls begin anew.
        const refused = yield* Effect.repeat(call(token, tool("/rest/v1")), {
          until: ({ status }) => status !== 200,
          times: 8
        })
        assert.strictEqual(refused.status, 429)
        const seconds = Number(refused.headers.get("retry-after"))
        assert.isTrue(seconds >= 1 && seconds <= 60)
        assert.deepInclude(refused.json, { type: "Transient", reason: "rate_limited", retry_after_seconds: seconds })
        assert.match(refused.headers.get("ratelimit") ?? "", /^"token";r=0;t=\d+, "account";r=99\d;t=\d+$/)
        assert.strictEqual(refused.headers.get("ratelimit-policy"), '"token";q=3;w=60, "account";q=1000;w=60')

        const other = yield* call(token, tool("/api/v1"))
        assert.strictEqual(other.status, 500)
        assert.deepInclude(other.json, { type: "Transient", reason: "rate_limited" })
        assert.isNotNull(other.headers.get("retry-after"))

        const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })
        const agent = yield* send("/mcp", {
          method: "POST",
          token,
          body: message,
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" }
        })
        assert.strictEqual(agent.status, 429)

        const neighbour = yield* makeTokenHolder()
        const served = yield* call(neighbour.token, tool("/rest/v1"))
        assert.strictEqual(served.status, 200)
        assert.match(served.headers.get("ratelimit") ?? "", /^"token";r=2;/)
      })
    )
  }
)

layer(testGateway(), { excludeTestServices: true })("without limits", (it) => {
  it.effect("calls are not counted, and answers tell of none", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const answer = yield* send(tool("/rest/v1"), { method: "POST", token, body: "{}" })
      assert.strictEqual(answer.status, 200)
      assert.isNull(answer.headers.get("ratelimit"))
    })
  )

  it.effect("are counted together by two processes that have one", () =>
    Effect.gen(function* () {
      const { caller } = yield* makeTokenHolder()
      const holder = { accountId: caller.accountId, tokenId: AccessTokenId.make(1) }
      const settings = yield* Settings
      const limited = Layer.succeed(Settings, { ...settings, rateLimits: { perToken: undefined, perAccount: 100_000 } })
      let admitted = 0
      // Whichever minute it is, the second learns of what the first has counted.
      const isRefusedByBoth = (first: typeof CallLimits.Service, second: typeof CallLimits.Service) =>
        Effect.sync(() => {
          const isRefused = (limits: typeof first) => limits.take(holder)?.refusal !== undefined
          while (!isRefused(first)) continue
          const isOver = isRefused(second)
          if (!isOver) admitted++
          return isOver
        })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const build = Effect.map(
            Layer.build(Layer.fresh(Layer.provide(CallLimitsPostgres, limited))),
            Context.get(CallLimits)
          )
          const [first, second] = [yield* build, yield* build]
          yield* Effect.repeat(isRefusedByBoth(first, second), {
            until: (refused) => refused,
            schedule: Schedule.spaced("50 millis")
          })
        })
      )
      assert.isBelow(admitted, 100_000, "The second would have refused by itself.")
      const sql = yield* SqlClient
      const [told] = yield* sql<{ readonly calls: number }>`
        select sum(calls)::bigint as calls from call_count where account_id = ${holder.accountId}`
      assert.isAtLeast(told?.calls ?? 0, 100_000)
    })
  )
})
