import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { CampaignId } from "./Ids.ts"

/** Which leads are in a campaign. Each call belongs in a transaction of the caller's. */
export class CampaignLeads extends Context.Tag("CampaignLeads")<
  CampaignLeads,
  {
    /** Takes up to `limit` leads out of a campaign, the newest first, and answers how many it took. */
    readonly takeOut: (accountId: AccountId, campaignId: CampaignId, limit: number) => Effect.Effect<number, Transient>
    /** Puts leads into a campaign; answers those of the account, and which were not in it before. */
    readonly putInto: (
      accountId: AccountId,
      campaignId: CampaignId,
      leadIds: ReadonlyArray<LeadId>
    ) => Effect.Effect<ReadonlyArray<{ readonly lead_id: LeadId; readonly is_moved: boolean }>, Transient>
  }
>() {}
