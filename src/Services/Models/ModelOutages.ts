import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import { isPassing, type LanguageModelFailed, type LanguageModelFailureDetail } from "./LanguageModel.ts"

const forEveryPrompt: ReadonlySet<LanguageModelFailureDetail> = new Set([
  "address_refused",
  "credentials_rejected",
  "model_not_found",
  "quota_exhausted"
])

/** Whether the model is away for whatever it is asked, so that the work waits, rather than failing at this one prompt. */
export const isOutage = (failure: LanguageModelFailed): boolean =>
  isPassing(failure) || forEveryPrompt.has(failure.detail)

/** The time in which the model cannot be had: one incident, however much work fails in it. */
export class ModelOutages extends Context.Tag("ModelOutages")<
  ModelOutages,
  {
    /** The model was away for work of the account; answers whether the account was not told of this outage yet. */
    readonly failed: (accountId: AccountId) => Effect.Effect<{ readonly isNews: boolean }, Transient>
    /** The model answered: the outage is over, if there was one. */
    readonly answered: Effect.Effect<void, Transient>
    /** `open` but for one look in a while, which finds out whether it is over. */
    readonly state: Effect.Effect<"none" | "open" | "try", Transient>
  }
>() {}
