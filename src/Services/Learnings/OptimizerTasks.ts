import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"

/** Looks at what the campaigns' comparisons show; without an account, each account's own task is queued. */
export const optimizeCampaigns = Task.make("optimize_campaigns", {
  payload: Schema.Struct({ accountId: Schema.optional(AccountId) }),
  maxAttempts: 4,
  timeout: "10 minutes",
  pool: "long"
})
