import { Effect } from "effect"
import { CampaignLookup } from "../../Services/Campaigns/Campaigns.ts"

/** The campaign for a list's leads is the one with the same name. A name of digits only would be taken for an id. */
export const campaignOfList = (listName: string | null) =>
  Effect.gen(function* () {
    const campaigns = yield* CampaignLookup
    if (listName === null || listName.trim() === "" || /^\d+$/.test(listName.trim())) return undefined
    return yield* Effect.catchTag(campaigns.resolve(listName), "NotFound", () => Effect.succeed(undefined))
  })
