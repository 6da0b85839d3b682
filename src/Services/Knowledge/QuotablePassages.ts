import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { FoundPassage } from "./BusinessFiles.ts"

/** Passages of the account's files that a message may quote. Empty if no files are stored. */
export class QuotablePassages extends Context.Reference<QuotablePassages>()("QuotablePassages", {
  defaultValue: (): {
    readonly about: (
      scope: { readonly accountId: AccountId; readonly campaignId: CampaignId | null },
      question: string
    ) => Effect.Effect<ReadonlyArray<FoundPassage>, Transient>
  } => ({ about: () => Effect.succeed([]) })
}) {}
