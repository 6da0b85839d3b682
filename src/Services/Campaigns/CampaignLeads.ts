import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { CampaignId } from "./Ids.ts"

/** Which leads are in a campaign. Call it in a transaction. */
export class CampaignLeads extends Context.Tag("CampaignLeads")<
  CampaignLeads,
  {
    /** Removes up to `limit` leads from a campaign, newest first. Returns the number of removed leads. */
    readonly takeOut: (accountId: AccountId, campaignId: CampaignId, limit: number) => Effect.Effect<number, Transient>
    /**
     * Moves leads into a campaign, or out of their campaign if it is null. Returns the leads that belong to the
     * account, and whether each was moved.
     */
    readonly putInto: (
      accountId: AccountId,
      campaignId: CampaignId | null,
      leadIds: ReadonlyArray<LeadId>
    ) => Effect.Effect<ReadonlyArray<{ readonly lead_id: LeadId; readonly is_moved: boolean }>, Transient>
  }
>() {}
