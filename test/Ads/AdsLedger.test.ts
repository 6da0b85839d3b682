import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, Schema } from "effect"
import * as fc from "fast-check"
import { refundCampaign } from "../../src/Layers/Ads/Billing/RefundCampaign.ts"
import { AdsFunding } from "../../src/Services/Ads/AdsFunding.ts"
import { AdsCampaignView } from "../../src/Services/Ads/AdsModel.ts"
import { dayIn } from "../../src/Services/Ads/ReportDates.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import {
  AdsRoad,
  AdsWorld,
  answered,
  campaignsThere,
  catalog,
  fund,
  liveCampaign,
  readyDraft,
  tend
} from "./AdsWorld.ts"
import { adsSettings } from "./adsSettings.ts"

const tool = (name: string, args: object = {}) => answerOf(catalog, name, args)
const viewOf = (campaign: string) =>
  Effect.flatMap(tool("get_adsplatform_campaign", { campaign }), Schema.decodeUnknown(AdsCampaignView))
const own = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) =>
    as(caller)(
      Effect.zipRight(
        Effect.map(AdsRoad, (road) => road.clear()),
        test
      )
    )
  )

const giveBack = (campaign: string, cents: number, reference: string) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const funding = yield* AdsFunding
    // As after a pause and a sync, and before it is resumed.
    const set = (target: string, status: string) => sql`
      update ads_campaign set wanted = ${target}, synced_at = instant(),
        external_status = case when external_id is not null then ${status} end,
        external_status_at = instant() - interval '1 minute'
      where account_id = ${accountId} and name = ${campaign} and wanted <> 'ended'`
    yield* set("paused", "PAUSED")
    const refund = { accountId, campaign, amountMicros: cents * 10_000, reference }
    return yield* Effect.ensuring(unit.write(funding.refund(refund)), Effect.orDie(set("active", "ENABLED")))
  })

const refusalOf = <A, E extends { readonly reason?: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

const campaigns = ["Clínicas", "Escolas"] as const

/** What people and the platform do, with references that come again and figures that are corrected. */
const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom("fund" as const, "refund" as const),
    campaign: fc.constantFrom(...campaigns),
    cents: fc.constantFrom(1, 999, 12_345, 50_000),
    reference: fc.constantFrom("pix-1", "pix-2", "pix-3", "pix-4", "pix-5", "pix-6", "pix-7", "pix-8")
  }),
  fc.record({
    kind: fc.constant("spend" as const),
    campaign: fc.constantFrom(...campaigns),
    day: fc.integer({ min: 0, max: 2 }),
    micros: fc.integer({ min: 0, max: 60_000_000 })
  })
)

