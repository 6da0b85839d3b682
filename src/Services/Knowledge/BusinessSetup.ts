import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

/** What is said of an account's business from its beginning. */
export class BusinessSetup extends Context.Tag("BusinessSetup")<
  BusinessSetup,
  {
    /** Makes the profile of a business of which its name alone is known, in the transaction of the caller. */
    readonly begin: (accountId: AccountId, businessName: string) => Effect.Effect<void, Transient>
  }
>() {}
