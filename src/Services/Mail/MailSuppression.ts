import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"

export type SuppressionReason = "unsubscribed" | "hard_bounce" | "complaint"

/** Stops all mail of an account to an address. */
export class MailSuppression extends Context.Tag("MailSuppression")<
  MailSuppression,
  {
    /** In the caller's transaction. The first reason is kept. */
    readonly suppress: (
      accountId: AccountId,
      address: string,
      reason: SuppressionReason
    ) => Effect.Effect<void, Transient>
  }
>() {}
