import { assert, describe, layer, it as pureTest } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { groupSlug } from "../../../src/Api/SkillGuide.ts"
import { makeToolNeeds } from "../../../src/Api/ToolNeeds.ts"
import { RequestRefused } from "../../../src/Errors.ts"
import { AccessTokens } from "../../../src/Services/Accounts/Tokens/AccessTokens.ts"
import {
  isWithinAuthority,
  type TokenAuthority,
  unlimited
} from "../../../src/Services/Accounts/Tokens/TokenAuthority.ts"
import { allows, kindScopes, type Need } from "../../../src/Services/Accounts/Tokens/TokenBounds.ts"
import { Timestamp } from "../../../src/Services/Core/Timestamp.ts"
import { MemberId } from "../../../src/Services/Members/Ids.ts"
import { AllTools } from "../../../src/Tools/AllTools.ts"
import { PlatformTools } from "../../../src/Tools/PlatformTools.ts"
import { calling } from "../../Mcp/speaking.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"
import { as } from "../../support/TestAccount.ts"
import { scopedToken } from "./tokens.ts"

const served = [
  ...AllTools.entries.map((entry) => ({ ...entry, prefix: "/rest/v1" })),
  ...PlatformTools.entries.map((entry) => ({ ...entry, prefix: "/platform/v1" }))
].map(({ group, prefix, tool }) => ({ name: tool.name, kind: tool.kind, group: groupSlug(group), prefix }))

/** Tools that give others access. */
const ownersAlone = new Set([
  "add_member",
  "adopt_token",
  "create_token",
  "generate_mcp_token",
  "resend_member_welcome",
  "rotate_token",
  "update_member",
  "update_token"
])

describe("scopes", () => {
  const needs = makeToolNeeds(AllTools, PlatformTools)
  const bounded = (...scopes: ReadonlyArray<string>) => ({ scopes })
  const isAllowed = (tool: string, ...scopes: ReadonlyArray<string>): boolean => {
    const refusal = needs.refusalOf(bounded(...scopes), tool)
    return !(refusal instanceof RequestRefused)
  }

  pureTest("name every tool and group of both catalogs once", () => {
    const names = served.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
    assert.strictEqual(AllTools.entries.length, 234)
    const slugs = new Set(served.map(({ group }) => group))
    assert.isTrue(kindScopes.every((kind) => !slugs.has(kind)))
  })

  pureTest.each(served)("allow $name as they say", ({ group, kind, name }) => {
    const otherGroup = served.find((other) => other.group !== group)?.group ?? ""
    const otherTool = served.find((other) => other.name !== name)?.name ?? ""
    const otherKinds = kindScopes.filter((other) => other !== kind)
    assert.isTrue(isAllowed(name, kind))
    assert.isTrue(isAllowed(name, ...kindScopes))
    assert.isTrue(isAllowed(name, kind, group))
    assert.isTrue(isAllowed(name, kind, group, otherGroup))
    assert.isTrue(isAllowed(name, `tool:${name}`))
    assert.isTrue(isAllowed(name, ...otherKinds, otherGroup, `tool:${name}`))
    assert.isTrue(isAllowed(name, kind, `tool:${otherTool}`))
    assert.isFalse(isAllowed(name, ...otherKinds))
    assert.isFalse(isAllowed(name, kind, otherGroup))
    assert.isFalse(isAllowed(name, ...otherKinds, group))
    assert.isFalse(isAllowed(name, group))
    assert.isFalse(isAllowed(name, `tool:${otherTool}`))
    assert.isFalse(isAllowed(name))
    assert.isUndefined(needs.refusalOf(undefined, name))
    assert.strictEqual(needs.refusalOf(bounded(kind), name) !== undefined, ownersAlone.has(name))
  })

  pureTest("name what is missing", () => {
    const lack = needs.refusalOf(bounded("write", "media"), "search_leads")
    assert.instanceOf(lack, RequestRefused)
    assert.strictEqual(lack?._tag === "RequestRefused" ? lack.type : "", "ScopeRequired")
    assert.include(lack?.detail ?? "", "read and leads")
  })

  pureTest("of groups and kinds mean the same as before single tools could be named", () => {
    assert.isTrue(allows({ scopes: ["read"] }, { kind: "read", group: "leads" }))
    assert.isFalse(allows({ scopes: ["read", "media"] }, { kind: "read", group: "leads" }))
    assert.isTrue(allows({ scopes: ["read", "media"] }, { kind: "read" }))
  })
})

