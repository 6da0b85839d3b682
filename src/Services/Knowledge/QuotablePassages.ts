import { Context, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import type { FoundPassage } from "./BusinessFiles.ts"

/** The files of an account, or of one of its campaigns. */
export interface PassageScope {
  readonly accountId: AccountId
  readonly campaignId: CampaignId | null
}

/** Passages of the account's files that a message may quote. Empty if no files are stored. */
export class QuotablePassages extends Context.Reference<QuotablePassages>()("QuotablePassages", {
  defaultValue: (): {
    readonly about: (scope: PassageScope, question: string) => Effect.Effect<ReadonlyArray<FoundPassage>, Transient>
  } => ({ about: () => Effect.succeed([]) })
}) {}

/** For several questions, each with its best passages. More would not fit into what a model is shown. */
const mostPassages = 18

/** Passages for all questions, each once, best first. */
export const passagesAbout = (
  { about }: typeof QuotablePassages.Service,
  scope: PassageScope,
  questions: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<FoundPassage>, Transient> =>
  Effect.map(
    Effect.forEach(questions, (question) => about(scope, question)),
    (results) => {
      const passages = new Map<string, FoundPassage>()
      // The best of every question comes before the second best of any.
      for (let place = 0; place < Math.max(0, ...results.map(({ length }) => length)); place++) {
        for (const result of results) {
          const passage = result[place]
          if (passage === undefined) continue
          const key = `${passage.businessFileId}:${passage.sequence}`
          const earlier = passages.get(key)
          if (earlier === undefined || earlier.score < passage.score) passages.set(key, passage)
        }
      }
      return [...passages.values()].slice(0, mostPassages).toSorted((a, b) => b.score - a.score)
    }
  )