layer(AdsWorld, { excludeTestServices: true, timeout: "60 seconds" })("the ledger of ads campaigns", (it) => {
  it.effect("is what was paid less what was given back and charged, whatever comes again, late or corrected", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const road = yield* AdsRoad
        const { accountId } = yield* Caller
        for (const name of campaigns) yield* liveCampaign(name, 40, 500)
        const there = yield* campaignsThere
        const now = yield* Clock.currentTimeMillis
        const paid = new Map<string, { readonly campaign: string; readonly cents: number }>(
          campaigns.map((campaign) => [`first-${campaign}`, { campaign, cents: 50_000 }])
        )
        const charged = new Map<string, number>()
        const spentBy = (campaign: string) =>
          [...charged].reduce((sum, [key, micros]) => sum + (key.startsWith(`${campaign} `) ? micros : 0), 0)
        const paidFor = (campaign: string) =>
          [...paid.values()].reduce((sum, one) => sum + (one.campaign === campaign ? one.cents * 10_000 : 0), 0)
        for (const each of fc.sample(step, { numRuns: 45, seed: 16 })) {
          const { campaign } = each
          if (each.kind === "spend") {
            const date = dayIn(adsSettings.timeZone, now - each.day * 86_400_000)
            charged.set(`${campaign} ${date}`, each.micros)
            const id = there.find(({ name }) => name.startsWith(campaign))?.id
            const row = { segments: { date }, metrics: { costMicros: `${each.micros}`, clicks: "1", impressions: "9" } }
            road.plan(
              ({ body }) =>
                typeof body === "string" &&
                body.includes("segments.date, metrics.cost_micros") &&
                body.includes(`campaign.id = ${id} `),
              answered(200, JSON.stringify([{ results: [row] }]))
            )
            yield* tool("sync_adsplatform_spend", { campaign })
          } else {
            const cents = each.kind === "fund" ? each.cents : -each.cents
            const known = paid.get(each.reference)
            const isReplay = known?.campaign === campaign && known.cents === cents
            const isTooMuch = cents < 0 && paidFor(campaign) - spentBy(campaign) < -cents * 10_000
            const entered = yield* Effect.either(
              each.kind === "fund"
                ? fund(campaign, each.cents / 100, each.reference)
                : giveBack(campaign, each.cents, each.reference)
            )
            if (entered._tag === "Right") {
              assert.isTrue(known === undefined ? !isTooMuch : isReplay, JSON.stringify(each))
              assert.strictEqual(entered.right.is_new, known === undefined)
              paid.set(each.reference, { campaign, cents })
            } else {
              const reason = known !== undefined ? "reference_used" : "more_than_left"
              assert.propertyVal(entered.left, "reason", reason, JSON.stringify(each))
            }
          }
          const [row] = yield* sql<{ readonly paid: number; readonly spent: number }>`
            select (select coalesce(sum(amount_micros), 0)::bigint from ads_funding_entry f
                where f.account_id = ${accountId} and f.ads_campaign_id = c.ads_campaign_id) as paid,
              spent_micros as spent from ads_campaign c where c.account_id = ${accountId} and c.name = ${campaign}`
          assert.deepStrictEqual(row, { paid: paidFor(campaign), spent: spentBy(campaign) }, JSON.stringify(each))
        }
        const kinds = [...paid.values()]
        assert.isTrue(kinds.some(({ cents }) => cents < 0) && charged.size > 3)
        for (const campaign of campaigns) {
          const { balance } = yield* viewOf(campaign)
          const cents = (micros: number) => Math.round(micros / 10_000) / 100
          assert.strictEqual(balance.recharged_brl, cents(paidFor(campaign)))
          assert.closeTo(balance.remaining_brl, cents(paidFor(campaign) - spentBy(campaign)), 0.011)
        }
      })
    )
  )

  it.effect("a refund pauses the campaign, waits for its spend, and gives back at most what is left", () =>
    own(
      Effect.gen(function* () {
        const road = yield* AdsRoad
        const unit = yield* UnitOfWork
        const funding = yield* AdsFunding
        const { accountId } = yield* Caller
        yield* liveCampaign("Clínicas", 40, 300)
        const refund = (reference: string, amountMicros?: number) =>
          refundCampaign(
            { accountId, campaign: "Clínicas", amountMicros, reference },
            { pause: "10 millis", longest: "1 minute" }
          )
        const early = { accountId, campaign: "Clínicas", amountMicros: 10_000, reference: "early" }
        assert.strictEqual(yield* refusalOf(unit.write(funding.refund(early))), "campaign_running")

        // A click that the platform charges for after the pause.
        const date = dayIn(adsSettings.timeZone, yield* Clock.currentTimeMillis)
        const late = { segments: { date }, metrics: { costMicros: "20000000", clicks: "1", impressions: "9" } }
        const charged = answered(200, JSON.stringify([{ results: [late] }]))
        const waiting = yield* Effect.fork(refund("all"))
        yield* Effect.repeat(
          Effect.zipRight(
            tend,
            Effect.map(campaignsThere, ([campaign]) => campaign?.status)
          ),
          { until: (status) => status === "PAUSED", times: 50 }
        )
        road.plan(
          ({ body }) => typeof body === "string" && body.includes("segments.date, metrics.cost_micros"),
          ...Array.from({ length: 20 }, () => charged)
        )
        const tending = yield* Effect.fork(Effect.forever(tend))
        assert.deepInclude(yield* Fiber.join(waiting), { is_new: true, remaining_brl: 0 })
        yield* Fiber.interrupt(tending)
        assert.deepInclude((yield* viewOf("Clínicas")).balance, { recharged_brl: 20, spent_brl: 20 })

        // The same again is the same, and another one has nothing to give.
        assert.deepInclude(yield* refund("all"), { is_new: false })
        assert.strictEqual(yield* refusalOf(refund("more")), "more_than_left")
        assert.strictEqual(yield* refusalOf(refund("more", 10_000)), "more_than_left")
        yield* liveCampaign("Escolas", 40, 300)
        const stuck = { accountId, campaign: "Escolas", amountMicros: undefined, reference: "stuck" }
        assert.strictEqual(
          yield* refusalOf(refundCampaign(stuck, { pause: "5 millis", longest: "20 millis" })),
          "campaign_not_settled"
        )
      })
    )
  )

  it.effect("what is given back of a served campaign stops it, and an ended one takes no payment", () =>
    own(
      Effect.gen(function* () {
        yield* liveCampaign("Clínicas", 40, 300)
        assert.propertyVal(yield* Effect.flip(giveBack("Clínicas", 30_001, "back-1")), "reason", "more_than_left")
        yield* giveBack("Clínicas", 30_000, "back-1")
        yield* tend
        assert.deepInclude(yield* viewOf("Clínicas"), {
          status: "depleted",
          balance: { recharged_brl: 0, spent_brl: 0, remaining_brl: 0 }
        })
        assert.strictEqual((yield* campaignsThere)[0]?.status, "PAUSED")
        yield* fund("Clínicas", 100, "again")
        yield* tend
        assert.strictEqual((yield* viewOf("Clínicas")).status, "live")
        yield* tool("set_adsplatform_campaign_status", { campaign: "Clínicas", action: "End" })
        // Told late, of what was entered: nothing is to be given back a second time.
        assert.deepInclude(yield* fund("Clínicas", 100, "again"), { is_new: false })
        assert.propertyVal(yield* Effect.flip(fund("Clínicas", 50, "too late")), "reason", "campaign_ended")
        assert.deepInclude(yield* giveBack("Clínicas", 10_000, "back-2"), { remaining_brl: 0 })
      })
    )
  )

  it.effect(
    "funds of a campaign that cannot be served wait with it; it says what it lacks, once, and goes on by itself",
    () =>
      own(
        Effect.gen(function* () {
          const notifications = yield* Notifications
          const held = Effect.map(notifications.pending, ({ notifications: all }) =>
            all.filter(({ kind }) => kind === "ads_campaign_held")
          )
          yield* tool("create_adsplatform_campaign_draft", {
            name: "Tudo",
            daily_budget_brl: 40,
            channel_type: "Automated"
          })
          yield* fund("Tudo", 250)
          yield* tend
          yield* tend
          const view = yield* viewOf("Tudo")
          assert.deepInclude(view, { status: "held", hold_reason: "assets_missing" })
          assert.include(view.missing_assets, "logo")
          assert.include(view.hold_detail ?? "", "generate_image with aspect_ratio Square")
          assert.strictEqual(view.balance.remaining_brl, 250)
          assert.lengthOf(yield* held, 1)
          assert.deepInclude(yield* tool("nudge_adsplatform_provisioning", { campaign: "Tudo" }), {
            status: "held",
            hold_reason: "assets_missing"
          })
          assert.deepInclude(yield* giveBack("Tudo", 25_000, "back"), { remaining_brl: 0 })

          // A search campaign that was paid for before it was whole.
          const draft = yield* tool("create_adsplatform_campaign_draft", { name: "Cedo", daily_budget_brl: 40 })
          const { ad_group_id } = yield* Schema.decodeUnknown(Schema.Struct({ ad_group_id: Schema.Int }))(draft)
          yield* fund("Cedo", 250)
          yield* tend
          assert.deepInclude(yield* viewOf("Cedo"), { status: "held", missing_assets: ["ad", "keyword"] })
          yield* tool("create_adsplatform_search_ad", {
            campaign: "Cedo",
            ad_group_id,
            final_url: "https://ondas.example/",
            headlines: "Um título\nDois títulos\nTrês títulos",
            descriptions: "Um\nDois"
          })
          yield* tool("add_adsplatform_keywords", { campaign: "Cedo", ad_group_id, keywords: "agenda" })
          yield* tend
          assert.deepInclude(yield* viewOf("Cedo"), { status: "live", hold_reason: null })
          assert.strictEqual((yield* viewOf("Cedo")).balance.recharged_brl, 250)
        })
      )
  )

  it.effect("two campaigns whose names differ in little are not taken for each other when they are paid for", () =>
    own(
      Effect.gen(function* () {
        yield* readyDraft("Clínicas")
        yield* readyDraft("Clínicas 2")
        yield* Effect.all([fund("Clínicas 2", 10, "a"), fund("clínicas", 20, "b")], { concurrency: "unbounded" })
        const same = yield* Effect.all(
          [Effect.either(fund("Clínicas", 30, "c")), Effect.either(fund("Clínicas 2", 30, "c"))],
          {
            concurrency: "unbounded"
          }
        )
        assert.sameMembers(
          same.map(({ _tag }) => _tag),
          ["Left", "Right"]
        )
        const [one, two] = [(yield* viewOf("Clínicas")).balance, (yield* viewOf("Clínicas 2")).balance]
        assert.strictEqual(one.recharged_brl + two.recharged_brl, 60)
        assert.propertyVal(
          yield* Effect.flip(callTool(catalog, "get_adsplatform_campaign", { campaign: "Clínicas 3" })),
          "_tag",
          "NotFound"
        )
      })
    )
  )
})
