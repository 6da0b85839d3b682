import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"
import { openLink } from "../support/memberLinks.ts"

const add = (token: string, phone: string, name = "Ana") =>
  send("/rest/v1/tools/add_member", {
    method: "POST",
    token,
    body: JSON.stringify({ name, phone_number: phone })
  })

/** The link that the account sent to a phone. */
const linkToPhone = (accountId: AccountId, phone: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const messages = yield* sql<{ readonly body: string }>`
      select body from chatapp_message m where account_id = ${accountId} and body like '%/access/%'
        and m::text like ${`%${phone.slice(1)}%`} order by chatapp_message_id desc`
    return messages.flatMap(({ body }) => /\/access\/\S{1,100}/.exec(body) ?? [])[0] ?? "/access/none"
  })

layer(testGateway(), { excludeTestServices: true })("a phone that a stranger claims", (it) => {
  it.effect("still joins the account of its holder, and is the holder's from then on", () =>
    Effect.gen(function* () {
      const attacker = yield* makeTokenHolder()
      const victim = yield* makeTokenHolder()
      const phone = "+5511987730001"
      assert.strictEqual((yield* add(attacker.token, phone)).status, 200)
      const added = yield* add(victim.token, phone)
      assert.strictEqual(added.status, 200, added.text)
      const again = yield* add(victim.token, phone, "Twice")
      assert.deepInclude(again.json, { reason: "phone_taken" })
      assert.match(yield* openLink(yield* linkToPhone(victim.caller.accountId, phone)), /^pgw_/)
      const third = yield* makeTokenHolder()
      assert.deepInclude((yield* add(third.token, phone)).json, { reason: "phone_taken" })
    })
  )
})
