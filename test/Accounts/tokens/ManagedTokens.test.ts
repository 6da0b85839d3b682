import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { AccessTokensPostgres } from "../../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { AccessTokenId } from "../../../src/Services/Accounts/Ids.ts"
import { AccessTokens } from "../../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { MemberId } from "../../../src/Services/Members/Ids.ts"
import { PlatformTools } from "../../../src/Tools/PlatformTools.ts"
import { modern, rpc } from "../../Mcp/speaking.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { onPlatform, scopedToken, shownBy } from "./tokens.ts"

const whoami = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  send("/rest/v1/call/whoami", { token, headers })

const statusOf = (token: string) => Effect.map(whoami(token), ({ status }) => status)

const decodeTokens = Schema.decodeUnknownSync(
  Schema.Struct({ tokens: Schema.Array(Schema.Struct({ token_id: Schema.Int, scopes: Schema.Unknown })) })
)

/** The scopes of a token, in a list. */
const scopesOf = (holder: { readonly token: string }, tokenId: number) =>
  Effect.map(onPlatform(holder, "list_tokens", {}), ({ json }) =>
    decodeTokens(json).tokens.flatMap((token) => (token.token_id === tokenId ? [token.scopes] : []))
  )

/** A token that a member made with the link of a welcome. */
const memberToken = (holder: Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>, memberId: number) =>
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    return yield* as(holder.caller)(
      tokens.generate({
        label: "member",
        expiresAt: Option.none(),
        maker: { by: "member", memberId: MemberId.make(memberId) }
      })
    )
  })

const proxied = testGateway({ trustedProxies: (address) => address.endsWith("127.0.0.1") })

