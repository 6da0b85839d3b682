import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { type LeadOutcome, Outcomes } from "../../src/Services/Outcomes/Outcomes.ts"
import { ChangesSince } from "../../src/Services/Reports/ReportModel.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ReportsGroup } from "../../src/Tools/Reports/Reports.ts"
import { TestEngine } from "../Outreach/support/touches.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ReportsGroup])

const outcomesSince = answerOf(catalog, "what_changed_since", { since_date: "2026-01-01" }).pipe(
  Effect.flatMap(Schema.decodeUnknown(ChangesSince)),
  Effect.map(({ outcomes }) => outcomes)
)

layer(TestEngine, { excludeTestServices: true })("outcomes that were corrected", (it) => {
  it.effect("count as the last final outcome, with its last value", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const unit = yield* UnitOfWork
      const outcomes = yield* Outcomes
      const register = (lead: LeadId, outcome: LeadOutcome, dealValueBrl?: number) =>
        me(unit.write(outcomes.register(lead, { outcome, dealValueBrl, reason: undefined })))
      const [lost, corrected, recovered, regained] = [
        yield* me(insertLead()),
        yield* me(insertLead()),
        yield* me(insertLead()),
        yield* me(insertLead())
      ]
      yield* register(lost, "won", 5000)
      yield* register(lost, "lost")
      yield* register(corrected, "won", 700)
      yield* register(corrected, "won", 900)
      yield* register(recovered, "gave_up")
      yield* me(unit.write(outcomes.recover(recovered, undefined)))
      yield* register(regained, "won", 40)
      yield* register(regained, "gave_up")
      yield* register(regained, "won", 60)
      const answer = yield* me(outcomesSince)
      assert.deepInclude(answer, { won_count: 2, lost_count: 1, gave_up_count: 0, total_deal_value_brl: 960 })
      assert.deepStrictEqual(
        answer.won_items.map(({ deal_value_brl }) => deal_value_brl),
        [60, 900]
      )
    })
  )
})
