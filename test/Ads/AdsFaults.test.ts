import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Predicate, Schema } from "effect"
import { AdsCampaignView } from "../../src/Services/Ads/AdsModel.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import {
  AdsRoad,
  AdsWorld,
  answered,
  campaignsThere,
  catalog,
  type Fault,
  fund,
  isCheck,
  isMutate,
  later,
  liveCampaign,
  readyDraft,
  tend,
  timedOutAfter,
  timedOutBefore
} from "./AdsWorld.ts"

const campaign = "Clínicas"
const tool = (name: string, args: object = {}) => answerOf(catalog, name, { campaign, ...args })
const own = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) =>
    as(caller)(
      Effect.zipRight(
        Effect.map(AdsRoad, (road) => road.clear()),
        test
      )
    )
  )
const reasonOf = (name: string, args: object = {}) =>
  Effect.map(Effect.flip(callTool(catalog, name, { campaign, ...args })), (failure) =>
    Predicate.hasProperty(failure, "reason") ? failure.reason : failure._tag
  )
const viewOf = Effect.flatMap(tool("get_adsplatform_campaign"), Schema.decodeUnknown(AdsCampaignView))

/** As the platform's published examples have it. */
const failureBody = (code: number, status: string, errors: ReadonlyArray<object>) =>
  JSON.stringify({
    error: {
      code,
      message: "Request contains an invalid argument.",
      status,
      details: [
        { "@type": "type.googleapis.com/google.ads.googleads.v26.errors.GoogleAdsFailure", errors, requestId: "wWzL4g" }
      ]
    }
  })
const authError = failureBody(401, "UNAUTHENTICATED", [{ errorCode: { authenticationError: "OAUTH_TOKEN_REVOKED" } }])
const busy = failureBody(429, "RESOURCE_EXHAUSTED", [{ errorCode: { quotaError: "RESOURCE_TEMPORARILY_EXHAUSTED" } }])
const quota = failureBody(429, "RESOURCE_EXHAUSTED", [{ errorCode: { quotaError: "RESOURCE_EXHAUSTED" } }])
const suspended = failureBody(403, "PERMISSION_DENIED", [{ errorCode: { authorizationError: "CUSTOMER_NOT_ENABLED" } }])
const duplicate = failureBody(400, "INVALID_ARGUMENT", [{ errorCode: { campaignError: "DUPLICATE_CAMPAIGN_NAME" } }])

