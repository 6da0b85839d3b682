import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"

/** Answers of the owner's that leads wait for. */
export class AnswerDeliveries extends Context.Tag("AnswerDeliveries")<
  AnswerDeliveries,
  {
    /** The lead was told the answer, by a message that has just left. */
    readonly delivered: (accountId: AccountId, leadId: LeadId, answerId: number) => Effect.Effect<void, Transient>
  }
>() {}
