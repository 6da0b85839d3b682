import { Schema } from "effect"
import { AccountId } from "./Account.ts"
import { LeadId } from "./LeadModel.ts"
import * as Task from "./Task.ts"
import { TouchId } from "./TouchLedger.ts"

/** Decides on, writes and queues the message of a touch that was claimed. */
export const composeTouch = Task.make("compose_touch", {
  payload: Schema.Struct({ accountId: AccountId, leadId: LeadId, touchId: TouchId }),
  // Two attempts of a model with a time limit of a minute each, and the statements around them.
  timeout: "3 minutes",
  maxAttempts: 6
})
