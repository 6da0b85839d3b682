import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Schema } from "effect"
import fc from "fast-check"
import { reportsPersonalData } from "../../src/Layers/Reports/PersonalData.ts"
import { ReportsPostgres } from "../../src/Layers/Reports/ReportsPostgres.ts"
import { rollUp } from "../../src/Layers/Reports/RollUps.ts"
import { compareVolumes } from "../../src/Layers/Reports/VolumeBenchmarks.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ReportsGroup } from "../../src/Tools/Reports/Reports.ts"
import { leadServicesWith } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { at } from "./at.ts"
import { changePast, type History, historyArbitrary, insertHistory, type World } from "./histories.ts"
import * as Slow from "./slowReports.ts"

const catalog = Catalog.make([ReportsGroup])
const Services = ReportsPostgres.pipe(Layer.provideMerge(leadServicesWith([reportsPersonalData])))

const sample = (seed: number): ReadonlyArray<History> => fc.sample(historyArbitrary, { seed, numRuns: 4 })

/** Dies at the end of a transaction, before the commit. */
const killedAt = <A, E, R>(transaction: number, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, (unit) => {
    let transactionCount = 0
    return Effect.provideService(
      effect,
      UnitOfWork,
      UnitOfWork.of({
        ...unit,
        write: (work) =>
          unit.write(++transactionCount === transaction ? Effect.zipLeft(work, Effect.die("killed")) : work)
      })
    )
  })

/** Days that are not over, with the time until which they are counted. */
const countedInParts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return (yield* sql`select from report_day where account_id = ${accountId} and until is not null`).length
})

/** Each report agrees with a slow count of the world. */
const agrees = (world: World, windows: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const { history } = world
    const call = (name: string, args: object = {}) => answerOf(catalog, name, args).pipe(at(history.now))
    for (const campaign of [undefined, world.campaigns[0]?.name]) {
      const of = campaign === undefined ? {} : { campaign }
      for (const days of windows) {
        const scope = { world, campaign, days }
        assert.deepStrictEqual(yield* call("get_performance_trends", { ...of, days }), Slow.trends(scope))
        for (const bucket of windows.length > 1 ? (["day", "week"] as const) : (["week"] as const)) {
          assert.deepInclude(yield* call("get_funnel_timeline", { ...of, days, bucket }), Slow.timeline(scope, bucket))
        }
        for (const group_by of windows.length > 1 ? (["campaign", "type", "both"] as const) : (["both"] as const)) {
          const mail = yield* call("get_message_performance", { ...of, days, group_by })
          assert.deepStrictEqual(Slow.unordered(mail), Slow.unordered(Slow.messages(scope, group_by)))
          const chat = yield* call("get_chatapp_message_performance", { ...of, days, group_by })
          assert.deepStrictEqual(Slow.unordered(chat), Slow.unordered(Slow.chats(scope, group_by)))
        }
        const metrics = yield* call("get_metrics_by_state_and_industry", { ...of, days })
        assert.deepStrictEqual(Slow.metricSums(metrics), Slow.metrics(scope))
      }
      assert.deepInclude(yield* call("get_prospecting_report", of), Slow.summary({ world, campaign, days: 0 }))
      assert.deepStrictEqual(
        Slow.unordered(yield* call("get_funnel_by_industry", of)),
        Slow.unordered(Slow.industries({ world, campaign, days: 0 }))
      )
    }
    const since = new Date(history.now - 9 * 86_400_000).toISOString().slice(0, 10)
    assert.deepInclude(yield* call("what_changed_since", { since_date: since }), Slow.changes(world, since))
  })

