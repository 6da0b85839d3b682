import { Effect, Redacted } from "effect"
import { Crm } from "../../Services/Crm/Crm.ts"
import { CrmLeadSource } from "../../Services/Crm/CrmModel.ts"
import { LeadSource, LeadSourceView } from "../../Services/LeadSource/LeadSource.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { given, missing, stray } from "./Parameters.ts"

export const manageCrmsuiteCrmLeadSource = Tool.make("manage_crmsuite_crm_lead_source", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  requiresPaidPlan: true,
  description:
    "Makes leads of the contacts of the connected CRM suite: those linked to deals in a pipeline or in one stage of it, or all of them without a scope. Needs a connected CRM token, which is checked with the suite first. Contacts that are leads already, on the blacklist or erased are passed over; the others are linked at once, so that none is sent back, and new ones are looked for every hour. What is sent to the suite stays as it is. disable stops the reading; leads stay.",
  parameters: {
    action: Param.oneOf(["enable", "disable"], "What to do."),
    pipeline_id: Param.optional(
      Param.text("Only contacts linked to deals in this pipeline; with enable.", { maxLength: 100 })
    ),
    deal_stage_id: Param.optional(
      Param.text("Only contacts linked to deals in this stage; needs pipeline_id.", { maxLength: 100 })
    )
  },
  returns: CrmLeadSource,
  errors: {
    Refused: [
      "crm_check_failed",
      "crm_credentials_refused",
      "crm_token_needed",
      "deal_stage_not_found",
      "parameter_missing",
      "parameter_not_taken",
      "pipeline_not_found",
      "url_not_allowed"
    ],
    Transient: ["crm_unavailable"]
  },
  transaction: "several",
  example: { action: "disable" },
  run: Effect.fnUntraced(function* ({ action, deal_stage_id, pipeline_id }) {
    const crm = yield* Crm
    const pipelineId = given(pipeline_id)
    const stageId = given(deal_stage_id)
    if (action === "enable") return yield* crm.enableSource("crmsuite", { pipelineId, stageId })
    if (pipelineId !== undefined) return yield* stray("pipeline_id", action)
    if (stageId !== undefined) return yield* stray("deal_stage_id", action)
    return yield* crm.disableSource("crmsuite")
  })
})

export const manageLeadsourceIntegration = Tool.make("manage_leadsource_integration", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  requiresPaidPlan: true,
  description:
    "Connects the account's lead database, whose saved contacts become leads: those of a list, in the campaign of the list's name where there is one, or all of them. The key is checked with the database first, and nothing is stored where it does not take it. Contacts are read in the background, and anew every day; addresses that mail does not reach, duplicates and people who opted out are counted and left out. Saved contacts cost no credit, and nothing is called that does. Called again with the same key and list it answers how far the reading is. disconnect forgets the key; leads stay.",
  parameters: {
    action: Param.oneOf(["connect", "disconnect"], "What to do."),
    api_key: Param.optional(Param.text("Needed for connect: the lead database's key.", { maxLength: 500 })),
    list_id: Param.optional(
      Param.text("The list whose contacts are read; left out, all saved contacts are.", { maxLength: 100 })
    )
  },
  returns: LeadSourceView,
  errors: {
    Refused: [
      "leadsource_key_refused",
      "leadsource_key_too_narrow",
      "list_not_found",
      "parameter_missing",
      "parameter_not_taken",
      "sandbox_key_expected"
    ],
    Transient: ["leadsource_unavailable"]
  },
  transaction: "several",
  example: { action: "connect", api_key: "sandbox-example", list_id: "list-schools" },
  run: Effect.fnUntraced(function* ({ action, api_key, list_id }) {
    const source = yield* LeadSource
    const key = given(api_key)
    const listId = given(list_id)
    if (action === "connect") {
      return key === undefined ? yield* missing("api_key", action) : yield* source.connect(Redacted.make(key), listId)
    }
    if (key !== undefined) return yield* stray("api_key", action)
    if (listId !== undefined) return yield* stray("list_id", action)
    return yield* source.disconnect
  })
})
