import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { AccessTokens } from "../../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { shownBy } from "../../Accounts/tokens/tokens.ts"
import { recordsOfAccount } from "../../support/AllRecords.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"
import { as } from "../../support/TestAccount.ts"
import { openLatestLink } from "../support/memberLinks.ts"

const Made = Schema.Struct({ token: Schema.String })
const Added = Schema.Struct({ member_id: Schema.Int })

const call = (token: string, tool: string, args: object = {}, prefix = "/rest/v1") =>
  send(`${prefix}/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })

/** An account whose only token has to have a person confirm what takes something away. */
const carefulHolder = Effect.gen(function* () {
  const { caller, token } = yield* makeTokenHolder()
  const tokens = yield* AccessTokens
  const { tokenId } = yield* tokens.authenticate(token)
  yield* as(caller)(tokens.setConfirmation(tokenId, "always"))
  return { caller, token }
})

layer(testGateway(), { excludeTestServices: true })("a token that has a person confirm", (it) => {
  it.effect("does not take anything away over REST", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* carefulHolder
      const { lead_id } = yield* recordsOfAccount(caller)
      const refused = yield* call(token, "delete_lead", { lead_id })
      assert.strictEqual(refused.status, 422, refused.text)
      assert.deepInclude(refused.json, { type: "Refused", reason: "confirmation_required" })
      const dispatched = yield* call(token, "delete_lead", { lead_id }, "/api/v1")
      assert.deepStrictEqual([dispatched.status, dispatched.text], [200, refused.text])
      assert.strictEqual((yield* call(token, "get_lead", { lead_id })).status, 200)
      const usual = yield* makeTokenHolder()
      const othersRecords = yield* recordsOfAccount(usual.caller)
      assert.strictEqual((yield* call(usual.token, "delete_lead", { lead_id: othersRecords.lead_id })).status, 200)
    })
  )

  it.effect("makes none that does not", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* carefulHolder
      const { lead_id } = yield* recordsOfAccount(caller)
      const answer = yield* call(token, "generate_mcp_token", { label: "Bold" })
      const second = Schema.decodeUnknownSync(Made)(answer.json).token
      assert.deepInclude((yield* call(second, "delete_lead", { lead_id })).json, { reason: "confirmation_required" })
      const third = Schema.decodeUnknownSync(Made)((yield* call(second, "generate_mcp_token")).json).token
      assert.deepInclude((yield* call(third, "delete_lead", { lead_id })).json, { reason: "confirmation_required" })
    })
  )

  it.effect("gets no other token by the key of the call that made it, and no token of a member gets the owner's", () =>
    Effect.gen(function* () {
      const owner = yield* makeTokenHolder()
      const careful = yield* shownBy(owner, "create_token", { confirmation: "always" })
      yield* call(owner.token, "add_member", { name: "Eva", phone_number: "+5511987710009", email: "eva@team.example" })
      const member = yield* openLatestLink(owner.caller.accountId, "eva@team.example")
      for (const [tool, prefix] of [
        ["generate_mcp_token", "/rest/v1"],
        ["create_token", "/platform/v1"],
        ["create_test_account", "/platform/v1"]
      ] as const) {
        const repeated = (token: string) =>
          send(`${prefix}/tools/${tool}`, {
            method: "POST",
            token,
            body: JSON.stringify(tool === "create_test_account" ? { name: "Try" } : { label: "Bold" }),
            headers: { "Idempotency-Key": tool }
          })
        const first = yield* repeated(owner.token)
        assert.strictEqual(first.status, 200, first.text)
        assert.strictEqual((yield* repeated(owner.token)).text, first.text)
        for (const token of [careful.token, member]) {
          const answer = yield* repeated(token)
          assert.deepInclude(answer.json, { type: "IdempotencyKeyReused" }, tool)
        }
      }
      const registered = (token: string) =>
        send("/rest/v1/tools/register_lead", {
          method: "POST",
          token,
          body: JSON.stringify({ name: "Ana", email: "ana@bakery.example" }),
          headers: { "Idempotency-Key": "lead" }
        })
      const lead = yield* registered(owner.token)
      assert.strictEqual(lead.status, 200, lead.text)
      assert.strictEqual((yield* registered(careful.token)).text, lead.text)
    })
  )

  it.effect("adds no member who does not, and sends no link to one who does not", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* carefulHolder
      const { accountId } = caller
      const { lead_id } = yield* recordsOfAccount(caller)
      const isHeld = (memberToken: string) =>
        Effect.map(call(memberToken, "delete_lead", { lead_id }), ({ json, text }) =>
          assert.deepInclude(json, { reason: "confirmation_required" }, text)
        )
      yield* call(token, "add_member", { name: "Ana", phone_number: "+5511987710001", email: "ana@attacker.example" })
      yield* isHeld(yield* openLatestLink(accountId, "ana@attacker.example"))
      // A member whom the owner added is not held, except by a link that the careful token sent.
      const owner = yield* Effect.flatMap(AccessTokens, (tokens) =>
        as(caller)(tokens.generate({ label: "Owner", expiresAt: Option.none() }))
      )
      const bia = { name: "Bia", phone_number: "+5511987710002", email: "bia@team.example" }
      const { member_id } = Schema.decodeUnknownSync(Added)((yield* call(owner.token, "add_member", bia)).json)
      yield* call(token, "update_member", { member_id, email: "bia@attacker.example" })
      yield* isHeld(yield* openLatestLink(accountId, "bia@attacker.example"))
    })
  )
})
