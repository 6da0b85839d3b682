import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

export type SuppressionReason = "unsubscribed" | "hard_bounce" | "complaint"

/** Keeps all mail of an account from an address. */
export class MailSuppression extends Context.Tag("MailSuppression")<
  MailSuppression,
  {
    /** In the transaction of the caller. The first reason stays. */
    readonly suppress: (
      accountId: AccountId,
      address: string,
      reason: SuppressionReason
    ) => Effect.Effect<void, Transient>
  }
>() {}
