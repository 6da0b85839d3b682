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

/** Whether the model is unavailable for every request. The work then waits, instead of failing. */
export const isOutage = (failure: LanguageModelFailed): boolean =>
  isPassing(failure) || forEveryPrompt.has(failure.detail)

/** Tracks when the model is unavailable. An outage is one incident, however much work fails in it. */
export class ModelOutages extends Context.Tag("ModelOutages")<
  ModelOutages,
  {
    /**
     * Records that the account's work failed because of the outage. Returns true if the account was not yet notified of
     * this outage.
     */
    readonly failed: (accountId: AccountId) => Effect.Effect<{ readonly isNews: boolean }, Transient>
    /** Records that the model answered, which ends an outage. */
    readonly answered: Effect.Effect<void, Transient>
    /**
     * The state of the outage. While it is `open`, one caller from time to time gets `try` and checks whether it is
     * over.
     */
    readonly state: Effect.Effect<"none" | "open" | "try", Transient>
  }
>() {}