layer(proxied, { excludeTestServices: true })("tokens of owners", (it) => {
  it.effect("are made, listed, changed and shown once", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const token = yield* shownBy(holder, "create_token", {
        label: "Reports",
        scopes: "read,reports",
        address_ranges: "203.0.113.0/24, 2001:db8::/32",
        calls_per_minute: 60,
        expires_at: "2099-01-01"
      })
      const listed = yield* onPlatform(holder, "list_tokens", {})
      assert.notInclude(listed.text, token.token)
      assert.include(listed.text, `"scopes":["read","reports"]`)
      assert.include(listed.text, `"address_ranges":["203.0.113.0/24","2001:db8::/32"]`)
      const changed = yield* onPlatform(holder, "update_token", {
        token_id: token.token_id,
        scopes: "",
        address_ranges: "",
        calls_per_minute: 0
      })
      assert.deepInclude(changed.json, {
        label: "Reports",
        scopes: null,
        address_ranges: null,
        calls_per_minute: null,
        expires_at: "2099-01-01T00:00:00Z"
      })
      assert.strictEqual(yield* statusOf(token.token), 200)
    })
  )

  it.effect("that a limited token makes have the narrower scopes that were asked for", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const maker = yield* shownBy(holder, "create_token", { scopes: "read,write" })
      const tokens = yield* AccessTokens
      const makeToken = (scopes: ReadonlyArray<string> | undefined) =>
        tokens
          .generate({
            label: "made",
            expiresAt: Option.none(),
            ...(scopes === undefined ? {} : { bounds: { scopes } })
          })
          .pipe(as({ ...holder.caller, tokenId: AccessTokenId.make(maker.token_id) }))
      for (const [bounds, scopes] of [
        [["read"], ["read"]],
        [undefined, ["read", "write"]],
        [
          ["read", "destructive"],
          ["read", "write"]
        ]
      ] as const) {
        const { view } = yield* makeToken(bounds)
        assert.deepStrictEqual(yield* scopesOf(holder, view.token_id), [scopes])
      }
    })
  )

  it.effect.each([
    { args: { scopes: "read,nonsense" }, reason: "scope_unknown" },
    { args: { scopes: "tool:nonsense" }, reason: "scope_unknown" },
    { args: { scopes: "leads" }, reason: "scopes_allow_nothing" },
    { args: { address_ranges: "203.0.113.0/24,home" }, reason: "address_range_invalid" },
    { args: { address_ranges: "203.0.113.0/33" }, reason: "address_range_invalid" },
    { args: { expires_at: "2020-01-01" }, reason: "expires_in_past" },
    { args: { calls_per_minute: -1 }, reason: "out_of_range" }
  ])("are refused for $reason: $args", ({ args, reason }) =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const refused = yield* onPlatform(holder, "create_token", args)
      assert.strictEqual(refused.status, 422, refused.text)
      assert.deepInclude(refused.json, { reason })
    })
  )

  it.effect("are good from their networks alone", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const { token } = yield* shownBy(holder, "create_token", { address_ranges: "203.0.113.0/24" })
      const from = (address: string) =>
        Effect.map(whoami(token, { "X-Forwarded-For": address }), ({ status }) => status)
      assert.strictEqual(yield* from("203.0.113.9"), 200)
      assert.strictEqual(yield* from("203.0.114.9"), 401)
      assert.strictEqual(yield* from("::ffff:203.0.113.9"), 200)
      assert.strictEqual(yield* statusOf(token), 401)
      const agent = yield* modern(token, "tools/list")
      assert.strictEqual(agent.status, 401)
    })
  )

  it.effect("have a rate limit of their own", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const { token } = yield* shownBy(holder, "create_token", { calls_per_minute: 2 })
      const statuses = yield* Effect.replicateEffect(statusOf(token), 5)
      // A minute may begin between two of them.
      assert.isAtLeast(statuses.filter((status) => status === 429).length, 1)
      assert.isAtMost(statuses.filter((status) => status === 200).length, 4)
      assert.strictEqual(yield* statusOf(holder.token), 200)
    })
  )

  it.effect("have two valid secrets while they are rotated", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder()
      const first = yield* shownBy(holder, "create_token", { scopes: "read" })
      const second = yield* shownBy(holder, "rotate_token", { token_id: first.token_id, overlap_hours: 1 })
      assert.strictEqual(second.token_id, first.token_id)
      assert.deepStrictEqual([yield* statusOf(first.token), yield* statusOf(second.token)], [200, 200])
      yield* sql`update access_token set previous_until = now() - interval '1 second'
        where account_id = ${holder.caller.accountId} and access_token_id = ${first.token_id}`
      assert.deepStrictEqual([yield* statusOf(first.token), yield* statusOf(second.token)], [401, 200])
      const third = yield* shownBy(holder, "rotate_token", { token_id: first.token_id, overlap_hours: 0 })
      assert.deepStrictEqual([yield* statusOf(second.token), yield* statusOf(third.token)], [401, 200])
      const fourth = yield* shownBy(holder, "rotate_token", { token_id: first.token_id })
      yield* send("/rest/v1/tools/revoke_mcp_token", {
        method: "POST",
        token: holder.token,
        body: JSON.stringify({ token_id: first.token_id })
      })
      assert.deepStrictEqual([yield* statusOf(third.token), yield* statusOf(fourth.token)], [401, 401])
      const ended = yield* onPlatform(holder, "rotate_token", { token_id: first.token_id })
      assert.deepInclude(ended.json, { reason: "token_ended" })
    })
  )

  it.effect("are revoked by their secret, whoever sends it", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const token = yield* shownBy(holder, "create_token", {})
      const rotated = yield* shownBy(holder, "rotate_token", { token_id: token.token_id })
      const revoke = (body: string, type = "application/json") =>
        send("/platform/v1/revoke", { method: "POST", body, headers: { "Content-Type": type } })
      const unknown = yield* revoke(JSON.stringify({ token: "pgw_nothing" }))
      assert.deepStrictEqual([unknown.status, unknown.text], [200, "{}"])
      assert.strictEqual(yield* statusOf(rotated.token), 200)
      // The secret before the rotation is the same token's.
      const revoked = yield* revoke(JSON.stringify({ token: token.token }))
      assert.deepStrictEqual([revoked.status, revoked.text], [200, "{}"])
      assert.deepStrictEqual([yield* statusOf(token.token), yield* statusOf(rotated.token)], [401, 401])
      assert.strictEqual(yield* statusOf(holder.token), 200)
      const form = yield* revoke(
        new URLSearchParams({ token: holder.token }).toString(),
        "application/x-www-form-urlencoded"
      )
      assert.strictEqual(form.status, 200)
      assert.strictEqual(yield* statusOf(holder.token), 401)
      for (const body of ["", "[]", "{}", `{"token":1}`]) assert.strictEqual((yield* revoke(body)).status, 400, body)
      assert.strictEqual((yield* send("/platform/v1/revoke")).status, 405)
    })
  )

  it.effect("of a member cannot reach the owner's, and are adopted by the owner alone", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const tokens = yield* AccessTokens
      const member = yield* memberToken(holder, 5)
      const owners = yield* shownBy(holder, "create_token", {})
      for (const tool of ["rotate_token", "update_token"]) {
        const refused = yield* onPlatform(member, tool, { token_id: owners.token_id })
        assert.deepInclude(refused.json, { reason: "token_exceeds_caller" }, tool)
      }
      const byMember = yield* onPlatform(member, "adopt_token", { token_id: member.view.token_id })
      assert.deepInclude(byMember.json, { reason: "owner_token_required" })
      const adopted = yield* onPlatform(holder, "adopt_token", { token_id: member.view.token_id })
      assert.deepInclude(adopted.json, { made_by_member_id: null })
      const other = yield* memberToken(holder, 5)
      yield* as(holder.caller)(tokens.endOfMember(MemberId.make(5)))
      assert.deepStrictEqual([yield* statusOf(member.token), yield* statusOf(other.token)], [200, 401])
    })
  )

  it.effect("never make or change one that is limited less", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const narrow = yield* shownBy(holder, "create_token", { expires_at: "2098-01-01", calls_per_minute: 1000 })
      for (const [tool, args] of [
        ["create_token", { expires_at: "2099-01-01" }],
        ["create_token", { calls_per_minute: 0 }],
        ["update_token", { token_id: narrow.token_id, expires_at: "2099-01-01" }],
        ["rotate_token", { token_id: holderId(yield* onPlatform(holder, "list_tokens", {})) }]
      ] as const) {
        const refused = yield* onPlatform(narrow, tool, args)
        assert.deepInclude(refused.json, { reason: "token_exceeds_caller" }, `${tool} ${JSON.stringify(args)}`)
      }
      const token = yield* onPlatform(narrow, "create_token", {})
      assert.deepInclude(token.json, { expires_at: "2098-01-01T00:00:00Z", calls_per_minute: 1000 })
    })
  )

  it.effect("of another account do not exist", () =>
    Effect.gen(function* () {
      const owner = yield* makeTokenHolder()
      const other = yield* makeTokenHolder()
      const { token, token_id } = yield* shownBy(owner, "create_token", {})
      for (const tool of ["update_token", "rotate_token", "adopt_token"]) {
        assert.strictEqual((yield* onPlatform(other, tool, { token_id })).status, 404, tool)
      }
      assert.notInclude((yield* onPlatform(other, "list_tokens", {})).text, `"token_id":${token_id},`)
      assert.strictEqual(yield* statusOf(token), 200)
    })
  )

  it.effect("cannot let programs in, nor act in sandboxes, if they have scopes", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const token = yield* scopedToken(holder, "read,write,destructive")
      assert.strictEqual((yield* send("/sandbox/mail", { token })).status, 401)
      assert.strictEqual((yield* send("/sandbox/mail", { token: holder.token })).status, 200)
    })
  )

  it.effect("are a toolset of agents that is listed only where it is named", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const names = (path: string) =>
        Effect.map(modern(token, "tools/list", {}, { path }), (answer) =>
          (rpc(answer).result?.tools ?? []).map(({ name }) => name)
        )
      const ofPlatform = PlatformTools.entries.map(({ tool }) => tool)
      assert.sameMembers(
        yield* names("/mcp/x/platform"),
        ofPlatform.map(({ name }) => name)
      )
      assert.sameMembers(
        yield* names("/mcp/x/platform/readonly"),
        ofPlatform.filter(({ kind }) => kind === "read").map(({ name }) => name)
      )
      assert.notInclude(yield* names("/mcp/x/all"), "list_tokens")
      assert.notInclude(yield* names("/mcp"), "list_tokens")
    })
  )

  it.effect("are served under their prefix alone", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      assert.strictEqual((yield* send("/platform/v1/call/list_tokens", { token })).status, 200)
      assert.strictEqual((yield* send("/rest/v1/call/list_tokens", { token })).status, 404)
      assert.strictEqual((yield* send("/platform/v1/call/whoami", { token })).status, 404)
      assert.strictEqual((yield* send("/platform/v1/nothing", { token })).status, 404)
      const guide = yield* send("/SKILL/platform.md")
      assert.include(guide.text, "/platform/v1/tools/create_token")
      assert.include((yield* send("/openapi.json")).text, `"/platform/v1/tools/create_token"`)
    })
  )
})

/** The id of the first token in a list. */
const holderId = ({ text }: { readonly text: string }): number => Number(/"token_id":(\d+)/.exec(text)?.[1] ?? 0)

layer(TestDatabase, { excludeTestServices: true })("the last use of a token", (it) => {
  it.effect("has its time, its address and its program", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      yield* Effect.gen(function* () {
        const tokens = yield* AccessTokens
        const { token } = yield* as(caller)(tokens.generate({ label: "used", expiresAt: Option.none() }))
        yield* tokens.authenticate(token, { from: "203.0.113.9", userAgent: `reports/1.0 ${"x".repeat(1000)}` })
      }).pipe(Effect.provide(AccessTokensPostgres))
      const rows = yield* sql`
        select last_used_at > now() - interval '1 minute' as is_recent, last_used_address as address,
          left(last_used_agent, 11) as agent, length(last_used_agent) as length
        from access_token where account_id = ${caller.accountId}`
      assert.deepStrictEqual(rows, [{ is_recent: true, address: "203.0.113.9", agent: "reports/1.0", length: 200 }])
    })
  )
})
