import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

/** What prospecting has for an account from its beginning. */
export class ProspectingSetup extends Context.Tag("ProspectingSetup")<
  ProspectingSetup,
  {
    /** Makes the configuration of an account that has none yet, in the transaction of the caller. */
    readonly begin: (accountId: AccountId) => Effect.Effect<void, Transient>
  }
>() {}
