import { Context, type Effect, Schema } from "effect"
import type { NotFound, Transient } from "../Errors.ts"
import type { Caller } from "./Caller.ts"

export const CampaignId = Schema.Int.pipe(Schema.brand("CampaignId"))
export type CampaignId = typeof CampaignId.Type

/** The campaign id that a `campaign` argument may stand for, when no campaign has that text as its name. */
export const campaignIdIn = (campaign: string): CampaignId | undefined => {
  const text = campaign.trim()
  return /^[0-9]{1,15}$/.test(text) ? CampaignId.make(Number(text)) : undefined
}

export class CampaignLookup extends Context.Tag("CampaignLookup")<
  CampaignLookup,
  {
    /**
     * The campaign that a `campaign` argument names: by its name, whatever the case and accents, else by its numeric
     * id. Archived campaigns are not found.
     */
    readonly resolve: (campaign: string) => Effect.Effect<CampaignId, NotFound | Transient, Caller>
  }
>() {}
