import { Effect, Schema } from "effect"
import { campaignChanges, campaignName, newCampaign } from "../../Services/Campaigns/CampaignChanges.ts"
import { CampaignComparison } from "../../Services/Campaigns/CampaignComparison.ts"
import {
  ArchivedCampaign,
  CampaignActivity,
  CampaignSummary,
  CampaignView,
  MovedLeads,
  RenamedCampaign
} from "../../Services/Campaigns/CampaignModel.ts"
import { Campaigns } from "../../Services/Campaigns/Campaigns.ts"
import { LeadId } from "../../Services/Leads/Ids.ts"
import { recheckWaitingLeads } from "../../Services/Outreach/WaitingLeads.ts"
import { websiteProblems } from "../../Services/Text/Web/WebAddress.ts"
import { notAppliedField } from "../../Services/Writing/Instructions/NotApplied.ts"
import { standingInstructions, withNotApplied } from "../Core/NotAppliedAnswer.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import {
  channelInstructionParameters,
  companyParameters,
  employeeParameters,
  foundingParameters,
  goalParameter,
  instructionsParameter,
  qualificationParameter,
  regionParameters,
  revenueParameters,
  reviewParameter,
  sectorParameters,
  strategyParameter
} from "../Prospecting/ProspectingParameters.ts"

const longestName = 200

/** A parameter that names an existing campaign. */
const campaign = (description = "The campaign's name or numeric id.") =>
  Param.text(description, { minLength: 1, maxLength: longestName })

const newName = (description: string) => Param.text(description, { minLength: 1, maxLength: longestName })
const businessName = Param.text("The business or product that the campaign sells for.", {
  minLength: 1,
  maxLength: 200
})

const businessParameters = {
  business_description: Param.optional(
    Param.text(
      "What the business offers. Send it if the product is not the account's main business, because the account's description is not copied."
    )
  ),
  business_website: Param.optional(Param.text("Address of its website.", { maxLength: 500 })),
  icp: Param.optional(Param.text("The ideal customer profile."))
}
const displayNameParameter = {
  email_display_name: Param.optional(Param.text("The name that e-mails of the campaign come from.", { maxLength: 100 }))
}

/** A campaign, with the instructions that messages do not follow. */
const ReportedCampaign = Schema.Struct({ ...CampaignView.fields, ...notAppliedField })
const withReport = (campaign: CampaignView) => withNotApplied(campaign, standingInstructions(campaign))

const campaignSettings = (name: string) => Effect.flatMap(Campaigns, (campaigns) => campaigns.get(name))

const listCampaigns = Tool.make("list_campaigns", {
  kind: "read",
  openWorld: false,
  description: "Lists the campaigns that are not archived, newest first, with the number of their leads.",
  parameters: Param.pages(),
  returns: Tool.page({ campaigns: Schema.Array(CampaignSummary) }),
  example: { page: 0, page_size: 20 },
  run: Tool.pageVia(Campaigns, (campaigns, page) => campaigns.list(page))
})

const getCampaign = Tool.make("get_campaign", {
  kind: "read",
  openWorld: false,
  description: "Shows one campaign with its whole configuration and the number of its leads.",
  parameters: { campaign: campaign() },
  returns: ReportedCampaign,
  errors: { NotFound: ["campaign_not_found"] },
  example: { campaign: "Clínicas odontológicas" },
  run: Effect.fnUntraced(function* ({ campaign }) {
    const campaigns = yield* Campaigns
    return yield* withReport(yield* campaigns.get(campaign))
  })
})

const compareCampaigns = Tool.make("compare_campaigns", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Compares two campaigns: their configuration, the settings in which they differ, and the progress of their leads.",
  parameters: {
    name_a: campaign("Name or numeric id of the first campaign."),
    name_b: campaign("Name or numeric id of the second campaign.")
  },
  returns: CampaignComparison,
  errors: { NotFound: ["campaign_not_found"], Refused: ["same_campaign"] },
  example: { name_a: "Clínicas odontológicas", name_b: "Escritórios de contabilidade" },
  run: Tool.via(Campaigns, (campaigns, { name_a, name_b }) => campaigns.compare(name_a, name_b))
})

const createCampaign = Tool.make("create_campaign", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Creates a campaign: a track of prospecting with its own business, targeting and instructions. None of the account's are copied: fields left out are empty, and switches follow the account until they are set with update_campaign. It is active at once.",
  parameters: {
    name: newName("The campaign's name. It must differ from the account's other campaigns and have more than digits."),
    business_name: businessName,
    ...businessParameters,
    ...sectorParameters,
    ...instructionsParameter,
    ...channelInstructionParameters,
    ...goalParameter,
    ...qualificationParameter,
    ...reviewParameter,
    ...displayNameParameter,
    ...regionParameters,
    ...employeeParameters
  },
  returns: ReportedCampaign,
  errors: {
    Refused: [
      ...websiteProblems,
      "campaign_name_numeric",
      "campaign_name_taken",
      "contradicting_parameters",
      "control_characters",
      "minimum_above_maximum",
      "not_a_date",
      "too_many_campaigns",
      "unknown_cnae_code",
      "unknown_country",
      "unknown_state"
    ]
  },
  example: {
    name: "Veterinary clinics",
    business_name: "Ondas Software",
    business_description: "Scheduling for small clinics",
    cnae_filter: "7500-1/00",
    uf_filter: "SP"
  },
  run: Effect.fnUntraced(function* (args) {
    const campaigns = yield* Campaigns
    return yield* withReport(yield* campaigns.create(yield* newCampaign(args)))
  })
})

const flag = (description: string) => Param.optional(Param.boolean(description))

