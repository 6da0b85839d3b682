import { assert, layer } from "@effect/vitest"
import { Array, Config, ConfigProvider, Console, Effect } from "effect"
import { LawServices, runLaws } from "../Outreach/Scheduling/schedulingLaws.ts"

/**
 * `LAW_LEADS`, `LAW_DAYS` and `LAW_SEED` make it smaller, or another one. The leads are of `LAW_ACCOUNTS` accounts, which
 * live side by side, each by a clock of its own: one alone mostly waits for its statements.
 */
const sizes = Config.all({
  leads: Config.withDefault(Config.integer("LAW_LEADS"), 2000),
  days: Config.withDefault(Config.integer("LAW_DAYS"), 90),
  seed: Config.withDefault(Config.integer("LAW_SEED"), 17),
  accounts: Config.withDefault(Config.integer("LAW_ACCOUNTS"), 4)
})

layer(LawServices, { excludeTestServices: true, timeout: "10 minutes" })("the laws of outreach", (it) => {
  it.effect("hold for a quarter of a year over thousands of leads", () =>
    Effect.gen(function* () {
      const { accounts, days, leads, seed } = yield* Effect.withConfigProvider(sizes, ConfigProvider.fromEnv())
      const passed = (account: number) => (until: number) =>
        until % 5 === 0
          ? Console.log(`account ${account}: ${until} of ${days} days, ${Math.round(performance.now() / 1000)} s`)
          : Effect.void
      const runs = yield* Effect.forEach(
        Array.range(1, accounts),
        (account) =>
          runLaws({
            leads: Math.ceil(leads / accounts),
            days,
            seed: seed + account - 1,
            clockName: `laws_${account}`,
            passed: passed(account)
          }),
        { concurrency: "unbounded" }
      )
      const sum = (of: (run: (typeof runs)[number]) => number) => runs.reduce((total, run) => total + of(run), 0)
      yield* Console.log(
        JSON.stringify({
          leads,
          days,
          seed,
          accounts,
          sent: sum(({ sent }) => sent),
          received: sum(({ received }) => received),
          kills: sum(({ kills }) => kills),
          operations: sum(({ operations }) => operations)
        })
      )
      for (const run of runs) assert.strictEqual(run.looks, days * 4)
    })
  )
})
