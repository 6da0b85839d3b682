import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { LeadId } from "./Ids.ts"

export interface ChangedLead {
  readonly accountId: AccountId
  readonly leadId: LeadId
}

/** Changes of leads (status, outcome, meetings, contacts, replies, calls), for rooms that copy them elsewhere. */
export class LeadChanges extends Context.Tag("LeadChanges")<
  LeadChanges,
  {
    /** Sets whether changes of the account's leads are recorded from now on, in the transactions that make them. */
    readonly follow: (isFollowed: boolean) => Effect.Effect<void, Transient, Caller>
    /** Whether there are changes to take. */
    readonly areAny: Effect.Effect<boolean, Transient>
    /**
     * Takes changed leads of all accounts, each once, at most `limit` changes. Call it in the transaction that stores
     * what to do about them, so that none is lost. Later changes are taken the next time.
     */
    readonly take: (
      limit: number
    ) => Effect.Effect<{ readonly leads: ReadonlyArray<ChangedLead>; readonly hasMore: boolean }, Transient>
  }
>() {}
