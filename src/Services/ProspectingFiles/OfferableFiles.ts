import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import { preparePassage, prepareQuery, scorePassage, weightByLength } from "../Text/PassageScore.ts"

export interface OfferableFile {
  readonly title: string
  readonly description: string
  readonly url: string
}

/** How many files one message may offer. */
const maximumOffered = 2
/** Lower scores only share a common word with the lead's question. */
const minimumScore = 0.3

/** The files that answer the lead's question, best first. */
export const chosenFiles = (files: ReadonlyArray<OfferableFile>, question: string): ReadonlyArray<OfferableFile> => {
  const query = prepareQuery(question, weightByLength)
  return files
    .map((file) => ({
      file,
      score: scorePassage(query, preparePassage({ title: file.title, text: file.description }))
    }))
    .filter(({ score }) => score >= minimumScore)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maximumOffered)
    .map(({ file }) => file)
}

/** The files that messages may offer to leads. Empty if no files are stored. */
export class OfferableFiles extends Context.Reference<OfferableFiles>()("OfferableFiles", {
  defaultValue: (): {
    /** Excludes files that the lead already got. */
    readonly to: (
      lead: { readonly accountId: AccountId; readonly leadId: LeadId; readonly campaignId: CampaignId | null },
      question: string
    ) => Effect.Effect<ReadonlyArray<OfferableFile>, Transient>
    /** All files of the campaign and of the whole account, in the owner's order. */
    readonly all: (scope: {
      readonly accountId: AccountId
      readonly campaignId: CampaignId | null
    }) => Effect.Effect<ReadonlyArray<OfferableFile>, Transient>
  } => ({ to: () => Effect.succeed([]), all: () => Effect.succeed([]) })
}) {}
