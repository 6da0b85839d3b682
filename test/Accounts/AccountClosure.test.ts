import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { accountTables } from "../../src/Layers/Platform/Postgres/AccountTables.ts"
import { AccountClosure } from "../../src/Services/Accounts/AccountClosure.ts"
import { AccessTokens } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { MemberId } from "../../src/Services/Members/Ids.ts"
import { recordsOfAccount } from "../support/AllRecords.ts"
import { accountDigest } from "../support/checks/databaseDigest.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { onPlatform } from "./tokens/tokens.ts"

const decodeView = Schema.decodeUnknownSync(
  Schema.Struct({ closes_at: Schema.NullOr(Schema.String), is_prospecting_active: Schema.Boolean })
)

/** The tables that have rows of the account. */
const tablesWith = (accountId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const names: Array<string> = []
    for (const { name } of yield* accountTables(sql)) {
      const rows = yield* sql`select from ${sql(name)} where account_id = ${accountId} limit 1`
      if (rows.length > 0) names.push(name)
    }
    return names
  })

layer(testGateway(), { excludeTestServices: true })("a closed account", (it) => {
  it.effect("stops at once, can be taken back for 30 days, and is then gone from every table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder()
      const other = yield* makeTokenHolder()
      const { accountId } = holder.caller
      yield* recordsOfAccount(holder.caller)
      yield* recordsOfAccount(other.caller)

      const closed = decodeView((yield* onPlatform(holder, "close_account", {})).json)
      const days = (Date.parse(closed.closes_at ?? "") - Date.now()) / 86_400_000
      assert.isTrue(days > 29.9 && days <= 30, closed.closes_at ?? "none")
      assert.isFalse(closed.is_prospecting_active)
      // Closing again does not move the end.
      const again = decodeView((yield* onPlatform(holder, "close_account", {})).json)
      assert.strictEqual(again.closes_at, closed.closes_at)
      assert.deepStrictEqual(decodeView((yield* onPlatform(holder, "reopen_account", {})).json), {
        closes_at: null,
        is_prospecting_active: true
      })
      const twice = yield* onPlatform(holder, "reopen_account", {})
      assert.deepInclude(twice.json, { reason: "account_not_closing" })

      yield* onPlatform(holder, "close_account", {})
      const { removeDue } = yield* AccountClosure
      assert.strictEqual(yield* removeDue, 0)
      assert.isAbove((yield* tablesWith(accountId)).length, 25)
      yield* sql`update account set closes_at = now() - interval '1 second' where account_id = ${accountId}`
      const digest = yield* accountDigest(other.caller.accountId)
      assert.strictEqual(yield* removeDue, 1)
      assert.deepStrictEqual(yield* tablesWith(accountId), [])
      assert.deepStrictEqual(yield* accountDigest(other.caller.accountId), digest)
      assert.strictEqual((yield* send("/rest/v1/call/whoami", { token: holder.token })).status, 401)
    })
  )

  it.effect("is closed by its owner alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder()
      const [member] = yield* sql<{ readonly id: number }>`
        insert into member (account_id, name, phone, email, created_at)
        values (${holder.caller.accountId}, 'Ana', '+5511955554444', 'ana@member.example', now())
        returning member_id as id`
      const tokens = yield* AccessTokens
      const { token } = yield* as(holder.caller)(
        tokens.generate({
          label: "member",
          expiresAt: Option.none(),
          maker: { by: "member", memberId: MemberId.make(member?.id ?? 0) }
        })
      )
      const refused = yield* onPlatform({ token }, "close_account", {})
      assert.deepInclude(refused.json, { reason: "owner_token_required" })
    })
  )
})
