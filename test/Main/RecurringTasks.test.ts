import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { rooms } from "../../src/Layers/App.ts"
import { TestEngine } from "../Outreach/support/touches.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

layer(TestEngine, { excludeTestServices: true })("what is done again and again", (it) => {
  it.effect.each(rooms.recurring)("$name is done", ({ payload, task }) =>
    Effect.gen(function* () {
      yield* as(yield* makeAccount())(insertLead({ pipeline_state: "user_controlled" }))
      const handler = (yield* rooms.tasks).find((one) => one.task.name === task)
      assert.isDefined(handler, `nobody does ${task}`)
      yield* handler.run(payload, { id: "1", attempt: 1, maxAttempts: 1 })
    })
  )
})