layer(AdsWorld, { excludeTestServices: true })("what the ads platform answers", (it) => {
  const passing: ReadonlyArray<readonly [string, Fault, string]> = [
    ["429", answered(429, busy, { "retry-after": "7" }), "ads_platform_rate_limited"],
    ["quota", answered(429, quota), "ads_platform_quota_used_up"],
    ["500", answered(500, "{}"), "ads_platform_unavailable"],
    ["HTML", answered(200, "<!doctype html><p>oops"), "ads_platform_unreadable"],
    ["half JSON", answered(200, '[{"results":[{"camp'), "ads_platform_unreadable"],
    ["a list that is none", answered(200, '{"results":[]}'), "ads_platform_unreadable"],
    ["no answer", timedOutBefore, "ads_platform_unavailable"]
  ]

  it.effect("passing trouble is told as such, and the next call goes on", () =>
    own(
      Effect.gen(function* () {
        const road = yield* AdsRoad
        yield* liveCampaign()
        for (const [name, fault, reason] of passing) {
          road.plan(({ url }) => url.endsWith("searchStream"), fault)
          assert.strictEqual(
            yield* reasonOf("get_adsplatform_performance_report", { report_type: "Daily" }),
            reason,
            name
          )
          yield* tool("get_adsplatform_performance_report", { report_type: "Daily" })
        }
        // An access that ended is taken anew, once.
        road.plan(({ url }) => url.endsWith("searchStream"), answered(401, authError))
        yield* tool("get_adsplatform_performance_report", { report_type: "Daily" })
        road.plan(({ url }) => url.endsWith("searchStream"), answered(401, authError), answered(401, authError))
        assert.strictEqual(
          yield* reasonOf("get_adsplatform_performance_report", { report_type: "Daily" }),
          "ads_platform_unauthorized"
        )
      })
    )
  )

  it.effect("figures that are none are not taken over", () =>
    own(
      Effect.gen(function* () {
        const road = yield* AdsRoad
        yield* liveCampaign()
        const isSpend = ({ body }: { readonly body?: unknown }) =>
          typeof body === "string" && body.includes("segments.date, metrics.cost_micros")
        for (const cost of ['"-5"', '"lots"', "1e40", '"NaN"']) {
          const row = `[{"results":[{"segments":{"date":"2026-11-01"},"metrics":{"costMicros":${cost}}}]}]`
          road.plan(isSpend, answered(200, row))
          assert.strictEqual(yield* reasonOf("sync_adsplatform_spend"), "ads_platform_unreadable", cost)
        }
        assert.strictEqual((yield* viewOf).balance.spent_brl, 0)
      })
    )
  )

  it.effect("a mutate of which nobody knows whether it was done is looked up, and never done twice", () =>
    own(
      Effect.gen(function* () {
        const road = yield* AdsRoad
        yield* readyDraft()
        yield* fund(campaign, 300)
        for (const fault of [timedOutBefore, timedOutAfter]) {
          road.plan(isMutate, fault)
          yield* Effect.either(callTool(catalog, "nudge_adsplatform_provisioning", { campaign }))
        }
        yield* tend
        assert.lengthOf(yield* campaignsThere, 1)
        assert.strictEqual((yield* viewOf).status, "live")
        road.plan(isMutate, timedOutAfter)
        const { ad_group_id } = yield* viewOf
        const keywords = { ad_group_id, keywords: "software médico" }
        assert.include(JSON.stringify(yield* tool("add_adsplatform_keywords", keywords)), '"state":"sending"')
        yield* tend
        const listed = JSON.stringify(yield* tool("list_adsplatform_keywords", { ad_group_id }))
        assert.include(listed, '"text":"software médico","match_type":"Broad","status":"enabled"')
        assert.strictEqual((yield* viewOf).unsent_changes, 0)
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        assert.lengthOf(
          yield* sql`select from sandbox_ads_record where account_id = ${accountId} and kind = 'keyword'`,
          3
        )
      })
    )
  )

  it.effect("what the policies refuse is left out and told, and the rest goes on", () =>
    own(
      Effect.gen(function* () {
        const { ad_group_id } = yield* readyDraft()
        const miracle = "Milagre na agenda\nMenos faltas hoje\nFale conosco"
        const ad = { ad_group_id, final_url: "https://ondas.example/2", headlines: miracle, descriptions: "Um\nDois" }
        yield* tool("create_adsplatform_search_ad", ad)
        yield* fund(campaign, 300)
        yield* tend
        assert.strictEqual((yield* viewOf).status, "live")
        assert.include(
          JSON.stringify(yield* tool("diagnose_adsplatform_campaign")),
          "MISLEADING_CONTENT (Milagre na agenda)"
        )
        // After go-live only what is refused is: partial failure.
        const added = JSON.stringify(
          yield* tool("add_adsplatform_keywords", { ad_group_id, keywords: "agenda fácil\nmilagre já" })
        )
        assert.include(added, '"text":"agenda fácil","state":"at_platform"')
        assert.include(added, '"text":"milagre já","state":"refused","refusal":"POLICY_FINDING')
      })
    )
  )

  it.effect("a campaign whose every ad is refused waits for another one", () =>
    own(
      Effect.gen(function* () {
        const { ad_group_id } = yield* answerDraft
        yield* fund(campaign, 300)
        yield* tend
        assert.deepInclude(yield* viewOf, { status: "held", hold_reason: "policy_findings", missing_assets: ["ad"] })
        assert.isEmpty(yield* campaignsThere)
        yield* tool("create_adsplatform_search_ad", {
          ad_group_id,
          final_url: "https://ondas.example/",
          headlines: "Um título\nDois títulos\nTrês títulos",
          descriptions: "Um\nDois"
        })
        assert.strictEqual((yield* viewOf).status, "live")
      })
    )
  )

  it.effect("a refusal fails the campaign with its code, and a nudge tries again", () =>
    own(
      Effect.gen(function* () {
        const road = yield* AdsRoad
        yield* readyDraft()
        yield* fund(campaign, 300)
        road.plan(isCheck, answered(400, duplicate))
        yield* tend
        const failed = yield* viewOf
        assert.strictEqual(failed.status, "failed")
        assert.include(failed.hold_detail ?? "", "DUPLICATE_CAMPAIGN_NAME")
        assert.deepInclude(yield* tool("nudge_adsplatform_provisioning"), { status: "live", hold_reason: null })
      })
    )
  )

  it.effect("a suspended account holds the campaign until it is no more", () =>
    own(
      Effect.gen(function* () {
        const road = yield* AdsRoad
        yield* readyDraft()
        yield* fund(campaign, 300)
        road.plan(isCheck, answered(403, suspended))
        yield* tend
        assert.deepInclude(yield* viewOf, { status: "held", suspension_reason: "account_suspended" })
        yield* tend
        assert.deepInclude(yield* viewOf, { status: "live", suspension_reason: null })
      })
    )
  )

  it.effect("the end is told again until the platform has it", () =>
    own(
      Effect.gen(function* () {
        const road = yield* AdsRoad
        yield* liveCampaign()
        road.plan(isMutate, timedOutBefore)
        assert.deepInclude(yield* tool("set_adsplatform_campaign_status", { action: "End" }), {
          status: "ended",
          is_at_platform: false
        })
        yield* tend
        assert.strictEqual((yield* campaignsThere)[0]?.status, "REMOVED")
      })
    )
  )

  it.effect("what is spent stays within the documented bound, however many search", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const budget = 50
        yield* liveCampaign(campaign, budget, 400)
        yield* sql`
          update sandbox_ads_account set troubles = '{"bursts": [{"from": 0, "until": 9999999999999}]}'
          where account_id = ${accountId}`
        let lowest = 0
        for (let look = 0; look < 20; look++) {
          // Six hours pass between two looks, far longer than they ought to.
          yield* later(look * 6 * 3_600_000)(tend)
          const { balance } = yield* viewOf
          lowest = Math.min(lowest, balance.remaining_brl)
        }
        const { balance, status } = yield* viewOf
        assert.strictEqual(status, "depleted")
        assert.isAbove(balance.spent_brl, 300)
        assert.isAtLeast(lowest, -2 * budget)
        assert.strictEqual((yield* campaignsThere)[0]?.status, "PAUSED")
        assert.strictEqual(yield* reasonOf("set_adsplatform_campaign_status", { action: "Resume" }), "no_balance")
        yield* fund(campaign, 500, "more")
        yield* later(21 * 6 * 3_600_000)(tend)
        assert.strictEqual((yield* viewOf).status, "live")
      })
    )
  )

  it.effect("a payment is entered once, for one campaign and amount", () =>
    own(
      Effect.gen(function* () {
        yield* readyDraft()
        assert.deepInclude(yield* fund(campaign, 100, "pix-1"), { is_new: true, remaining_brl: 100 })
        assert.deepInclude(yield* fund(campaign, 100, "pix-1"), { is_new: false, remaining_brl: 100 })
        assert.propertyVal(yield* Effect.flip(fund(campaign, 90, "pix-1")), "reason", "reference_used")
        assert.propertyVal(yield* Effect.flip(fund(campaign, 0, "pix-2")), "reason", "amount_out_of_range")
        assert.propertyVal(yield* Effect.flip(fund(campaign, 10, " ")), "reason", "reference_invalid")
        assert.strictEqual((yield* viewOf).balance.recharged_brl, 100)
      })
    )
  )
})

/** A draft whose only ad the policies refuse. */
const answerDraft = Effect.gen(function* () {
  const made = yield* answerOf(catalog, "create_adsplatform_campaign_draft", { name: campaign, daily_budget_brl: 40 })
  const { ad_group_id } = yield* Schema.decodeUnknown(Schema.Struct({ ad_group_id: Schema.Int }))(made)
  yield* tool("create_adsplatform_search_ad", {
    ad_group_id,
    final_url: "https://ondas.example/",
    headlines: "Milagre na agenda\nMenos faltas hoje\nFale conosco",
    descriptions: "Um\nDois"
  })
  yield* tool("add_adsplatform_keywords", { ad_group_id, keywords: "agenda" })
  return { ad_group_id }
})