describe("what a token may make and change", () => {
  const member = MemberId.make(7)
  const authority = fc.record<TokenAuthority>({
    scopes: fc.option(fc.subarray(["read", "write", "leads", "media", "tool:get_lead"])),
    addressRanges: fc.option(fc.subarray(["10.0.0.0/8", "203.0.113.7"])),
    callsPerMinute: fc.option(fc.integer({ min: 1, max: 9 })),
    expiresAt: fc.option(
      fc.constantFrom(Timestamp.make("2027-01-01T00:00:00Z"), Timestamp.make("2028-01-01T00:00:00Z"))
    ),
    confirmation: fc.constantFrom("when_possible", "always", "never"),
    memberId: fc.option(fc.constantFrom(member, MemberId.make(8)))
  })

  pureTest("is itself and whatever is limited more, never what is limited less", () => {
    fc.assert(
      fc.property(authority, authority, authority, (one, two, three) => {
        assert.isTrue(isWithinAuthority(one, one))
        assert.isTrue(isWithinAuthority(one, unlimited))
        if (isWithinAuthority(one, two) && isWithinAuthority(two, three)) assert.isTrue(isWithinAuthority(one, three))
      })
    )
  })

  pureTest("allows no call that its maker is not allowed", () => {
    const bounds = ({ scopes }: TokenAuthority) => (scopes === null ? undefined : { scopes })
    const need = fc.record<Need>({
      kind: fc.constantFrom(...kindScopes),
      group: fc.constantFrom("leads", "media", "reports"),
      tool: fc.constantFrom("get_lead", "search_leads")
    })
    fc.assert(
      fc.property(authority, authority, need, (token, maker, call) => {
        if (isWithinAuthority(token, maker) && allows(bounds(token), call)) assert.isTrue(allows(bounds(maker), call))
      }),
      { numRuns: 2000 }
    )
  })

  pureTest("in one group is not made for all", () => {
    const inLeads = { ...unlimited, scopes: ["read", "leads"] }
    assert.isFalse(isWithinAuthority({ ...unlimited, scopes: ["read"] }, inLeads))
    assert.isTrue(isWithinAuthority({ ...unlimited, scopes: ["read", "leads"] }, inLeads))
  })

  pureTest.each<readonly [string, Partial<TokenAuthority>]>([
    ["scopes", { scopes: ["read"] }],
    ["address ranges", { addressRanges: ["10.0.0.0/8"] }],
    ["rate", { callsPerMinute: 5 }],
    ["end", { expiresAt: Timestamp.make("2027-01-01T00:00:00Z") }],
    ["confirmation", { confirmation: "always" }],
    ["member", { memberId: member }]
  ])("is held by its %s", (_limit, limit) => {
    assert.isFalse(isWithinAuthority(unlimited, { ...unlimited, ...limit }))
    assert.isTrue(isWithinAuthority({ ...unlimited, ...limit }, unlimited))
  })
})

