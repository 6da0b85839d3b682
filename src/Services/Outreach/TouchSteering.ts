import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Choices } from "./Adjustments.ts"

/**
 * The optimizer's choices for a campaign (null for leads outside campaigns). Undefined if there are too few leads to
 * compare, or there is no optimizer.
 */
export class TouchSteering extends Context.Reference<TouchSteering>()("TouchSteering", {
  defaultValue: (): {
    readonly choices: (campaign: {
      readonly accountId: AccountId
      readonly campaignId: CampaignId | null
    }) => Effect.Effect<Choices | undefined, Transient>
  } => ({ choices: () => Effect.succeed(undefined) })
}) {}
