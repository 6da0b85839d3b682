import { Schema } from "effect"
import { Timestamp } from "../Core/Timestamp.ts"
import { LeadId } from "../Leads/Ids.ts"
import { CampaignSettings } from "../Prospecting/CampaignSettings.ts"
import { CampaignId } from "./Ids.ts"

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

const changed = Schema.Boolean.annotations({ description: "False if it already had the requested value." })

export const CampaignActivity = Schema.Struct({ ...identity, is_active: Schema.Boolean, changed })
export type CampaignActivity = typeof CampaignActivity.Type

export const RenamedCampaign = Schema.Struct({ ...identity, previous_name: Schema.String, changed })
export type RenamedCampaign = typeof RenamedCampaign.Type

export const ArchivedCampaign = Schema.Struct({
  ...identity,
  archived_at: Timestamp,
  leads_returned: Schema.Int.annotations({ description: "Leads that went back to default prospecting." }),
  was_paused: Schema.Boolean,
  leads_contacted_next: Schema.Int.annotations({
    description:
      "Leads of a paused campaign whose next touch is due, so that default prospecting contacts them at once. 0 if the campaign was not paused, or the account's prospecting is off."
  }),
  leads_remaining: Schema.Int.annotations({
    description: "Leads of a large campaign that follow in the background within minutes."
  })
})
export type ArchivedCampaign = typeof ArchivedCampaign.Type

const leadIds = Schema.Array(LeadId)

export const MovedLeads = Schema.Struct({
  campaign_id: Schema.NullOr(CampaignId).annotations({ description: "Null if the leads were taken out of campaigns." }),
  campaign: Schema.NullOr(Schema.String).annotations({ description: "The campaign's name." }),
  moved_lead_ids: leadIds,
  unchanged_lead_ids: leadIds.annotations({ description: "Leads that were there already." }),
  not_found_lead_ids: leadIds
})
export type MovedLeads = typeof MovedLeads.Type
