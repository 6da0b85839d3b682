import { notFound } from "../../Errors.ts"
import { campaignIdIn } from "../../Services/Campaigns/Campaigns.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"

/**
 * Selects `columns` of the campaign that a `campaign` argument means: of the account, by its name or its id, each given
 * as the text of a parameter (`$1`). A campaign that is named like another one's id is found by its name.
 */
export const selectCampaign = (
  columns: string,
  given: { readonly account: string; readonly name: string; readonly id: string }
): string => `
  select ${columns} from campaign
  where account_id = ${given.account} and archived_at is null
    and (fold(name) = fold(${given.name}) or campaign_id = ${given.id})
  order by fold(name) = fold(${given.name}) desc limit 1`

/** Values for the `name` and `id` of `selectCampaign`. */
export const campaignValues = (campaign: string): readonly [name: string, id: CampaignId | null] => [
  campaign.trim(),
  campaignIdIn(campaign) ?? null
]

export const campaignNotFound = (campaign: string) => notFound("campaign", "campaign", campaign)
