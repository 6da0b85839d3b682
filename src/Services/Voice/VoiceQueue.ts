import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { TouchId } from "../Outreach/TouchLedger.ts"

/** A prospecting call to a lead. */
export interface NewProspectingCall {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly touchId: TouchId
  readonly phone: string | null
  readonly goal: string
  readonly openingLine: string | null
}

/** Calls to leads that wait to be made. Call it in a transaction that holds the lead. */
export class VoiceQueue extends Context.Tag("VoiceQueue")<
  VoiceQueue,
  {
    /**
     * Stores calls of different touches as `queued`, and returns their ids in the same order. The caller enqueues the
     * tasks that make them.
     */
    readonly add: (calls: ReadonlyArray<NewProspectingCall>) => Effect.Effect<ReadonlyArray<number>, Transient>
    /** Cancels the calls to a lead that answered, and returns their ids. */
    readonly cancelAnswered: (accountId: AccountId, leadId: LeadId) => Effect.Effect<ReadonlyArray<number>, Transient>
  }
>() {}
