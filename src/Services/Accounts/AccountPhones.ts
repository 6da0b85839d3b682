import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "./Ids.ts"

/**
 * Whose each person's phone is. Accounts may claim the same number until its holder proves one claim by opening a link that
 * was sent to it. Then it belongs to that account. In the transaction of the caller.
 */
export class AccountPhones extends Context.Tag("AccountPhones")<
  AccountPhones,
  {
    /** False where the number, in E.164, has a claim of the account already, or a proved one of another. */
    readonly claim: (accountId: AccountId, phone: string) => Effect.Effect<boolean, Transient>
    /** Proves the account's claim, except where another account's is proved already. */
    readonly prove: (accountId: AccountId, phone: string) => Effect.Effect<void, Transient>
    readonly release: (accountId: AccountId, phone: string) => Effect.Effect<void, Transient>
  }
>() {}
