import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { AccountSettingsPostgres } from "../../src/Layers/Accounts/AccountSettingsPostgres.ts"
import { NotApplied } from "../../src/Services/Writing/Instructions/NotApplied.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ProspectingConfigurationGroup } from "../../src/Tools/Prospecting/ProspectingConfiguration.ts"
import { CompanyServices } from "../Companies/CompanyServices.ts"
import { tasksNamed } from "../Jobs/support.ts"
import { SealingOfTests } from "../support/SealingOfTests.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ProspectingConfigurationGroup])
const Reported = Schema.Struct({ not_applied: Schema.Array(NotApplied) })
const TestLayer = Layer.provideMerge(
  AccountSettingsPostgres.pipe(Layer.provide(Layer.merge(SealingOfTests, TestSettings))),
  CompanyServices
)

layer(TestLayer, { excludeTestServices: true })("the Prospecting configuration tools", (it) => {
  for (const tool of ProspectingConfigurationGroup.tools) {
    it.effect(`${tool.name} answers its example as declared`, () =>
      Effect.gen(function* () {
        const me = as(yield* makeAccount("free_trial"))
        yield* me(answerOf(catalog, tool.name, tool.example))
      })
    )
  }

  it.effect("targeting is normalised, kept where not passed, and cleared on demand", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(
        answerOf(catalog, "set_targeting", {
          cnae_filter: "62, 6201-5/01",
          cnae_exclusion_filter: 6311900,
          uf_filter: "sp,rj",
          city_filter: "São Paulo, Rio de Janeiro",
          country_filter: "br",
          min_employee_count: "10",
          max_annual_revenue: 1.5,
          company_size_filter: "Small,Medium",
          company_audience_filter: "B2B",
          min_founding_date: "1999-12-31"
        })
      )
      const changed = yield* me(
        answerOf(catalog, "set_targeting", {
          uf_filter: null,
          city_filter: "",
          min_employee_count: -1,
          company_size_filter: "",
          min_founding_date: ""
        })
      )
      assert.deepStrictEqual(changed, {
        cnae_filter: ["62", "6201501"],
        cnae_exclusion_filter: ["6311900"],
        uf_filter: ["SP", "RJ"],
        city_filter: [],
        country_filter: ["BR"],
        min_employee_count: null,
        max_employee_count: null,
        min_annual_revenue: null,
        max_annual_revenue: 1.5,
        company_size_filter: [],
        company_type_filter: [],
        company_audience_filter: ["B2B"],
        min_founding_date: null,
        max_founding_date: null
      })
      assert.deepInclude(yield* me(answerOf(catalog, "get_prospecting_config")), { uf_filter: ["SP", "RJ"] })
    })
  )

  const refusals = [
    ["set_targeting", { cnae_filter: "62,04" }, "unknown_cnae_code"],
    ["set_targeting", { uf_filter: "XX" }, "unknown_state"],
    ["set_targeting", { country_filter: "UK" }, "unknown_country"],
    ["set_targeting", { company_type_filter: "private" }, "value_not_accepted"],
    ["set_targeting", { min_employee_count: -2 }, "out_of_range"],
    ["set_targeting", { min_annual_revenue: -0.5 }, "out_of_range"],
    ["set_targeting", { max_annual_revenue: 1e16 }, "out_of_range"],
    ["set_targeting", { min_employee_count: 5, max_employee_count: 4 }, "minimum_above_maximum"],
    ["set_targeting", { max_founding_date: "31/12/1999" }, "not_a_date"],
    ["set_prospecting_rules", { goal: "x".repeat(20_001) }, "text_too_long"],
    ["set_prospecting_preferences", { mode: "active" }, "value_not_accepted"],
    ["set_prospecting_preferences", { notification_email: "nobody" }, "invalid_email"],
    ["set_prospecting_preferences", { notification_email: "a@b.com\nBcc: c@d.com" }, "control_characters"]
  ] as const
  for (const [tool, args, reason] of refusals) {
    it.effect(`${tool} ${JSON.stringify(args).slice(0, 60)} is refused: ${reason}`, () =>
      Effect.gen(function* () {
        const me = as(yield* makeAccount())
        const failure = yield* Effect.flip(me(callTool(catalog, tool, args)))
        assert.deepInclude(failure, { _tag: "Refused", reason })
      })
    )
  }

  it.effect("rules are kept literally; a blank one clears", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const email_signature = "  Ana\n--\nSales  "
      const set = yield* me(answerOf(catalog, "set_prospecting_rules", { email_signature, goal: "A", strategy: "B" }))
      assert.deepInclude(set, { email_signature, goal: "A", strategy: "B", instructions: null })
      const cleared = yield* me(answerOf(catalog, "set_prospecting_rules", { email_signature: "", goal: " " }))
      assert.deepInclude(cleared, { email_signature: null, goal: null, strategy: "B" })
    })
  )

  it.effect("preferences keep what is not passed", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const set = yield* me(
        answerOf(catalog, "set_prospecting_preferences", {
          notification_email: " Ana@B.com ",
          notify_on_confirmed: "1"
        })
      )
      assert.deepInclude(set, { notification_email: "ana@b.com", notify_on_confirmed: true, mode: "Active" })
      const cleared = yield* me(answerOf(catalog, "set_prospecting_preferences", { notification_email: "" }))
      assert.deepInclude(cleared, { notification_email: null, notify_on_confirmed: true })
    })
  )

  it.effect("the switches answer what holds", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      assert.deepStrictEqual(yield* me(answerOf(catalog, "set_prospecting_active", { active: false })), {
        is_prospecting_active: false,
        changed: true,
        prospecting_eligibility: {
          is_eligible: false,
          reasons: ["account_prospecting_off"],
          fixes: ["set_prospecting_active with active true"]
        }
      })
      assert.deepStrictEqual(yield* me(answerOf(catalog, "set_allow_template_chatapp_messages", { allowed: 0 })), {
        allow_template_chatapp_messages: false
      })
      assert.deepInclude(yield* me(answerOf(catalog, "get_prospecting_config")), {
        is_prospecting_active: false,
        allow_template_chatapp_messages: false
      })
    })
  )

  it.effect("rules say which instructions they cannot carry out, and where they are set and shown", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const instructions = "Seja cordial. Elogie o site do lead."
      const set = yield* me(answerOf(catalog, "set_prospecting_rules", { instructions }))
      const reported = { text: "Elogie o site do lead." }
      const [one] = Schema.decodeUnknownSync(Reported)(set).not_applied
      assert.deepInclude(one, reported)
      assert.include(one?.reason, "certeza")
      const configuration = yield* me(answerOf(catalog, "get_prospecting_config", {}))
      assert.deepInclude(Schema.decodeUnknownSync(Reported)(configuration).not_applied[0], reported)
      const cleared = yield* me(answerOf(catalog, "set_prospecting_rules", { instructions: "Seja cordial." }))
      assert.deepStrictEqual(Schema.decodeUnknownSync(Reported)(cleared).not_applied, [])
    })
  )

  it.effect("a new address for notices is asked to confirm", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const sql = yield* SqlClient
      yield* me(answerOf(catalog, "set_prospecting_preferences", { notification_email: "new@b.example" }))
      const tasks = yield* tasksNamed("confirm_own_address")
      const mine = tasks.filter(({ payload }) => "accountId" in payload && payload.accountId === caller.accountId)
      assert.deepStrictEqual(
        mine.map(({ payload }) => payload),
        [{ accountId: caller.accountId, address: "new@b.example" }]
      )
      yield* sql`
        insert into confirmed_address (account_id, email, confirmed_at)
        values (${caller.accountId}, 'known@b.example', instant())`
      yield* me(answerOf(catalog, "set_prospecting_preferences", { notification_email: "known@b.example" }))
      const after = yield* tasksNamed("confirm_own_address")
      assert.lengthOf(
        after.filter(({ payload }) => "accountId" in payload && payload.accountId === caller.accountId),
        1
      )
    })
  )
})
