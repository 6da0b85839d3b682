import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { fromMillis, toMillis } from "../../src/Services/Core/Timestamp.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { Outcomes } from "../../src/Services/Outcomes/Outcomes.ts"
import { maximumTouches } from "../../src/Services/Outreach/Cadence.ts"
import { LeadSchedule } from "../../src/Services/Outreach/LeadSchedule.ts"
import { notificationsNow, receiveMail } from "../Replies/support/replies.ts"
import { historyOf, insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { reading } from "../Writing/TestBrief.ts"
import { claimTouches, composeAll, TestEngine } from "./support/touches.ts"

const atItsEnd = {
  time_zone: "UTC",
  next_touch_at: "2026-01-01T00:00:00Z",
  touch_count: maximumTouches,
  last_outbound_at: "2025-12-20T00:00:00Z"
}

/** A lead that was written to, with its cadence at the end. */
const finishedCadence = (status: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const lead = yield* insertLead({ ...atItsEnd, status })
    yield* receiveMail(lead, "Tell me more", { classification: JSON.stringify(reading("interested")) })
    yield* sql`
      insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject, body_text)
      select account_id, lead_id, 'outbound', 'sent', '<out' || lead_id || '@mail.example>', 'a@mail.example', email,
        'Hello', 'We wrote' from lead where lead_id = ${lead}`
    return lead
  })

layer(TestEngine, { excludeTestServices: true })("the end of a cadence", (it) => {
  it.effect("puts a lead that showed interest before the owner, once, and says so in its history", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const status of ["Interested", "Confirmed", "Aware", "Gatekeeper"]) {
        const me = as(yield* makeAccount())
        const lead = yield* me(finishedCadence(status))
        yield* claimTouches
        yield* composeAll
        const [state] = yield* sql`select pipeline_state, review_reason, status from lead where lead_id = ${lead}`
        assert.deepStrictEqual(state, { pipeline_state: "pending_review", review_reason: "cadence_ended", status })
        yield* claimTouches
        yield* composeAll
        const kinds = yield* me(notificationsNow)
        assert.deepStrictEqual(kinds, [
          { kind: "lead_sent_for_human_review", data: { lead_id: lead, reason: "cadence_ended" } }
        ])
        const [notice] = yield* sql<{ readonly message: string }>`
          select message from notification where data ->> 'lead_id' = ${String(lead)}`
        assert.match(notice?.message ?? "", /return_lead_to_pipeline/)
        const history = yield* me(historyOf(lead))
        assert.deepInclude(history.at(-1), { event_type: "flagged_for_review", reason: "cadence_ended" })
      }
    })
  )

  it.effect("leaves one that did not alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const lead = yield* me(finishedCadence("NotInterested"))
      yield* claimTouches
      yield* composeAll
      const [state] = yield* sql`select pipeline_state from lead where lead_id = ${lead}`
      assert.deepStrictEqual(state, { pipeline_state: "in_pipeline" })
      assert.lengthOf(yield* me(notificationsNow), 0)
    })
  )

  it.effect("a lead that is returned, or whose touch the owner sets, starts its cadence again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const leads = yield* Leads
      const schedule = yield* LeadSchedule
      const me = as(yield* makeAccount())
      const reviewed = yield* me(insertLead({ ...atItsEnd, pipeline_state: "pending_review" }))
      const ended = yield* me(insertLead({ touch_count: maximumTouches }))
      const moved = yield* me(insertLead(atItsEnd))
      const unmoved = yield* me(insertLead(atItsEnd))
      yield* me(unit.write(leads.transition(reviewed, "return_to_pipeline")))
      const again = yield* me(unit.write(leads.transition(ended, "return_to_pipeline")))
      assert.isNotNull(again.next_touch_at)
      const tomorrow = fromMillis(Date.now() + 86_400_000)
      const options = { importedFrom: undefined, preferredChannel: undefined }
      yield* me(unit.write(schedule.reschedule({ ...options, leadIds: [moved], nextTouchAt: tomorrow })))
      yield* me(
        unit.write(
          schedule.reschedule({ ...options, leadIds: [unmoved], nextTouchAt: undefined, preferredChannel: "Email" })
        )
      )
      const counts = yield* sql<{ readonly count: number }>`
        select touch_count as count from lead where lead_id = any (${[reviewed, ended, moved, unmoved]}::bigint[]) order by lead_id`
      assert.deepStrictEqual(
        counts.map(({ count }) => count),
        [0, 0, 0, maximumTouches]
      )
    })
  )
})

layer(TestEngine, { excludeTestServices: true })("a lead that is recovered", (it) => {
  it.effect("is written to after a while, a day after the last message, and not before the day that it named", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const outcomes = yield* Outcomes
      const me = as(yield* makeAccount())
      const [{ now = "" } = {}] = yield* sql<{ readonly now: string }>`select instant()::text as now`
      const present = Date.parse(now)
      const recover = (columns: { readonly [column: string]: string }, returnDate?: string) =>
        Effect.gen(function* () {
          const lead = yield* insertLead({ time_zone: "UTC", pipeline_state: "user_controlled", ...columns })
          if (returnDate !== undefined) {
            const later = JSON.stringify({ ...reading("later"), returnDate })
            yield* receiveMail(lead, "Write in May", { classification: later })
          }
          const { next_touch_at } = yield* unit.write(outcomes.recover(lead, "She asked about prices."))
          const [stored] = yield* sql<{ readonly at: string }>`
            select next_touch_at as at from lead where lead_id = ${lead}`
          assert.strictEqual(stored?.at, next_touch_at)
          return next_touch_at === null ? 0 : toMillis(next_touch_at) - present
        })
      const hour = 3_600_000
      const soon = yield* me(recover({}))
      assert.isAtLeast(soon, 15 * 60_000)
      assert.isAtMost(soon, 5 * hour)
      const distant = yield* me(recover({ last_outbound_at: new Date(present - hour).toISOString() }))
      assert.isAtLeast(distant, 22 * hour)
      const day = new Date(present + 40 * 24 * hour).toISOString().slice(0, 10)
      assert.isAtLeast(yield* me(recover({}, day)), 38 * 24 * hour)
    })
  )
})
