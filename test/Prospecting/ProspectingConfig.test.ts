import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ProspectingConfigPostgres } from "../../src/Layers/Prospecting/ProspectingConfigPostgres.ts"
import type { CampaignId } from "../../src/Services/Campaigns/Ids.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { ProspectingConfig } from "../../src/Services/Prospecting/ProspectingConfig.ts"
import { newAccountConfiguration } from "../support/ProspectingFixtures.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const TestLayer = ProspectingConfigPostgres.pipe(Layer.provideMerge(TestDatabase))

layer(TestLayer, { excludeTestServices: true })("ProspectingConfig", (it) => {
  it.effect("an account has its configuration from the start", () =>
    Effect.gen(function* () {
      const config = yield* ProspectingConfig
      const me = as(yield* makeAccount())
      const {
        business_name: _,
        mail_display_name: __,
        business_description: ___,
        business_website: ____,
        ideal_customer_profile: _____,
        ...settings
      } = newAccountConfiguration
      assert.deepStrictEqual(yield* me(config.get), {
        ...settings,
        prospecting_eligibility: { is_eligible: true, reasons: [], fixes: [] }
      })
    })
  )

  it.effect("each section changes by itself, only in what it is given, for one account", () =>
    Effect.gen(function* () {
      const config = yield* ProspectingConfig
      const me = as(yield* makeAccount())
      const other = as(yield* makeAccount())
      const before = yield* me(config.get)

      const targeting = yield* me(config.setTargeting({ uf_filter: ["SP"], min_annual_revenue: 0.5 }))
      assert.deepInclude(targeting, { uf_filter: ["SP"], min_annual_revenue: 0.5, cnae_filter: [] })
      const rules = yield* me(config.setRules({ goal: "A call", email_signature: "Ana\n\nSales", strategy: undefined }))
      assert.deepInclude(rules, { goal: "A call", email_signature: "Ana\n\nSales", strategy: null })
      const preferences = yield* me(config.setPreferences({ mode: "Passive", notification_email: "a@b.com" }))
      assert.deepInclude(preferences, { mode: "Passive", notification_email: "a@b.com", notify_on_interested: true })
      const voice = yield* me(config.setVoice({ prospecting_voice: "Male" }))
      assert.deepStrictEqual(voice, { voice_calling_active: false, prospecting_voice: "Male" })
      assert.isFalse(yield* me(config.setAllowTemplateChatAppMessages(false)))

      assert.deepStrictEqual(yield* me(config.get), {
        ...before,
        ...targeting,
        ...rules,
        ...preferences,
        ...voice,
        allow_template_chatapp_messages: false
      })
      assert.deepStrictEqual(yield* other(config.get), before)

      const cleared = yield* me(config.setTargeting({ uf_filter: [], min_annual_revenue: null }))
      assert.deepInclude(cleared, { uf_filter: [], min_annual_revenue: null })
    })
  )

  it.effect("a minimum above the stored maximum is refused", () =>
    Effect.gen(function* () {
      const config = yield* ProspectingConfig
      const me = as(yield* makeAccount())
      yield* me(config.setTargeting({ max_annual_revenue: 1000 }))
      const failure = yield* Effect.flip(me(config.setTargeting({ min_annual_revenue: 1000.01, uf_filter: ["SP"] })))
      assert.deepInclude(failure, {
        _tag: "Refused",
        reason: "minimum_above_maximum",
        fields: { parameters: ["min_annual_revenue", "max_annual_revenue"] }
      })
      assert.deepInclude(yield* me(config.get), { min_annual_revenue: null, uf_filter: [] })
    })
  )

  it.effect("prospecting goes off and on, for the whole account", () =>
    Effect.gen(function* () {
      const config = yield* ProspectingConfig
      const me = as(yield* makeAccount())
      const off = {
        is_prospecting_active: false,
        prospecting_eligibility: {
          is_eligible: false,
          reasons: ["account_prospecting_off"],
          fixes: ["set_prospecting_active with active true"]
        }
      } as const
      assert.deepStrictEqual(yield* me(config.setActive(false)), { ...off, changed: true })
      assert.deepStrictEqual(yield* me(config.setActive(false)), { ...off, changed: false })
      assert.deepInclude(yield* me(config.get), off)
      assert.isFalse((yield* me(config.effective(null))).is_prospecting_active)
      assert.deepStrictEqual(yield* me(config.setActive(true)), {
        is_prospecting_active: true,
        changed: true,
        prospecting_eligibility: { is_eligible: true, reasons: [], fixes: [] }
      })
    })
  )

  it.effect("what holds for a lead is its campaign's, until that is archived or of another account", () =>
    Effect.gen(function* () {
      const config = yield* ProspectingConfig
      const sql = yield* SqlClient
      const owner = yield* makeAccount()
      const stranger = yield* makeAccount()
      const me = as(owner)
      yield* me(config.setRules({ goal: "The account's" }))
      const rows = yield* sql<{ readonly campaign_id: CampaignId; readonly lead_id: LeadId }>`
        with c as (
          insert into campaign (account_id, name, business_name, goal, voice_calling_active)
          values (${owner.accountId}, 'A', 'Ondas', 'The campaign''s', true) returning campaign_id
        ), l as (
          insert into lead (account_id, name, status, pipeline_state, campaign_id)
          select ${owner.accountId}, 'Ana', 'Cold', 'in_pipeline', campaign_id from c returning lead_id
        ) select campaign_id, lead_id from c, l`
      for (const { campaign_id, lead_id } of rows) {
        const effective = yield* me(config.effectiveForLead(lead_id))
        assert.deepInclude(effective, { campaign_id, goal: "The campaign's", voice_calling_active: true })
        assert.deepStrictEqual(yield* me(config.effective(campaign_id)), effective)

        assert.deepInclude(yield* as(stranger)(config.effective(campaign_id)), { campaign_id: null, goal: null })
        const foreign = yield* Effect.flip(as(stranger)(config.effectiveForLead(lead_id)))
        assert.strictEqual(foreign._tag, "NotFound")

        yield* sql`update campaign set archived_at = now() where campaign_id = ${campaign_id}`
        assert.deepInclude(yield* me(config.effectiveForLead(lead_id)), { campaign_id: null, goal: "The account's" })
      }
      assert.lengthOf(rows, 1)
      const unused = yield* Effect.flip(me(config.effectiveForLead(LeadId.make(987_654_321))))
      assert.strictEqual(unused._tag, "NotFound")
    })
  )
})