const updateCampaign = Tool.make("update_campaign", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes a campaign. Only the fields passed change; an empty text clears a field. Its name changes with rename_campaign.",
  parameters: {
    name: campaign("The campaign's current name or numeric id."),
    business_name: Param.optional(businessName),
    ...businessParameters,
    ...sectorParameters,
    ...regionParameters,
    ...instructionsParameter,
    ...channelInstructionParameters,
    ...goalParameter,
    ...strategyParameter,
    ...reviewParameter,
    ...qualificationParameter,
    ...displayNameParameter,
    ...employeeParameters,
    ...revenueParameters,
    ...companyParameters({ type: "as the account has it", audience: "as the account has it" }),
    lead_generation_active: flag("False searches for no new leads; prospecting of existing ones continues."),
    is_active: flag("False pauses the whole campaign, true resumes it."),
    voice_calling_active: flag("True calls leads by phone, false never does. Overrides the account's setting."),
    generate_custom_presentations: flag("Whether to make presentations for individual leads of the campaign."),
    notify_on_interested: flag("Whether the owner is notified when a lead becomes interested."),
    notify_on_confirmed: flag("Whether the owner is notified when a lead is confirmed."),
    ...foundingParameters,
    clear_voice_calling_active: Param.withDefault(
      Param.boolean(
        "True lets voice calls follow the account's setting again. Cannot be combined with voice_calling_active."
      ),
      false
    )
  },
  returns: ReportedCampaign,
  errors: {
    NotFound: ["campaign_not_found"],
    Refused: [
      ...websiteProblems,
      "contradicting_parameters",
      "control_characters",
      "minimum_above_maximum",
      "not_a_date",
      "unknown_cnae_code",
      "unknown_country",
      "unknown_state"
    ]
  },
  settings: ({ name }) => campaignSettings(name),
  example: { name: "Clínicas odontológicas", uf_filter: "SP,MG", min_employee_count: 5 },
  run: Effect.fnUntraced(function* ({ name, ...settings }) {
    const campaigns = yield* Campaigns
    const campaign = yield* campaigns.update(name, yield* campaignChanges(settings))
    if (settings.voice_calling_active === true) yield* recheckWaitingLeads
    return yield* withReport(campaign)
  })
})

const renameCampaign = Tool.make("rename_campaign", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description: "Gives a campaign another name. Its id, its leads and its settings stay.",
  parameters: {
    name: campaign("The campaign's current name or numeric id."),
    new_name: newName("The new name. It must differ from the account's other campaigns and have more than digits.")
  },
  returns: RenamedCampaign,
  errors: {
    NotFound: ["campaign_not_found"],
    Refused: ["campaign_name_numeric", "campaign_name_taken", "control_characters"]
  },
  example: { name: "Escritórios de contabilidade", new_name: "Accounting firms" },
  run: Effect.fnUntraced(function* ({ name, new_name }) {
    const campaigns = yield* Campaigns
    return yield* campaigns.rename(name, yield* campaignName("new_name", new_name))
  })
})

const pauseCampaign = Tool.make("pause_campaign", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Pauses a whole campaign: none of its leads is contacted, and no new ones are searched for until resume_campaign. Pausing a paused campaign changes nothing.",
  parameters: { name: campaign() },
  returns: CampaignActivity,
  errors: { NotFound: ["campaign_not_found"] },
  settings: ({ name }) => campaignSettings(name),
  example: { name: "Clínicas odontológicas" },
  run: Tool.via(Campaigns, (campaigns, { name }) => campaigns.setActive(name, false))
})

const resumeCampaign = Tool.make("resume_campaign", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description: "Resumes a paused campaign. Resuming an active campaign changes nothing.",
  parameters: { name: campaign() },
  returns: CampaignActivity,
  errors: { NotFound: ["campaign_not_found"] },
  settings: ({ name }) => campaignSettings(name),
  example: { name: "Clínicas odontológicas" },
  run: Tool.via(Campaigns, (campaigns, { name }) => campaigns.setActive(name, true))
})

const archiveCampaign = Tool.make("archive_campaign", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Archives a campaign permanently: it disappears from all lists, its name becomes free, and its leads continue in default prospecting, under the account's own settings. To stop it temporarily, use pause_campaign.",
  parameters: { name: campaign() },
  returns: ArchivedCampaign,
  errors: { NotFound: ["campaign_not_found"] },
  example: { name: "Contatos da feira" },
  run: Tool.via(Campaigns, (campaigns, { name }) => campaigns.archive(name))
})

const moveLeadsToCampaign = Tool.make("move_leads_to_campaign", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Moves leads into a campaign, from any other or from none, or with an empty campaign out of theirs. They keep their status and pipeline state; messages from then on follow the campaign, or without one the account's own settings.",
  parameters: {
    lead_ids: Param.ids(LeadId, "The leads, as ids separated by commas; at most 1000."),
    campaign: Param.text("Name or numeric id of the campaign to move them to. An empty text takes them out.", {
      maxLength: longestName
    })
  },
  returns: MovedLeads,
  errors: { NotFound: ["campaign_not_found"] },
  example: { lead_ids: "1,2", campaign: "Clínicas odontológicas" },
  run: Tool.via(Campaigns, (campaigns, { campaign, lead_ids }) => campaigns.moveLeads(lead_ids, campaign))
})

export const CampaignsGroup = Tool.group(
  "Campaigns",
  "Tracks of prospecting, each with its own business, targeting and instructions.",
  [
    listCampaigns,
    getCampaign,
    compareCampaigns,
    createCampaign,
    updateCampaign,
    renameCampaign,
    pauseCampaign,
    resumeCampaign,
    archiveCampaign,
    moveLeadsToCampaign
  ]
)
