import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

/** Mail of the platform to people of the account itself, not to its leads. */
export class AccountNotices extends Context.Tag("AccountNotices")<
  AccountNotices,
  {
    /**
     * Queues a message in the transaction of the caller; answers which it is. It is none where the address may not be
     * written to (a lead's own, one on the suppression list).
     */
    readonly queue: (
      accountId: AccountId,
      notice: { readonly to: string; readonly subject: string; readonly text: string }
    ) => Effect.Effect<Option.Option<number>, Transient>
    /** Takes back what is queued for the address. */
    readonly withdraw: (accountId: AccountId, address: string) => Effect.Effect<void, Transient>
  }
>() {}
