import { useTool } from "../../calls/Queries.ts"
import type { FieldChoice } from "../../form/FieldControl.tsx"

/** The account's campaigns, for the field of a form that takes one. */
export const useCampaignChoices = (): Readonly<Record<"campaign", ReadonlyArray<FieldChoice>>> => {
  const campaigns = useTool("list_campaigns", { page_size: 100 }).data?.campaigns ?? []
  return { campaign: campaigns.map(({ campaign_id, name }) => ({ value: String(campaign_id), text: name })) }
}
