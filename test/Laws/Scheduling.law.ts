import { assert, layer } from "@effect/vitest"
import { Config, Console, Effect } from "effect"
import { LawServices, runLaws } from "../Outreach/schedulingLaws.ts"

/** `LAW_LEADS`, `LAW_DAYS` and `LAW_SEED` make it smaller, or another one. */
const sizes = Config.all({
  leads: Config.withDefault(Config.integer("LAW_LEADS"), 2000),
  days: Config.withDefault(Config.integer("LAW_DAYS"), 90),
  seed: Config.withDefault(Config.integer("LAW_SEED"), 17)
})

layer(LawServices, { excludeTestServices: true, timeout: "10 minutes" })("the laws of outreach", (it) => {
  it.effect("hold for a quarter of a year over thousands of leads", () =>
    Effect.gen(function* () {
      const size = yield* sizes
      const run = yield* runLaws(size)
      yield* Console.log(JSON.stringify({ ...size, ...run }))
      assert.strictEqual(run.looks, size.days * 4)
    })
  )
})
