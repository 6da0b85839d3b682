import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

/** Creates the prospecting settings of a new account. */
export class ProspectingSetup extends Context.Tag("ProspectingSetup")<
  ProspectingSetup,
  {
    /** Creates the settings of an account that has none, in the caller's transaction. */
    readonly begin: (accountId: AccountId) => Effect.Effect<void, Transient>
  }
>() {}
