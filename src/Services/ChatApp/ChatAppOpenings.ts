import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

/** Paid openings: messages outside of the 24 hours in which replies are free. */
export class ChatAppOpenings extends Context.Tag("ChatAppOpenings")<
  ChatAppOpenings,
  {
    /** Whether the account's daily and monthly caps allow another opening. */
    readonly areAffordable: (accountId: AccountId) => Effect.Effect<boolean, Transient>
  }
>() {}
