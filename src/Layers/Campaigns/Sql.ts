import { notFound } from "../../Errors.ts"
import { campaignIdIn } from "../../Services/Campaigns/Campaigns.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"

/**
 * Selects `columns` of the campaign that a `campaign` argument means. It is matched by name first, then by id. Each is
 * the text of a parameter (`$1`).
 */
export const selectCampaign = (
  columns: string,
  parameters: { readonly account: string; readonly name: string; readonly id: string }
): string => `
  select ${columns} from campaign
  where account_id = ${parameters.account} and archived_at is null
    and (fold(name) = fold(${parameters.name}) or campaign_id = ${parameters.id})
  order by fold(name) = fold(${parameters.name}) desc limit 1`

/** Values for the `name` and `id` of `selectCampaign`. */
export const campaignValues = (campaign: string): readonly [name: string, id: CampaignId | null] => [
  campaign.trim(),
  campaignIdIn(campaign) ?? null
]

export const campaignNotFound = (campaign: string) => notFound("campaign", "campaign", campaign)
