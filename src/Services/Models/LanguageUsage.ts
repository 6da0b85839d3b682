import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Usage } from "./LanguageModel.ts"

/** The usage of language models per account, summed by day (UTC), purpose and model. */
export class LanguageUsage extends Context.Tag("LanguageUsage")<
  LanguageUsage,
  {
    /** Counts one use. `purpose` is in snake_case. Usage without a price is counted as free. */
    readonly add: (accountId: AccountId, purpose: string, usage: Usage) => Effect.Effect<void, Transient>
    /** Counts several uses of any accounts in one statement. */
    readonly addAll: (
      purpose: string,
      uses: ReadonlyArray<{ readonly accountId: AccountId; readonly usage: Usage }>
    ) => Effect.Effect<void, Transient>
  }
>() {}
