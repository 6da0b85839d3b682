import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

/** Creates the business profile of a new account. */
export class BusinessSetup extends Context.Tag("BusinessSetup")<
  BusinessSetup,
  {
    /** Creates a profile that has only the business's name, in the caller's transaction. */
    readonly begin: (accountId: AccountId, businessName: string) => Effect.Effect<void, Transient>
  }
>() {}
