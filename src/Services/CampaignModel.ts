import { Schema } from "effect"
import { CampaignId } from "./Campaigns.ts"
import { LeadId } from "./LeadModel.ts"
import { ProspectingRules } from "./ProspectingRules.ts"
import { Targeting } from "./Targeting.ts"
import { Timestamp } from "./Timestamp.ts"

const optionalText = Schema.NullOr(Schema.String)
const inheritedSwitch = Schema.NullOr(Schema.Boolean).annotations({ description: "Null: as the account has it." })

/** What can be set of a campaign, its name apart. */
export const CampaignSettings = Schema.Struct({
  business_name: Schema.String,
  business_description: optionalText,
  business_website: optionalText,
  icp: optionalText.annotations({ description: "The ideal customer profile." }),
  ...Targeting.fields,
  ...ProspectingRules.fields,
  email_display_name: optionalText.annotations({ description: "The name that e-mails of the campaign come from." }),
  is_active: Schema.Boolean.annotations({ description: "False: the whole campaign is paused." }),
  lead_generation_active: Schema.Boolean.annotations({
    description: "False: no new leads are looked for; those it has are still worked."
  }),
  voice_calling_active: inheritedSwitch,
  generate_custom_presentations: inheritedSwitch,
  notify_on_interested: inheritedSwitch,
  notify_on_confirmed: inheritedSwitch
})
export type CampaignSettings = typeof CampaignSettings.Type

const identity = {
  campaign_id: CampaignId,
  name: Schema.String
}
const leadCount = Schema.Int.annotations({ description: "Leads in the campaign, whatever their state." })

/** A campaign with its whole configuration. */
export const CampaignView = Schema.Struct({
  ...identity,
  ...CampaignSettings.fields,
  lead_count: leadCount,
  created_at: Timestamp
})
export type CampaignView = typeof CampaignView.Type

/** A campaign as lists show it. */
export const CampaignSummary = Schema.Struct({
  ...identity,
  ...CampaignSettings.pick("business_name", "is_active", "lead_generation_active", "voice_calling_active").fields,
  lead_count: leadCount,
  created_at: Timestamp
})
export type CampaignSummary = typeof CampaignSummary.Type

const changed = Schema.Boolean.annotations({ description: "False where it already was as asked." })

export const CampaignActivity = Schema.Struct({ ...identity, is_active: Schema.Boolean, changed })
export type CampaignActivity = typeof CampaignActivity.Type

export const RenamedCampaign = Schema.Struct({ ...identity, previous_name: Schema.String, changed })
export type RenamedCampaign = typeof RenamedCampaign.Type

export const ArchivedCampaign = Schema.Struct({
  ...identity,
  archived_at: Timestamp,
  leads_returned: Schema.Int.annotations({ description: "Leads that went back to default prospecting." }),
  leads_remaining: Schema.Int.annotations({
    description: "Leads of a large campaign that follow in the background within minutes."
  })
})
export type ArchivedCampaign = typeof ArchivedCampaign.Type

const leadIds = Schema.Array(LeadId)

export const MovedLeads = Schema.Struct({
  campaign_id: CampaignId,
  campaign: Schema.String.annotations({ description: "The campaign's name." }),
  moved_lead_ids: leadIds,
  unchanged_lead_ids: leadIds.annotations({ description: "Leads that were in the campaign already." }),
  not_found_lead_ids: leadIds
})
export type MovedLeads = typeof MovedLeads.Type
