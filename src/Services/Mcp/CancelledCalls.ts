import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Caller.ts"

/**
 * Cancellations from clients of older revisions. The notification is a separate message, so another process may receive
 * it than the one that runs the call. A cancellation is only looked up while its call runs, and is deleted after a
 * minute.
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
