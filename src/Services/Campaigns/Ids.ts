import { Schema } from "effect"

export const CampaignId = Schema.Int.pipe(Schema.brand("CampaignId"))
export type CampaignId = typeof CampaignId.Type
