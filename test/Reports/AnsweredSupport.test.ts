import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SupportDesk, SupportRequests } from "../../src/Services/Support/SupportRequests.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ReportsGroup } from "../../src/Tools/Reports/Reports.ts"
import { TestEngine } from "../Outreach/support/touches.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ReportsGroup])
const listedAnswers = Effect.map(answerOf(catalog, "what_changed_since", { since_date: "2026-01-01" }), (answer) =>
  typeof answer === "object" && answer !== null && "support_answered" in answer ? answer.support_answered : undefined
)

layer(TestEngine, { excludeTestServices: true })("what_changed_since", (it) => {
  it.effect("lists the account's answered support requests with their answers, and none that wait", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const other = yield* makeAccount()
      const requests = yield* SupportRequests
      const desk = yield* SupportDesk
      const ask = (message: string) => requests.create({ message, type: "question", severity: "low" })
      const { request } = yield* as(caller)(ask("How do I export?"))
      yield* as(caller)(ask("Another one, still open."))
      const foreign = yield* as(other)(ask("Not yours."))
      assert.deepStrictEqual(yield* as(caller)(listedAnswers), [])
      const { answered_at } = yield* desk.answer(caller.accountId, request.support_request_id, "With export_leads.")
      yield* desk.answer(other.accountId, foreign.request.support_request_id, "Secret.")
      assert.deepStrictEqual(yield* as(caller)(listedAnswers), [
        { message: "How do I export?", answer: "With export_leads.", answered_at }
      ])
    })
  )
})
