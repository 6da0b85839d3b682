import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"
import { LeadId } from "../Leads/Ids.ts"

/** Processes the answer of a lead's calendar program to an invitation. */
export const noteInvitationAnswer = Task.make("note_invitation_answer", {
  payload: Schema.Struct({
    accountId: AccountId,
    leadId: LeadId,
    uid: Schema.String,
    sequence: Schema.Int,
    /** Unix milliseconds. */
    stampedAt: Schema.NullOr(Schema.Number),
    answer: Schema.Literal("accepted", "tentative", "declined")
  })
})
