import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"
import { LeadId } from "../Leads/Ids.ts"
import { TouchId } from "./TouchLedger.ts"

/** A claimed contact on the platform's own initiative. */
export const Touch = Schema.Struct({ accountId: AccountId, leadId: LeadId, touchId: TouchId })
export type Touch = typeof Touch.Type

const limits = {
  // Enough for two attempts of a model with a time limit of a minute each, and the statements around them.
  timeout: "3 minutes",
  maxAttempts: 6
} as const

/** Plans, writes and queues the message of a claimed touch. */
export const composeTouch = Task.make("compose_touch", {
  payload: Touch,
  ...limits
})

/** Like `composeTouch`, for messages that a lead or the owner waits for. They do not wait behind outreach. */
export const composeAnswer = Task.make("compose_answer", { payload: Touch, pool: "urgent", ...limits })
