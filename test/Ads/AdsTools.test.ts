import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Predicate, Schema, Stream } from "effect"
import sharp from "sharp"
import { AdsCampaignView, PerformanceReport } from "../../src/Services/Ads/AdsModel.ts"
import { hashedMember, hashedPhone } from "../../src/Services/Ads/AudienceMembers.ts"
import { ReportType } from "../../src/Services/Ads/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import {
  AdsRoad,
  AdsWorld,
  campaignsThere,
  catalog,
  descriptions,
  fund,
  headlines,
  later,
  liveCampaign,
  readyDraft,
  Tending,
  tend
} from "./AdsWorld.ts"

const tool = (name: string, args: object = {}) => answerOf(catalog, name, args)
const own = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) =>
    as(caller)(
      Effect.zipRight(
        Effect.map(AdsRoad, (road) => road.clear()),
        test
      )
    )
  )
const failureOf = (name: string, args: object) => Effect.flip(callTool(catalog, name, args))
const reasonOf = (name: string, args: object) =>
  Effect.map(failureOf(name, args), (failure) =>
    Predicate.hasProperty(failure, "reason") ? failure.reason : failure._tag
  )
const campaign = "Clínicas"
const viewOf = (name = campaign) =>
  Effect.flatMap(tool("get_adsplatform_campaign", { campaign: name }), Schema.decodeUnknown(AdsCampaignView))
const reportOf = (report_type: string, date_range = "LAST_30_DAYS") =>
  Effect.flatMap(
    tool("get_adsplatform_performance_report", { campaign, report_type, date_range }),
    Schema.decodeUnknown(PerformanceReport)
  )

