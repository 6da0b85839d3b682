import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { AccessTokens } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { fromMillis, toMillis } from "../../src/Services/Core/Timestamp.ts"
import { onPlatform, shownBy } from "../Accounts/tokens/tokens.ts"
import { consent } from "../Mcp/ownersBrowser.ts"
import { allowed, asking, Gateway, inside, registered, tokensFor } from "../Mcp/programs.ts"
import { modern } from "../Mcp/speaking.ts"
import { makeTokenHolder, send } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { openLatestLink, openLink, welcomeLinks } from "./support/memberLinks.ts"

const Made = Schema.Struct({ token: Schema.String, token_id: Schema.Int })
const Removed = Schema.Struct({
  ended: Schema.Array(Schema.Struct({ kind: Schema.String, id: Schema.Int, label: Schema.NullOr(Schema.String) })),
  members_added: Schema.Array(Schema.Struct({ member_id: Schema.Int, name: Schema.String }))
})
const Listed = Schema.Struct({
  tokens: Schema.Array(
    Schema.Struct({
      token_id: Schema.Int,
      label: Schema.NullOr(Schema.String),
      made_by: Schema.String,
      made_by_token_id: Schema.NullOr(Schema.Int),
      made_by_member_id: Schema.NullOr(Schema.Int),
      expires_at: Schema.NullOr(Schema.String)
    })
  )
})

const call = (token: string, tool: string, args: object = {}) =>
  send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })

const statusOf = (token: string) => Effect.map(call(token, "whoami"), ({ status }) => status)

const generateToken = (token: string, label: string) =>
  Effect.map(call(token, "generate_mcp_token", { label }), ({ json }) => Schema.decodeUnknownSync(Made)(json))

const listTokens = (token: string) =>
  Effect.map(call(token, "list_mcp_tokens"), ({ json }) => Schema.decodeUnknownSync(Listed)(json).tokens)

let phones = 0

/** An account with a member, whose own token is `memberToken`. */
const withMember = Effect.gen(function* () {
  const owner = yield* makeTokenHolder()
  phones += 10
  const email = `mallory${phones}@team.example`
  const phone = `+5511987720${100 + phones}`
  yield* call(owner.token, "add_member", { name: "Mallory", phone_number: phone, email })
  const memberToken = yield* openLatestLink(owner.caller.accountId, email)
  assert.strictEqual(yield* statusOf(memberToken), 200)
  return { ...owner, memberToken }
})

