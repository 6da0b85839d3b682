import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { Touch } from "./TouchTasks.ts"

/** Touches that are being written or wait to be sent. */
export class PendingTouches extends Context.Tag("PendingTouches")<
  PendingTouches,
  {
    /**
     * Ends those of a lead that answered, but for notices of meetings, in the transaction that took their messages back:
     * what is on its way settles its touch by itself.
     */
    readonly skipAnswered: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void, Transient>
    /**
     * Begins the touch that says that a person will answer. Undefined where the lead got such a message in the last two
     * weeks, or another touch of it is under way.
     */
    readonly holdLine: (accountId: AccountId, leadId: LeadId) => Effect.Effect<Touch | undefined, Transient>
  }
>() {}
