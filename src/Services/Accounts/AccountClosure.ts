import { Context, type Effect, Schema } from "effect"
import { type Refused, refused, type Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"

/** The number of days in which a closed account can be restored. */
export const closureDays = 30

export const AccountClosureView = Schema.Struct({
  closes_at: Schema.NullOr(Timestamp).annotations({
    description: "When the account is deleted with everything in it. Null if it stays."
  }),
  is_prospecting_active: Schema.Boolean
})
export type AccountClosureView = typeof AccountClosureView.Type

export const notClosing = refused(
  "account_not_closing",
  "The account is not being closed.",
  "There is nothing to take back."
)

/** Closes accounts at their owners' request. */
export class AccountClosure extends Context.Tag("AccountClosure")<
  AccountClosure,
  {
    /** Stops outreach and sets the end, unless it is set already. Only for tokens that no member made. */
    readonly close: Effect.Effect<AccountClosureView, Refused | Transient, Caller>
    /** The account stays, and outreach is as it was. */
    readonly reopen: Effect.Effect<AccountClosureView, Refused | Transient, Caller>
    /** Deletes the accounts whose time is over. Returns how many. */
    readonly removeDue: Effect.Effect<number, Transient>
  }
>() {}