layer(AdsWorld, { excludeTestServices: true })("the tools of the ads platform", (it) => {
  it.effect("a draft is not served, names what it lacks, and keeps its ad group's id when it goes live", () =>
    own(
      Effect.gen(function* () {
        const draft = yield* tool("create_adsplatform_campaign_draft", { name: campaign, daily_budget_brl: "40.005" })
        assert.deepInclude(draft, {
          status: "draft",
          daily_budget_brl: 40.01,
          budget_adjustment: "rounded",
          missing_assets: ["ad", "keyword"]
        })
        assert.strictEqual(yield* reasonOf("nudge_adsplatform_provisioning", { campaign }), "no_funds")
        const { ad_group_id } = yield* viewOf()
        yield* fund(campaign, 500)
        assert.deepInclude(yield* tool("nudge_adsplatform_provisioning", { campaign }), {
          status: "held",
          hold_reason: "assets_missing"
        })
        assert.isEmpty(yield* campaignsThere)
        const ad = { campaign, ad_group_id, final_url: "https://ondas.example/", headlines, descriptions }
        assert.deepInclude(yield* tool("create_adsplatform_search_ad", ad), { state: "draft" })
        const keywords = { campaign, ad_group_id, keywords: "agenda, online\nagenda médica" }
        const added = yield* tool("add_adsplatform_keywords", keywords)
        assert.include(JSON.stringify(added), '"given":"agenda, online","text":"agenda online","state":"at_platform"')
        assert.deepInclude(yield* viewOf(), { status: "live", ad_group_id, missing_assets: [] })
        assert.deepInclude(yield* tool("add_adsplatform_keywords", keywords), {
          added: [],
          already_there: ["agenda online", "agenda médica"]
        })
        const [there] = yield* campaignsThere
        assert.strictEqual(there?.status, "ENABLED")
      })
    )
  )

  it.effect("bad input is refused with what is wrong, before anything is changed", () =>
    own(
      Effect.gen(function* () {
        const { ad_group_id } = yield* readyDraft()
        const ad = { campaign, ad_group_id, final_url: "https://ondas.example/x", headlines, descriptions }
        const cases: ReadonlyArray<readonly [string, object, string]> = [
          ["create_adsplatform_campaign_draft", { name: "X", daily_budget_brl: 0 }, "budget_not_positive"],
          ["create_adsplatform_campaign_draft", { name: "X", daily_budget_brl: -3 }, "budget_not_positive"],
          ["create_adsplatform_campaign_draft", { name: "clínicas", daily_budget_brl: 5 }, "name_taken"],
          ["create_adsplatform_campaign_draft", { name: "  ", daily_budget_brl: 5 }, "name_invalid"],
          ["create_adsplatform_campaign_draft", { name: "123", daily_budget_brl: 5 }, "name_of_digits"],
          [
            "create_adsplatform_campaign_draft",
            { name: "X", daily_budget_brl: 5, channel_type: "Video" },
            "value_not_accepted"
          ],
          ["create_adsplatform_search_ad", { ...ad, headlines: `${"x".repeat(31)}\nB\nC` }, "headline_too_long"],
          ["create_adsplatform_search_ad", { ...ad, final_url: "http://ondas.example" }, "final_url_invalid"],
          ["create_adsplatform_search_ad", { ...ad, ad_group_id: 999_999 }, "ad_group_not_found"],
          ["create_adsplatform_search_ad", { ...ad, final_url: "https://ondas.example/clinicas" }, "ad_repeated"],
          ["add_adsplatform_keywords", { campaign, ad_group_id: 999_999, keywords: "a" }, "ad_group_not_found"],
          ["add_adsplatform_keywords", { campaign, ad_group_id, keywords: "ok\n50%" }, "keyword_character"],
          ["add_adsplatform_negative_keywords", { campaign, keywords: "" }, "keywords_empty"],
          ["update_adsplatform_campaign_budget", { campaign, new_daily_budget_brl: 0 }, "budget_not_positive"],
          ["set_adsplatform_campaign_status", { campaign, action: "Resume" }, "no_balance"],
          ["set_adsplatform_campaign_status", { campaign, action: "Stop" }, "value_not_accepted"],
          [
            "get_adsplatform_performance_report",
            { campaign, report_type: "Daily", date_range: "2026-02-02 AND 2026-02-01" },
            "dates_reversed"
          ],
          ["get_adsplatform_billing", { campaign, section: "Invoices" }, "parameter_missing"],
          ["get_adsplatform_billing", { campaign, section: "Invoices", year: 2026 }, "parameter_missing"],
          ["get_adsplatform_billing", { campaign, section: "Invoices", year: 2026, month: 13 }, "out_of_range"],
          ["get_adsplatform_billing", { campaign, section: "AccountInfo", month: 1 }, "parameter_not_taken"],
          ["get_adsplatform_keyword_ideas", { campaign }, "seeds_missing"],
          ["get_adsplatform_keyword_ideas", { campaign, page_url: "http://x.example" }, "page_url_invalid"],
          ["refresh_adsplatform_audience", { campaign }, "campaign_not_at_platform"],
          ["get_adsplatform_campaign", { campaign: "Outra" }, "ads_campaign_not_found"]
        ]
        for (const [name, args, reason] of cases)
          assert.strictEqual(yield* reasonOf(name, args), reason, `${name} ${reason}`)
        const refusal = yield* failureOf("create_adsplatform_search_ad", {
          ...ad,
          headlines: `${"x".repeat(31)}\nB\nC`
        })
        assert.deepInclude(Predicate.hasProperty(refusal, "fields") ? refusal.fields : {}, {
          parameter: "headlines",
          maximum: 30,
          width: 31
        })
        const { keywords } = yield* Schema.decodeUnknown(Schema.Struct({ keywords: Schema.Array(Schema.Unknown) }))(
          yield* tool("list_adsplatform_keywords", { campaign, ad_group_id })
        )
        assert.lengthOf(keywords, 2)
      })
    )
  )

  it.effect("an automated campaign of what the account has goes live, and is charged", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const files = yield* CustomerFiles
        const { accountId } = yield* Caller
        const unit = yield* UnitOfWork
        const draft = (name: string) =>
          tool("create_adsplatform_campaign_draft", { name, daily_budget_brl: 50, channel_type: "Automated" })
        const early = yield* draft("Cedo")
        assert.nestedPropertyVal(early, "status", "draft")
        assert.include(JSON.stringify(early), "generate_image with aspect_ratio Landscape")

        yield* readyDraft("Busca")
        yield* sql`
          update business_profile set business_website = 'https://ondas.example/' where account_id = ${accountId}`
        const png = yield* Effect.promise(() =>
          sharp({ create: { width: 700, height: 500, channels: 3, background: "#3366cc" } })
            .png()
            .toBuffer()
        )
        const pictures = [
          ["Square", "Logotipo da Ondas"],
          ["Square", "Recepção"],
          ["Landscape", "Agenda"]
        ] as const
        for (const [aspect, prompt] of pictures) {
          const file = yield* unit.write(
            files.write({ fileName: "picture.png", maximumBytes: 1_000_000, bytes: Stream.make(png) })
          )
          yield* sql`
            with job as (
              insert into background_job (account_id, kind, status) values (${accountId}, 'image', 'finished')
              returning job_id
            )
            insert into media_generation (account_id, kind, job_id, prompt, request, mode, width, height, customer_file_id)
            select ${accountId}, 'image', job_id, ${prompt}, ${JSON.stringify({ aspect })}::jsonb, 'sandbox', 700, 500,
              ${file.customer_file_id} from job`
        }
        const name = "Tudo"
        assert.deepInclude(yield* draft(name), { status: "awaiting_funds", missing_assets: [] })
        yield* fund(name, 400)
        yield* tend
        yield* tend
        assert.deepInclude(yield* viewOf(name), { status: "live", missing_assets: [] })
        const [group] = yield* sql<{ readonly assets: ReadonlyArray<{ readonly fieldType: string }> }>`
          select body -> 'assets' as assets from sandbox_ads_record
          where account_id = ${accountId} and kind = 'assetGroup'`
        assert.sameMembers(
          (group?.assets ?? []).map(({ fieldType }) => fieldType),
          [
            "BUSINESS_NAME",
            "LONG_HEADLINE",
            ...Array.from({ length: 3 }, () => "HEADLINE"),
            ...Array.from({ length: 2 }, () => "DESCRIPTION"),
            "LOGO",
            "SQUARE_MARKETING_IMAGE",
            "MARKETING_IMAGE"
          ]
        )
        // What lacked parts and was paid for goes live with the account's parts too, without a second campaign there.
        yield* fund("Cedo", 400)
        yield* tend
        yield* tend
        assert.deepInclude(yield* viewOf("Cedo"), { status: "live" })
        assert.lengthOf(yield* campaignsThere, 2)
      })
    )
  )

  it.effect("an automated campaign names the assets it lacks and takes no keywords", () =>
    own(
      Effect.gen(function* () {
        const draft = { name: "Tudo", daily_budget_brl: 0.5, channel_type: "Automated" }
        const made = yield* tool("create_adsplatform_campaign_draft", draft)
        assert.deepInclude(made, { daily_budget_brl: 1, budget_adjustment: "raised_to_minimum" })
        const { ad_group_id, missing_assets } = yield* viewOf("Tudo")
        assert.includeMembers([...missing_assets], ["logo", "square_image", "long_headline"])
        assert.strictEqual(
          yield* reasonOf("add_adsplatform_keywords", { campaign: "Tudo", ad_group_id, keywords: "a" }),
          "not_a_search_campaign"
        )
        assert.strictEqual(
          yield* reasonOf("refresh_adsplatform_audience", { campaign: "Tudo" }),
          "not_a_search_campaign"
        )
      })
    )
  )

  it.effect("every report is a sum of the same parts", () =>
    own(
      Effect.zipRight(
        liveCampaign(campaign, 60, 9000),
        Effect.gen(function* () {
          yield* tend
          const whole = yield* reportOf("Campaign")
          assert.isAbove(whole.totals.clicks ?? 0, 100)
          assert.isAbove(whole.totals.conversions ?? 0, 0)
          for (const type of ReportType.literals) {
            const report = yield* reportOf(type)
            assert.isNotEmpty(report.rows, type)
            const sum = (name: "impressions" | "clicks" | "conversions" | "cost_brl") =>
              Math.round(
                report.rows.reduce((total, row) => total + (row.gender === undefined ? (row[name] ?? 0) : 0), 0) * 100
              ) / 100
            if (type === "AdAssets") continue
            assert.strictEqual(sum("conversions"), whole.totals.conversions, type)
            if (type === "Conversion") continue
            assert.strictEqual(sum("impressions"), whole.totals.impressions, type)
            assert.strictEqual(sum("clicks"), whole.totals.clicks, type)
            assert.strictEqual(sum("cost_brl"), whole.totals.cost_brl, type)
            assert.deepStrictEqual(report.totals, whole.totals, type)
          }
          const genders = (yield* reportOf("Demographics")).rows.filter(({ gender }) => gender !== undefined)
          assert.strictEqual(
            genders.reduce((total, { clicks = 0 }) => total + clicks, 0),
            whole.totals.clicks
          )
          // A place has a name in addition to the platform's id.
          for (const { location = "", location_id = "" } of (yield* reportOf("Geographic")).rows) {
            assert.match(location_id, /^\d+$/)
            assert.match(location, /^\p{Lu}\p{L}/u)
          }
          // What was charged is what the days say.
          const all = yield* reportOf("Daily", "LAST_90_DAYS")
          const today = yield* reportOf("Daily", "THIS_MONTH")
          const { performance } = yield* viewOf()
          const last = today.rows.filter(({ date }) => date === today.date_to)
          const days = [...all.rows, ...last].reduce((total, { cost_brl = 0 }) => total + cost_brl, 0)
          assert.strictEqual(performance.spend_brl, Math.round(days * 100) / 100)
        }).pipe(later(45 * 86_400_000))
      )
    )
  )

  it.effect("ideas, audience, billing and diagnosis tell what there is", () =>
    own(
      Effect.gen(function* () {
        const road = yield* AdsRoad
        const leads = yield* Leads
        const unit = yield* UnitOfWork
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const { ad_group_id } = yield* liveCampaign()
        yield* tool("add_adsplatform_negative_keywords", { campaign, keywords: "grátis" })
        assert.include(
          JSON.stringify(yield* tool("list_adsplatform_keywords", { campaign, ad_group_id })),
          '"negative_keywords":[{"keyword_id"'
        )
        const seeds = { campaign, seed_keywords: "agenda", max_results: 3 }
        road.clear()
        assert.deepStrictEqual(
          yield* tool("get_adsplatform_keyword_ideas", seeds),
          yield* tool("get_adsplatform_keyword_ideas", seeds)
        )
        assert.lengthOf(road.requests, 1)

        const lead = (email: string | undefined, name: string) =>
          leads.register({
            name,
            email,
            phone: email === undefined ? "+5511912345678" : undefined,
            company: "X",
            status: "Cold",
            campaign: undefined
          })
        yield* lead("ana.lima@gmail.com", "Ana")
        const gone = yield* lead("rui@rui.example", "Rui")
        const silent = yield* lead("bia@bia.example", "Bia")
        yield* lead("leo@blocked.example", "Leo")
        yield* lead(undefined, "Eva")
        yield* unit.write(leads.transition(silent.lead_id, "unsubscribe"))
        yield* sql`insert into blacklist_entry (account_id, kind, value, reason) values (${accountId}, 'domain', 'blocked.example', 'Other')`
        assert.deepInclude(yield* tool("refresh_adsplatform_audience", { campaign }), {
          emails_sent: 2,
          phones_sent: 1,
          left_out: { without_email: 1, unsubscribed: 1, blacklisted: 1, suppressed: 0 },
          upload_status: "processing",
          is_attached: true
        })
        const sent = road.requests.filter(({ line }) => line.includes("audienceMembers:ingest"))
        assert.include(sent[0]?.body, hashedMember("analima@gmail.com"))
        assert.notInclude(JSON.stringify(road.requests), "gmail.com")
        assert.include(sent[0]?.body, '"adUserData":"CONSENT_GRANTED"')
        assert.include(sent[0]?.body, `{"phoneNumber":"${hashedPhone("+5511912345678")}"}`)
        assert.notInclude(JSON.stringify(road.requests), "5511912345678")
        // The list only observes: it changes no bid, and one that an earlier version attached is set right.
        const bids = sql<{ readonly bid: number | null }>`
          select (body ->> 'bidModifier')::float8 as bid from sandbox_ads_record
          where account_id = ${accountId} and kind = 'criterion' and body ->> 'type' = 'USER_LIST'`
        assert.deepStrictEqual(yield* bids, [{ bid: null }])
        yield* sql`
          update sandbox_ads_record set body = body || '{"bidModifier": 1.1}'
          where account_id = ${accountId} and kind = 'criterion' and body ->> 'type' = 'USER_LIST'`
        yield* sql`update ads_audience set is_attached = false where account_id = ${accountId}`

        yield* unit.write(leads.transition(gone.lead_id, "unsubscribe"))
        const { audiences } = yield* Tending
        yield* sql`update sandbox_ads_record set created_at = created_at - interval '5 minutes' where account_id = ${accountId} and kind = 'upload'`
        yield* audiences
        assert.deepStrictEqual(yield* bids, [{ bid: 1 }])
        const removed = road.requests.filter(({ line }) => line.includes("audienceMembers:remove"))
        assert.include(removed[0]?.body, hashedMember("rui@rui.example"))
        assert.deepInclude(yield* tool("get_adsplatform_audience_status", { campaign }), {
          upload_status: "done",
          emails_in_last_upload: 2,
          phones_in_last_upload: 1,
          is_attached: true,
          members: 2
        })
        for (const section of ["AccountInfo", "AccountBudgets", "BillingSetups", "Proposals", "CampaignBudgets"]) {
          assert.notInclude(JSON.stringify(yield* tool("get_adsplatform_billing", { campaign, section })), '"items":[]')
        }
        const billing = yield* tool("get_adsplatform_billing", { campaign, section: "BillingSetups" })
        // Midnight in São Paulo, where the client account is.
        assert.nestedPropertyVal(billing, "items[0].starts_at", "2026-01-01T03:00:00Z")
        yield* sql`update sandbox_ads_record set body = body || '{"disapprovedAt": 1}' where account_id = ${accountId} and kind = 'ad'`
        const diagnosis = JSON.stringify(yield* tool("diagnose_adsplatform_campaign", { campaign }))
        for (const part of ["HAS_ADS_DISAPPROVED", "MISLEADING_CONTENT", "Agenda online", "DISAPPROVED"])
          assert.include(diagnosis, part)
        yield* tend
        assert.deepInclude(yield* viewOf(), { status: "held", suspension_reason: "ads_disapproved" })
        assert.strictEqual((yield* campaignsThere)[0]?.status, "PAUSED")
        yield* sql`update sandbox_ads_record set body = body - 'disapprovedAt' where account_id = ${accountId} and kind = 'ad'`
        yield* tend
        assert.strictEqual((yield* viewOf()).status, "live")
      })
    )
  )

  it.effect("pausing and resuming are the platform's at once; the end is for good and stays listed", () =>
    own(
      Effect.gen(function* () {
        const { ad_group_id } = yield* liveCampaign()
        const act = (action: string) => tool("set_adsplatform_campaign_status", { campaign, action })
        assert.deepInclude(yield* act("Pause"), { status: "paused", is_at_platform: true })
        assert.strictEqual((yield* campaignsThere)[0]?.status, "PAUSED")
        assert.deepInclude(yield* act("Resume"), { status: "live", is_at_platform: true })
        assert.deepInclude(yield* tool("update_adsplatform_campaign_budget", { campaign, new_daily_budget_brl: 70 }), {
          daily_budget_brl: 70,
          served_daily_budget_brl: 70,
          is_at_platform: true
        })
        assert.deepInclude(yield* act("End"), { status: "ended", is_at_platform: true })
        assert.strictEqual((yield* campaignsThere)[0]?.status, "REMOVED")
        assert.deepInclude(yield* act("End"), { status: "ended" })
        for (const [name, args] of [
          ["set_adsplatform_campaign_status", { campaign, action: "Resume" }],
          ["set_adsplatform_campaign_status", { campaign, action: "Pause" }],
          ["add_adsplatform_keywords", { campaign, ad_group_id, keywords: "nova" }],
          ["update_adsplatform_campaign_budget", { campaign, new_daily_budget_brl: 5 }],
          ["nudge_adsplatform_provisioning", { campaign }],
          ["refresh_adsplatform_audience", { campaign }]
        ] as const) {
          assert.strictEqual(yield* reasonOf(name, args), "campaign_ended", name)
        }
        assert.include(JSON.stringify(yield* tool("list_adsplatform_campaigns")), '"status":"ended"')
        // Its name is free again, and means the new one.
        yield* tool("create_adsplatform_campaign_draft", { name: campaign, daily_budget_brl: 5 })
        assert.strictEqual((yield* viewOf()).status, "draft")
      })
    )
  )

  it.effect("another account's campaigns do not exist", () =>
    Effect.gen(function* () {
      const owner = yield* makeAccount()
      const draft = yield* as(owner)(readyDraft("Minha"))
      const stranger = yield* makeAccount()
      yield* as(stranger)(
        Effect.gen(function* () {
          for (const name of ["Minha", `${draft.ads_campaign_id}`]) {
            assert.strictEqual(
              yield* reasonOf("get_adsplatform_campaign", { campaign: name }),
              "ads_campaign_not_found"
            )
          }
          yield* readyDraft("Minha")
          const keywords = { campaign: "Minha", ad_group_id: draft.ad_group_id, keywords: "x" }
          assert.strictEqual(yield* reasonOf("add_adsplatform_keywords", keywords), "ad_group_not_found")
          assert.notInclude(
            JSON.stringify(yield* tool("list_adsplatform_campaigns")),
            `"ads_campaign_id":${draft.ads_campaign_id},`
          )
        })
      )
    })
  )
})
