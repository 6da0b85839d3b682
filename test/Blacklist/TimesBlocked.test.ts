import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Blacklist, type BlacklistKind } from "../../src/Services/Blacklist/Blacklist.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { LeadsGroup } from "../../src/Tools/Groups/Leads.ts"
import { VoiceCallsGroup } from "../../src/Tools/Voice/VoiceCalls.ts"
import { claimTouches, composeAll, TestEngine } from "../Outreach/support/touches.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"

const catalog = Catalog.make([LeadsGroup, VoiceCallsGroup])

const block = (kind: BlacklistKind, value: string) =>
  Effect.flatMap(Blacklist, (blacklist) => blacklist.add(kind, value, undefined))

const timesBlocked = Effect.flatMap(Blacklist, (blacklist) =>
  Effect.map(blacklist.list({ page: 0, pageSize: 50 }), ({ entries }) =>
    entries.map(({ times_blocked }) => times_blocked)
  )
)

const due = { time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z" }

layer(TestEngine, { excludeTestServices: true })("times_blocked", (it) => {
  it.effect("counts a withheld touch once, however often the lead is looked at", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* me(block("domain", "rival.example"))
      yield* me(insertLead({ ...due, email: "ana@rival.example" }))
      for (let day = 0; day < 3; day++) {
        yield* sql`
          update lead /* of a test */ set next_touch_at = ${due.next_touch_at} where account_id = ${caller.accountId}`
        yield* claimTouches
        yield* composeAll
        assert.deepStrictEqual(yield* me(timesBlocked), [1])
      }
    })
  )

  it.effect("does not count a lead that is contacted on another channel, nor one that is not blocked", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(block("phone", "+5511987651234"))
      yield* me(insertLead({ ...due, phone: "+5511987651234" }))
      yield* me(insertLead({ ...due, email: null, phone: "+5511987655678" }))
      yield* claimTouches
      yield* composeAll
      assert.deepStrictEqual(yield* me(timesBlocked), [0])
    })
  )

  it.effect("counts a refused call and a refused message once each, though the refusal stores nothing else", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(block("phone", "+5511987654321"))
      const call = me(callTool(catalog, "place_goal_driven_call", { phone_number: "+5511987654321", goal: "Ask." }))
      assert.deepInclude(yield* Effect.flip(call), { reason: "phone_blacklisted" })
      assert.deepStrictEqual(yield* me(timesBlocked), [1])
      yield* me(block("email", "eva@rival.example"))
      const lead_id = yield* me(insertLead({ email: "eva@rival.example" }))
      const message = me(callTool(catalog, "send_message_to_lead", { lead_id, subject: "Oi", body: "Olá." }))
      assert.deepInclude(yield* Effect.flip(message), { reason: "lead_blacklisted" })
      assert.deepStrictEqual(yield* me(timesBlocked), [1, 1])
    })
  )
})
