import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "./Ids.ts"

/** Whose each person's phone is: a number belongs to one person of one account. In the transaction of the caller. */
export class AccountPhones extends Context.Tag("AccountPhones")<
  AccountPhones,
  {
    /** False where the number, in E.164, belongs to somebody already; of two that claim one at once, one gets it. */
    readonly claim: (accountId: AccountId, phone: string) => Effect.Effect<boolean, Transient>
    readonly release: (accountId: AccountId, phone: string) => Effect.Effect<void, Transient>
  }
>() {}
