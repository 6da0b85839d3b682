import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CampaignLookupPostgres } from "../../src/Layers/Campaigns/CampaignLookupPostgres.ts"
import { CampaignsPostgres } from "../../src/Layers/Campaigns/CampaignsPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { CampaignsGroup } from "../../src/Tools/Campaigns/Campaigns.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { Queue } from "../Jobs/support.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([CampaignsGroup])
const TestLayer = CampaignsPostgres.pipe(
  Layer.provideMerge(Layer.mergeAll(CampaignLookupPostgres, NotificationsPostgres)),
  Layer.provideMerge(Queue)
)

const create = (name: string, settings: object = {}) =>
  answerOf(catalog, "create_campaign", { name, business_name: "Ondas", ...settings })

layer(TestLayer, { excludeTestServices: true })("the Campaigns tools", (it) => {
  for (const tool of CampaignsGroup.tools) {
    it.effect(`${tool.name} answers its example as declared`, () =>
      Effect.gen(function* () {
        const me = as(yield* makeAccount("free_trial"))
        for (const name of ["Clínicas odontológicas", "Escritórios de contabilidade", "Contatos da feira"])
          yield* me(create(name))
        yield* me(answerOf(catalog, tool.name, tool.example))
      })
    )
  }

  it.effect("a campaign through its life", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const sql = yield* SqlClient
      const leads = yield* sql<{ readonly lead_id: number }>`
        insert into lead (account_id, name, status, pipeline_state)
        values (${caller.accountId}, 'Ana', 'Cold', 'in_pipeline') returning lead_id`
      const lead = leads[0]?.lead_id ?? 0

      const created = yield* me(
        create(" Clínicas ", { cnae_filter: "8630-5/04", business_website: "ondas.com", max_employee_count: 50 })
      )
      assert.deepInclude(created, {
        name: "Clínicas",
        cnae_filter: ["8630504"],
        business_website: "https://ondas.com",
        max_employee_count: 50,
        lead_generation_active: true,
        voice_calling_active: null
      })
      const updated = yield* me(
        answerOf(catalog, "update_campaign", {
          name: "clinicas",
          max_employee_count: -1,
          company_type_filter: "Private,NonProfit",
          voice_calling_active: false,
          goal: "A call",
          business_website: null
        })
      )
      assert.deepInclude(updated, {
        max_employee_count: null,
        company_type_filter: ["Private", "NonProfit"],
        voice_calling_active: false,
        goal: "A call",
        business_website: "https://ondas.com"
      })
      const inherits = yield* me(
        answerOf(catalog, "update_campaign", { name: "CLINICAS", clear_voice_calling_active: true, goal: "" })
      )
      assert.deepInclude(inherits, { voice_calling_active: null, goal: null })

      const moved = yield* me(
        answerOf(catalog, "move_leads_to_campaign", { lead_ids: `${lead}, 987654321,${lead}`, campaign: "clinicas" })
      )
      assert.deepInclude(moved, { moved_lead_ids: [lead], unchanged_lead_ids: [], not_found_lead_ids: [987654321] })
      assert.deepInclude(yield* me(answerOf(catalog, "get_campaign", { campaign: "clinicas" })), { lead_count: 1 })

      assert.deepInclude(yield* me(answerOf(catalog, "pause_campaign", { name: "Clínicas" })), {
        is_active: false,
        changed: true
      })
      assert.deepInclude(yield* me(answerOf(catalog, "resume_campaign", { name: "Clínicas" })), {
        is_active: true,
        changed: true
      })
      assert.deepInclude(yield* me(answerOf(catalog, "rename_campaign", { name: "Clínicas", new_name: "Hospitais" })), {
        name: "Hospitais",
        previous_name: "Clínicas"
      })
      yield* me(create("Padarias", { goal: "An order" }))
      assert.deepInclude(
        yield* me(answerOf(catalog, "compare_campaigns", { name_a: "Hospitais", name_b: "Padarias" })),
        { differing_fields: ["cnae_filter", "business_website", "company_type_filter", "goal"].sort() }
      )
      assert.deepInclude(yield* me(answerOf(catalog, "archive_campaign", { name: "Hospitais" })), {
        leads_returned: 1,
        leads_remaining: 0
      })
      assert.deepInclude(yield* me(answerOf(catalog, "list_campaigns", { page_size: 500 })), {
        page: 0,
        page_size: 100,
        total: 1
      })
    })
  )

  const refusals = [
    ["create_campaign", { name: "  ", business_name: "B" }, "text_empty"],
    ["create_campaign", { name: "B", business_name: "" }, "text_empty"],
    ["create_campaign", { name: "12", business_name: "B" }, "campaign_name_numeric"],
    ["create_campaign", { name: "a".repeat(201), business_name: "B" }, "text_too_long"],
    ["create_campaign", { name: "a\nb", business_name: "B" }, "control_characters"],
    ["create_campaign", { name: "taken", business_name: "B" }, "campaign_name_taken"],
    [
      "create_campaign",
      { name: "B", business_name: "B", min_employee_count: 2, max_employee_count: 1 },
      "minimum_above_maximum"
    ],
    ["create_campaign", { name: "B", business_name: "B", email_display_name: "B\r\nBcc: x@y.z" }, "control_characters"],
    ["create_campaign", { name: "B", business_name: "B", business_website: "javascript:alert(1)" }, "invalid_website"],
    ["update_campaign", { name: "Taken", business_name: " " }, "text_empty"],
    ["update_campaign", { name: "Taken", uf_filter: "SP,XX" }, "unknown_state"],
    ["update_campaign", { name: "Taken", company_size_filter: "Huge" }, "value_not_accepted"],
    [
      "update_campaign",
      { name: "Taken", voice_calling_active: false, clear_voice_calling_active: true },
      "contradicting_parameters"
    ],
    ["rename_campaign", { name: "Taken", new_name: "7" }, "campaign_name_numeric"],
    ["rename_campaign", { name: "Taken", new_name: "Óther" }, "campaign_name_taken"],
    ["compare_campaigns", { name_a: "Taken", name_b: "taken" }, "same_campaign"],
    ["move_leads_to_campaign", { lead_ids: "1,x", campaign: "Taken" }, "not_a_list_of_ids"],
    [
      "move_leads_to_campaign",
      { lead_ids: Array.from({ length: 1001 }, (_, index) => index).join(), campaign: "Taken" },
      "too_many_items"
    ]
  ] as const
  for (const [tool, args, reason] of refusals) {
    it.effect(`${tool} ${JSON.stringify(args).slice(0, 70)} is refused: ${reason}`, () =>
      Effect.gen(function* () {
        const me = as(yield* makeAccount())
        yield* me(create("Taken"))
        yield* me(create("Other"))
        const before = yield* me(callTool(catalog, "get_campaign", { campaign: "Taken" }))
        const failure = yield* Effect.flip(me(callTool(catalog, tool, args)))
        assert.deepInclude(failure, { _tag: "Refused", reason })
        assert.deepInclude(yield* me(callTool(catalog, "list_campaigns")), { total: 2 })
        assert.deepStrictEqual(yield* me(callTool(catalog, "get_campaign", { campaign: "Taken" })), before)
      })
    )
  }

  it.effect("a campaign that is not there is not found, by any of the tools", () =>
    Effect.gen(function* () {
      const owner = as(yield* makeAccount())
      const me = as(yield* makeAccount())
      yield* owner(create("Theirs"))
      for (const tool of CampaignsGroup.tools) {
        if (!tool.errors.includes("NotFound")) continue
        const named = Object.keys(tool.parameters).filter((name) => /^(name|name_a|name_b|campaign)$/.test(name))
        const args = {
          ...Object.fromEntries(named.map((name) => [name, "Theirs"])),
          ...(tool.name === "rename_campaign" ? { new_name: "Mine" } : {}),
          ...(tool.name === "move_leads_to_campaign" ? { lead_ids: "1" } : {})
        }
        const failure = yield* Effect.flip(me(callTool(catalog, tool.name, args)))
        assert.deepInclude(failure, { _tag: "NotFound", reason: "campaign_not_found" }, tool.name)
      }
    })
  )
})
