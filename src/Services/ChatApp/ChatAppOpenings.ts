import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

/** What others ask of paid openings: messages outside of the 24 hours in which a reply is free. */
export class ChatAppOpenings extends Context.Tag("ChatAppOpenings")<
  ChatAppOpenings,
  {
    /** Whether the account's caps leave room for one more today and this month. */
    readonly areAffordable: (accountId: AccountId) => Effect.Effect<boolean, Transient>
  }
>() {}
