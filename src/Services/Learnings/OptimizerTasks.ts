import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"

/** Evaluates an account's campaigns. Without an account, it queues a task for each account. */
export const optimizeCampaigns = Task.make("optimize_campaigns", {
  payload: Schema.Struct({ accountId: Schema.optional(AccountId) }),
  maxAttempts: 4,
  timeout: "10 minutes",
  pool: "long"
})
