import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"

/** Deliveries of the owner's answers to waiting leads. */
export class AnswerDeliveries extends Context.Tag("AnswerDeliveries")<
  AnswerDeliveries,
  {
    /** Records that a message with the answer was just sent to the lead. */
    readonly delivered: (accountId: AccountId, leadId: LeadId, answerId: number) => Effect.Effect<void, Transient>
  }
>() {}