layer(Gateway, { excludeTestServices: true })("a removed member", (it) => {
  it.effect("has no token, program or link left", () =>
    Effect.gen(function* () {
      const { caller, memberToken, token } = yield* withMember
      const second = yield* generateToken(memberToken, "Backdoor")
      const third = yield* generateToken(second.token, "Backdoor of the backdoor")
      const agent = yield* inside({ token: third.token })
      const late = yield* allowed({ token: memberToken })
      const puppet = {
        name: "Puppet",
        phone_number: `+5511987729${100 + phones}`,
        email: `puppet${phones}@team.example`
      }
      yield* call(memberToken, "add_member", puppet)
      const othersToken = yield* generateToken(token, "The owner's")

      const answer = yield* call(token, "remove_member", { name_or_phone: "Mallory" })
      const { ended: endedAccess, members_added } = Schema.decodeUnknownSync(Removed)(answer.json)
      for (const dead of [memberToken, second.token, third.token]) assert.strictEqual(yield* statusOf(dead), 401)
      assert.strictEqual((yield* modern(agent.tokens.access_token, "tools/list")).status, 401)
      const renewal = { grant_type: "refresh_token", client_id: agent.clientId }
      const refreshed = yield* tokensFor({ ...renewal, refresh_token: agent.tokens.refresh_token })
      assert.strictEqual(refreshed.error, "invalid_grant")
      assert.strictEqual((yield* tokensFor(late.redemption)).error, "invalid_grant")
      for (const link of yield* welcomeLinks(caller.accountId, puppet.email))
        assert.strictEqual(yield* openLink(link), "")
      assert.deepStrictEqual(endedAccess.map(({ kind, label }) => `${kind} ${label}`).sort(), [
        "access_token Backdoor",
        "access_token Backdoor of the backdoor",
        "access_token Member: Mallory",
        "agent Judge (unverified name)",
        "welcome_link Puppet",
        "welcome_link Puppet"
      ])
      assert.deepStrictEqual(
        members_added.map(({ name }) => name),
        ["Puppet"]
      )
      assert.strictEqual(yield* statusOf(othersToken.token), 200)
      assert.strictEqual(yield* statusOf(token), 200)
    })
  )

  it.effect("loses with a token what was consented to with it, and nothing else", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const shared = yield* generateToken(token, "Shared")
      const agent = yield* inside({ token: shared.token })
      const waiting = yield* allowed({ token: shared.token })
      const ownersAgent = yield* inside({ token })
      const generatedToken = yield* generateToken(shared.token, "Made with it")
      yield* call(token, "revoke_mcp_token", { token_id: shared.token_id })
      assert.strictEqual((yield* modern(agent.tokens.access_token, "tools/list")).status, 401)
      assert.strictEqual((yield* tokensFor(waiting.redemption)).error, "invalid_grant")
      assert.strictEqual((yield* modern(ownersAgent.tokens.access_token, "tools/list")).status, 200)
      assert.strictEqual(yield* statusOf(generatedToken.token), 200)
    })
  )

  it.effect("cannot outlive a token's end by tokens and links that it makes", () =>
    Effect.gen(function* () {
      const { caller } = yield* makeTokenHolder()
      const tokens = yield* AccessTokens
      const end = fromMillis(Date.now() + 3_600_000)
      const short = yield* as(caller)(tokens.generate({ label: "Short", expiresAt: Option.some(end) }))
      yield* generateToken(short.token, "Longer")
      const friend = { name: "Friend", phone_number: `+5511987728${100 + phones}`, email: "friend@team.example" }
      yield* call(short.token, "add_member", friend)
      yield* openLatestLink(caller.accountId, friend.email)
      for (const { expires_at, label } of yield* listTokens(short.token)) {
        if (label === "test") continue
        assert.isNotNull(expires_at, `${label}`)
        assert.isAtMost(toMillis(fromMillis(Date.parse(expires_at ?? ""))), toMillis(end), `${label}`)
      }
    })
  )

  it.effect("has no program left after the end that its owner sets later to the token that let it in", () =>
    Effect.gen(function* () {
      const owner = yield* makeTokenHolder()
      const leaked = yield* shownBy(owner, "create_token", { label: "Leaked" })
      const agent = yield* inside({ token: leaked.token })
      const waiting = yield* inside({ token: leaked.token })
      const end = Math.ceil(Date.now() / 1000) * 1000 + 1000
      const args = { token_id: leaked.token_id, expires_at: new Date(end).toISOString() }
      assert.strictEqual((yield* onPlatform(owner, "update_token", args)).status, 200)
      const renewal = { grant_type: "refresh_token", client_id: waiting.clientId }
      const renewed = yield* tokensFor({ ...renewal, refresh_token: waiting.tokens.refresh_token })
      assert.isAtMost(renewed.expires_in, 2)
      while (Date.now() <= end) yield* Effect.sleep("50 millis")
      for (const { access_token } of [agent.tokens, renewed])
        assert.strictEqual((yield* modern(access_token, "tools/list")).status, 401)
      const late = { grant_type: "refresh_token", client_id: agent.clientId, refresh_token: agent.tokens.refresh_token }
      assert.strictEqual((yield* tokensFor(late)).error, "invalid_grant")
    })
  )

  it.effect("is named by the list of tokens", () =>
    Effect.gen(function* () {
      const { memberToken, token } = yield* withMember
      const second = yield* generateToken(memberToken, "Second")
      const clientId = yield* registered()
      const url = yield* asking(clientId)
      const page = yield* Effect.promise(() => consent(url, { token }))
      assert.isDefined(page.location)
      yield* inside({ token })
      const rows = yield* listTokens(token)
      const ownersToken = rows.find(({ label }) => label === "test")
      const members = rows.find(({ label }) => label === "Member: Mallory")
      assert.strictEqual(ownersToken?.made_by, "operator")
      assert.strictEqual(members?.made_by, "member")
      assert.isNumber(members?.made_by_member_id)
      assert.deepInclude(
        rows.find(({ token_id }) => token_id === second.token_id),
        {
          made_by: "token",
          made_by_token_id: members?.token_id ?? 0,
          made_by_member_id: members?.made_by_member_id ?? 0
        }
      )
      assert.deepInclude(
        rows.find(({ label }) => label === "Judge (unverified name)"),
        { made_by: "consent", made_by_token_id: ownersToken?.token_id ?? 0 }
      )
    })
  )
})
