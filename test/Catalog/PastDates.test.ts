import { assert, layer, it as plainIt } from "@effect/vitest"
import { Effect, Either, Predicate } from "effect"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { testGateway } from "../support/servers/TestServer.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const reason = "date_in_the_past"

/** Tools that set when a lead is contacted next. */
const toolsWithNextTouch = AllTools.entries.flatMap(({ tool }) =>
  tool.kind !== "read" && Object.hasOwn(tool.parameters, "next_touch_date") ? [tool] : []
)

plainIt("there are tools that set the next touch", () => {
  assert.sameMembers(
    toolsWithNextTouch.map(({ name }) => name),
    ["cancel_lead_meeting", "reschedule_lead_touch", "return_lead_to_pipeline"]
  )
})

layer(testGateway(), { excludeTestServices: true })("a date of the next touch", (it) => {
  for (const tool of toolsWithNextTouch) {
    it.effect(`that is more than a day past is refused by ${tool.name}`, () =>
      Effect.gen(function* () {
        const me = as(yield* makeAccount())
        const lead = yield* me(insertLead())
        const ids = { lead_id: lead, lead_ids: `${lead}` }
        const args = Object.fromEntries(
          Object.entries({ ...tool.example, ...ids }).filter(([name]) => Object.hasOwn(tool.parameters, name))
        )
        const call = (date: Date) =>
          Effect.either(me(answerOf(AllTools, tool.name, { ...args, next_touch_date: date.toISOString() })))
        const now = Date.now()
        const past = yield* call(new Date(now - 25 * 3_600_000))
        assert.isTrue(Either.isLeft(past) && Predicate.hasProperty(past.left, "reason") && past.left.reason === reason)
        // Clocks and time zones differ. What else refuses the call names another reason.
        const tolerated = yield* call(new Date(now - 23 * 3_600_000))
        if (Either.isLeft(tolerated)) {
          assert.isTrue(Predicate.hasProperty(tolerated.left, "reason") && tolerated.left.reason !== reason)
        }
      })
    )
  }
})
