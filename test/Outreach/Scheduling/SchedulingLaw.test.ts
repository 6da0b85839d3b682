import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LawServices, runLaws } from "./schedulingLaws.ts"

/** The run of `npm run test:laws` is this one with more leads and days. */
layer(LawServices, { excludeTestServices: true })("a lead in the pipeline", (it) => {
  it.effect(
    "is scheduled until its cadence is over, whatever the owner does, whatever is away and whoever dies",
    () =>
      Effect.gen(function* () {
        const size = { leads: 24, days: 14 }
        const { looks, sent } = yield* runLaws(size)
        assert.strictEqual(looks, size.days * 4)
        assert.isAbove(sent, size.leads / 2)
      }),
    1_800_000
  )
})