layer(Services, { excludeTestServices: true })("reports on random histories", (it) => {
  it.effect.each(sample(20_261_122).map((history, index) => ({ index, history })))(
    "history $index: each report says what a slow count says, and all say the same",
    ({ history }) =>
      Effect.gen(function* () {
        const caller = yield* makeAccount()
        yield* Effect.gen(function* () {
          const world = yield* insertHistory(history)
          yield* agrees(world, [1, 7, history.days])
          // The first run only starts to record changes. Later runs count days before they are over.
          const rollUpAgo = (hours: number) => rollUp(caller.accountId).pipe(at(history.now - hours * 3_600_000))
          yield* rollUpAgo(30)
          assert.isAbove(yield* rollUpAgo(29), 1)
          for (const hours of [20, 9, 4, 0]) yield* rollUpAgo(hours)
          assert.isAbove(yield* countedInParts, 0)
          yield* agrees(world, [1, history.days])
          const changed = yield* changePast(world)
          yield* agrees(changed, [history.days])
          // It is killed within the transaction that computes the days. The days that it marked stay marked.
          assert.isTrue(Exit.isFailure(yield* Effect.exit(killedAt(2, rollUp(caller.accountId)).pipe(at(history.now)))))
          yield* agrees(changed, [history.days])
          yield* rollUp(caller.accountId).pipe(at(history.now))
          yield* agrees(changed, [history.days])
          assert.strictEqual(yield* rollUp(caller.accountId).pipe(at(history.now)), 0)
        }).pipe(as(caller))
      }),
    180_000
  )

  it.effect("nothing of another account counts, and its campaign is not found", () =>
    Effect.gen(function* () {
      const [history] = sample(7)
      if (history === undefined) return
      const owner = yield* makeAccount()
      const world = yield* as(owner)(insertHistory(history))
      const stranger = yield* makeAccount()
      yield* Effect.gen(function* () {
        const report = yield* answerOf(catalog, "get_prospecting_report").pipe(at(history.now))
        assert.deepInclude(report, { total_leads: 0, emails_sent: 0, chatapp_sent: 0, reply_rate_pct: null })
        for (const name of [
          "get_performance_trends",
          "get_funnel_timeline",
          "get_message_performance",
          "get_funnel_by_industry",
          "list_prospecting_optimizations"
        ]) {
          const failure = yield* Effect.flip(callTool(catalog, name, { campaign: world.campaigns[0]?.name }))
          assert.deepInclude(failure, { _tag: "NotFound", reason: "campaign_not_found" }, name)
        }
      }).pipe(as(stranger))
    })
  )

  it.effect("figures move with a lead that changes campaign, and go with one that is erased", () =>
    Effect.gen(function* () {
      const [history] = sample(11)
      if (history === undefined) return
      const caller = yield* makeAccount()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const world = yield* insertHistory(history)
        const [from, to] = world.campaigns
        const sent = (campaign: string | undefined) =>
          Effect.flatMap(
            answerOf(catalog, "get_prospecting_report", campaign === undefined ? {} : { campaign }),
            Schema.decodeUnknown(Schema.Struct({ emails_sent: Schema.Int }))
          ).pipe(Effect.map(({ emails_sent }) => emails_sent))
        const before = yield* Effect.all([sent(from?.name), sent(to?.name), sent(undefined)])
        yield* sql`update lead set campaign_id = ${to?.id ?? 0} where account_id = ${accountId} and campaign_id = ${from?.id ?? 0}`
        const moved = yield* Effect.all([sent(from?.name), sent(to?.name), sent(undefined)])
        assert.deepStrictEqual(moved, [0, before[0] + before[1], before[2]])
        yield* sql`delete from lead where account_id = ${accountId}`
        assert.strictEqual(yield* sent(undefined), 0)
      }).pipe(as(caller))
    })
  )

  it.effect("a date to come is refused, and no figures are shown where few accounts stand behind them", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      yield* Effect.gen(function* () {
        const refusal = yield* Effect.flip(callTool(catalog, "what_changed_since", { since_date: "2999-01-01" }))
        assert.deepInclude(refusal, { _tag: "Refused", reason: "since_date_to_come" })
        assert.deepInclude(yield* answerOf(catalog, "estimate_lead_volume"), { benchmark: "Global", new_leads: null })
      }).pipe(as(caller))
    })
  )

  it.effect("accounts that leave and join again do not reveal another account's results", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const division = "05"
      const target = (accountId: number, code: string) => sql`
        update prospecting_config set cnae_filter = ${[code]} where account_id = ${accountId}`
      const join = Effect.tap(makeAccount(), ({ accountId }) => target(accountId, "0500301"))
      const joined = yield* join
      const others = yield* Effect.all(Array.from({ length: 10 }, () => join))
      const estimate = answerOf(catalog, "estimate_lead_volume").pipe(as(joined))
      const isShown = () => sql`
        select figures, made_at, is_shown, cardinality(members) as accounts from volume_benchmark where division = ${division}`
      assert.notDeepInclude(yield* estimate, { benchmark: "Similar" })
      yield* compareVolumes
      const before = yield* isShown()
      assert.deepInclude(before[0], { is_shown: true })
      assert.deepInclude(yield* estimate, { benchmark: "Similar", reason: null })
      // Two of eleven leave, and a new one joins. Below the minimum nothing is shown, and afterwards the earlier
      // figures.
      const [first, second] = others
      yield* Effect.forEach([first, second], (one) => target(one?.accountId ?? 0, "6201501"))
      yield* compareVolumes
      assert.deepInclude((yield* isShown())[0], { is_shown: false })
      assert.notDeepInclude(yield* estimate, { benchmark: "Similar" })
      const watched = yield* join
      yield* sql`
        insert into lead (account_id, name, email, status, pipeline_state)
        select ${watched.accountId}, 'L' || n, 'l' || n || '@volume.example', 'Cold', 'in_pipeline' from generate_series(1, 500) n`
      yield* Effect.forEach([first, second], (one) => target(one?.accountId ?? 0, "0500301"))
      yield* compareVolumes
      assert.deepStrictEqual(yield* isShown(), before)
      yield* Effect.all([join, join])
      yield* compareVolumes
      assert.deepInclude((yield* isShown())[0], { is_shown: true, accounts: 14 })
      // One account's five hundred leads are not in the published figures of fourteen.
      assert.deepInclude(yield* estimate, {
        benchmark: "Similar",
        new_leads: { per_week: { median: 0, top: 0 }, per_month: { median: 0, top: 0 } }
      })
    })
  )
})
