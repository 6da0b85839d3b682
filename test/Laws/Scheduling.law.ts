import { assert, layer } from "@effect/vitest"
import { Config, ConfigProvider, Console, Effect } from "effect"
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
      const size = yield* Effect.withConfigProvider(sizes, ConfigProvider.fromEnv())
      const passed = (days: number) =>
        days % 5 === 0
          ? Console.log(`${days} of ${size.days} days, ${Math.round(performance.now() / 1000)} s`)
          : Effect.void
      const run = yield* runLaws({ ...size, passed })
      yield* Console.log(JSON.stringify({ ...size, ...run }))
      assert.strictEqual(run.looks, size.days * 4)
    })
  )
})