layer(testGateway(), { excludeTestServices: true })("a token with scopes", (it) => {
  /** An unknown parameter is refused before the tool runs, and after the scopes were looked at. */
  const args = { no_such_parameter: 1 }
  const outcome = ({ json, status }: { readonly json: unknown; readonly status: number }) => ({
    status,
    type: typeof json === "object" && json !== null && "type" in json ? json.type : undefined
  })
  const call = (prefix: string, token: string, name: string) =>
    Effect.map(send(`${prefix}/tools/${name}`, { method: "POST", token, body: JSON.stringify(args) }), outcome)

  it.effect.each(kindScopes.map((scope) => ({ scope })))(
    "$scope reaches its tools alone, at every address",
    ({ scope }) =>
      Effect.gen(function* () {
        const holder = yield* makeTokenHolder()
        const token = yield* scopedToken(holder, scope)
        for (const { kind, name, prefix } of served) {
          const answer = yield* call(prefix, token, name)
          if (kind !== scope) assert.deepStrictEqual(answer, { status: 403, type: "ScopeRequired" }, name)
          else if (ownersAlone.has(name)) assert.deepStrictEqual(answer, { status: 422, type: "Refused" }, name)
          else assert.deepStrictEqual(answer, { status: 400, type: "UnknownParameter" }, name)
          if (prefix === "/platform/v1") continue
          const always200 = yield* call("/api/v1", token, name)
          if (kind !== scope) assert.deepStrictEqual(always200, { status: 400, type: "ScopeRequired" }, name)
        }
      })
  )

  it.effect("is held to them by agents' addresses too", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const token = yield* scopedToken(holder, "read,leads")
      const everywhere = { path: "/mcp/x/all,platform" }
      for (const { group, kind, name } of served) {
        if (kind === "read" && group === "leads") continue
        const { error } = yield* calling(token, name, args, everywhere)
        assert.deepStrictEqual(
          error?.data,
          {
            required_scopes: [
              "read",
              "leads",
              ...(kind === "read" ? [] : [kind]),
              ...(group === "leads" ? [] : [group])
            ]
          },
          name
        )
      }
      const answer = yield* calling(token, "search_leads", {}, everywhere)
      assert.isUndefined(answer.error)
    })
  )

  it.effect("lists tools and describes them, whatever it may call", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const token = yield* scopedToken(holder, "tool:whoami")
      assert.strictEqual((yield* send("/rest/v1/tools/stop_lead", { token })).status, 200)
      assert.strictEqual((yield* send("/platform/v1/tools", { token })).status, 200)
      assert.strictEqual((yield* send("/rest/v1/call/whoami", { token })).status, 200)
      assert.strictEqual((yield* send("/rest/v1/call/search_leads", { token })).status, 403)
    })
  )

  it.effect("gets no answer of a write that another token made with an idempotency key", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const reader = yield* scopedToken(holder, "read")
      const writer = yield* scopedToken(holder, "write")
      const make = (prefix: string, name: string, token: string) =>
        send(`${prefix}/tools/${name}`, {
          method: "POST",
          token,
          body: JSON.stringify({ label: "Keyed" }),
          headers: { "Idempotency-Key": name }
        })
      for (const [prefix, name] of [
        ["/rest/v1", "generate_mcp_token"],
        ["/platform/v1", "create_token"]
      ] as const) {
        const first = yield* make(prefix, name, holder.token)
        assert.strictEqual(first.status, 200, first.text)
        const repeated = yield* make(prefix, name, holder.token)
        assert.deepStrictEqual([repeated.text, repeated.headers.get("idempotency-replayed")], [first.text, "true"])
        assert.deepInclude((yield* make(prefix, name, reader)).json, { type: "ScopeRequired" }, name)
        assert.deepInclude((yield* make(prefix, name, writer)).json, { reason: "owner_token_required" }, name)
      }
    })
  )

  it.effect("cannot give itself or others more, by REST or by an agent", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const tokens = yield* AccessTokens
      const token = yield* scopedToken(holder, "read,write,destructive")
      const before = yield* as(holder.caller)(tokens.list)
      const ownId = before.at(-1)?.token_id ?? 0
      const attempts = [
        { prefix: "/rest/v1", name: "generate_mcp_token", body: {} },
        { prefix: "/platform/v1", name: "create_token", body: {} },
        { prefix: "/platform/v1", name: "create_token", body: { scopes: "read" } },
        { prefix: "/platform/v1", name: "update_token", body: { token_id: ownId, scopes: "" } },
        { prefix: "/platform/v1", name: "rotate_token", body: { token_id: before[0]?.token_id } },
        { prefix: "/platform/v1", name: "adopt_token", body: { token_id: ownId } },
        { prefix: "/rest/v1", name: "add_member", body: { name: "Eva", phone_number: "+5511987654321" } }
      ]
      for (const { body, name, prefix } of attempts) {
        const answer = yield* send(`${prefix}/tools/${name}`, { method: "POST", token, body: JSON.stringify(body) })
        assert.strictEqual(answer.status, 422, `${name}: ${answer.text}`)
        assert.deepInclude(answer.json, { reason: "owner_token_required" })
        const { result } = yield* calling(token, name, body, { path: "/mcp/x/all,platform" })
        assert.isTrue(result?.isError, name)
        assert.include(result?.content[0]?.text ?? "", "owner_token_required")
      }
      assert.deepStrictEqual(
        (yield* as(holder.caller)(tokens.list)).map(({ token_id }) => token_id),
        before.map(({ token_id }) => token_id)
      )
    })
  )
})
