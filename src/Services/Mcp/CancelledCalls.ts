import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Caller.ts"

/**
 * Calls that clients of older revisions took back where another process runs them: the notification is a message of its
 * own, and may come anywhere. A note is looked for only while its call runs, and goes after a minute.
 */
export class CancelledCalls extends Context.Tag("CancelledCalls")<
  CancelledCalls,
  {
    /** Notes that the call is to end; `at` in Unix milliseconds. */
    readonly note: (call: string, at: number) => Effect.Effect<void, Transient, Caller>
    /** Those of the account's calls that were taken back, and when. */
    readonly noted: (
      accountId: AccountId,
      calls: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<{ readonly call: string; readonly at: number }>, Transient>
  }
>() {}
