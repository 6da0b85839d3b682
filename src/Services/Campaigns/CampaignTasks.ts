import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"
import { CampaignId } from "./Ids.ts"

/** Detaches the remaining leads of an archived campaign. */
export const returnArchivedCampaignLeads = Task.make("return_archived_campaign_leads", {
  payload: Schema.Struct({ accountId: AccountId, campaignId: CampaignId }),
  pool: "long"
})
