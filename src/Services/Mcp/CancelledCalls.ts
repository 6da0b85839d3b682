import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"

/**
 * Stores cancellations from clients of older protocol revisions. Their notification is a separate message, so a process
 * other than the one that runs the call may receive it. Cancellations are only looked up while the call runs, and are
 * deleted after a minute.
 */
export class CancelledCalls extends Context.Tag("CancelledCalls")<
  CancelledCalls,
  {
    /** Stores that the call was cancelled; `at` in Unix milliseconds. */
    readonly note: (call: string, at: number) => Effect.Effect<void, Transient, Caller>
    /** The account's cancelled calls with the time of cancellation. */
    readonly noted: (
      accountId: AccountId,
      calls: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<{ readonly call: string; readonly at: number }>, Transient>
  }
>() {}
