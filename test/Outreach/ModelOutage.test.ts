import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LanguageModelFailed } from "../../src/Services/Models/LanguageModel.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { claimTouches, composeAll, composeWithout, TestEngine } from "./support/touches.ts"

const due = { time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z" }

layer(TestEngine, { excludeTestServices: true })("an outage of the model", (it) => {
  it.effect("parks what is due, tells each account once, and ends by itself", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const callers = [yield* makeAccount(), yield* makeAccount()]
      for (const caller of callers) yield* as(caller)(Effect.replicateEffect(insertLead(due), 4))
      yield* claimTouches
      yield* composeWithout(new LanguageModelFailed({ reason: "unavailable", detail: "server_error" }), 6)
      const leads = yield* sql`
        select pipeline_state, count(*) as leads, count(next_touch_at) as scheduled, sum(touch_count) as touches
        from lead group by 1`
      assert.deepStrictEqual(leads, [{ pipeline_state: "in_pipeline", leads: 8, scheduled: 8, touches: 0 }])
      for (const { accountId } of callers) {
        const told = yield* sql`select kind from notification where account_id = ${accountId}`
        assert.deepStrictEqual(told, [{ kind: "language_model_unavailable" }])
      }

      // While it lasts no others are claimed, but for one now and then that finds out whether it does.
      yield* sql`update lead /* of a test */ set next_touch_at = ${due.next_touch_at}`
      assert.strictEqual(yield* claimTouches, 0)
      yield* sql`update model_outage set tried_at = tried_at - interval '1 minute'`
      assert.strictEqual(yield* claimTouches, 1)
      yield* composeAll
      assert.deepStrictEqual(yield* sql`select from model_outage`, [])
      assert.strictEqual(yield* claimTouches, 7)
      yield* composeAll
      assert.deepStrictEqual(yield* sql`select count(*) as mails from email_message where status = 'queued'`, [
        { mails: 8 }
      ])
    })
  )

  it.effect("is not what a prompt is that the model refuses", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead(due))
      yield* claimTouches
      yield* composeWithout(new LanguageModelFailed({ reason: "refused", detail: "prompt_too_long" }), 6)
      assert.deepStrictEqual(yield* sql`select pipeline_state from lead where lead_id = ${lead}`, [
        { pipeline_state: "pending_review" }
      ])
      assert.deepStrictEqual(yield* sql`select from model_outage`, [])
    })
  )
})
