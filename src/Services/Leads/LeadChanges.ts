import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import type { LeadId } from "./Ids.ts"

export interface ChangedLead {
  readonly accountId: AccountId
  readonly leadId: LeadId
}

/** What changes about leads (status, outcome, meetings, contacts), for whoever takes it elsewhere. */
export class LeadChanges extends Context.Tag("LeadChanges")<
  LeadChanges,
  {
    /** Whether changes of the account's leads are written down from now on, in the transactions that make them. */
    readonly follow: (isFollowed: boolean) => Effect.Effect<void, Transient, Caller>
    /** Whether there are some to take. */
    readonly areAny: Effect.Effect<boolean, Transient>
    /**
     * Takes changed leads of all accounts, each once; at most `limit` changes. To be run in the transaction that writes
     * down what is to be done about them: then none is lost, and what changes meanwhile is taken the next time.
     */
    readonly take: (
      limit: number
    ) => Effect.Effect<{ readonly leads: ReadonlyArray<ChangedLead>; readonly hasMore: boolean }, Transient>
  }
>() {}
