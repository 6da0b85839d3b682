import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { Choices } from "./Adjustments.ts"

/** What the optimizer chose for a campaign, null for the leads outside campaigns. Nothing where there is no optimizer. */
export class TouchSteering extends Context.Reference<TouchSteering>()("TouchSteering", {
  defaultValue: (): {
    readonly choices: (campaign: {
      readonly accountId: AccountId
      readonly campaignId: CampaignId | null
    }) => Effect.Effect<Choices, Transient>
  } => ({ choices: () => Effect.succeed({}) })
}) {}
