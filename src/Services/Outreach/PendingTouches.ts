import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { Touch } from "./TouchTasks.ts"

/** Touches that are being written or are queued. */
export class PendingTouches extends Context.Tag("PendingTouches")<
  PendingTouches,
  {
    /**
     * Skips the touches of a lead that answered, except meeting notices, in the transaction that cancelled their
     * messages. A message that is already being sent settles its touch itself.
     */
    readonly skipAnswered: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void, Transient>
    /**
     * Starts the touch that announces a person's answer. Undefined if the lead got such an announcement in the last two
     * weeks, or has another open touch.
     */
    readonly holdLine: (accountId: AccountId, leadId: LeadId) => Effect.Effect<Touch | undefined, Transient>
  }
>() {}
