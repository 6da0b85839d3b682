import { Schema } from "effect"
import { AccountId } from "./Account.ts"
import { CampaignId } from "./Campaigns.ts"
import * as Task from "./Task.ts"

/** Takes the leads that an archived campaign still has out of it. */
export const returnArchivedCampaignLeads = Task.make("return_archived_campaign_leads", {
  payload: Schema.Struct({ accountId: AccountId, campaignId: CampaignId }),
  lane: "long"
})
