import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { lostTouches } from "../../../src/Layers/Outreach/LostTouches.ts"
import { composeTouch } from "../../../src/Services/Outreach/TouchTasks.ts"
import { insertLead } from "../../support/leads/LeadServices.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { claimTouches, TestEngine } from "../support/touches.ts"

const restore = lostTouches.handler.run({}, { id: "1", attempt: 1, maxAttempts: 3 })

/** A claimed lead whose task is lost, so many hours after the claim. */
const lostFor = (hours: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const caller = yield* makeAccount()
    const { accountId } = caller
    const leadId = yield* as(caller)(insertLead({ next_touch_at: "2026-01-05T12:00:00Z" }))
    yield* claimTouches
    yield* sql`delete from graphile_worker._private_jobs where (payload->>'accountId')::bigint = ${accountId}`
    yield* sql`
      update touch set created_at = created_at - make_interval(hours => ${hours}) where account_id = ${accountId}`
    yield* sql`
      update lead set next_touch_at = next_touch_at - make_interval(hours => ${hours}) where account_id = ${accountId}`
    const tasks = sql`
      select from graphile_worker.jobs where task_identifier = ${composeTouch.name}
        and key like ${`compose_touch:${accountId}:%`}`
    const touches = sql`select status, reason from touch where account_id = ${accountId} order by touch_id`
    return { leadId, tasks: Effect.map(tasks, (rows) => rows.length), touches }
  })

layer(TestEngine, { excludeTestServices: true })("a touch whose task is lost", (it) => {
  it.effect("is tried again after an hour, by one task however often that is seen", () =>
    Effect.gen(function* () {
      const young = yield* lostFor(0)
      const old = yield* lostFor(2)
      yield* restore
      yield* restore
      assert.strictEqual(yield* young.tasks, 0)
      assert.strictEqual(yield* old.tasks, 1)
      assert.deepStrictEqual(yield* old.touches, [{ status: "writing", reason: null }])
    })
  )

  it.effect("has failed after a day, and the lead is claimed anew", () =>
    Effect.gen(function* () {
      const { tasks, touches } = yield* lostFor(25)
      yield* claimTouches
      assert.lengthOf(yield* touches, 1)
      yield* restore
      assert.strictEqual(yield* tasks, 0)
      yield* claimTouches
      assert.deepStrictEqual(yield* touches, [
        { status: "failed", reason: "not_written" },
        { status: "writing", reason: null }
      ])
    })
  )
})
