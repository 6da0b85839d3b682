import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"

/** Repeats the assessment of one account's business, or of every account's without an id. */
export const assessBusiness = Task.make("assess_business", {
  payload: Schema.Struct({ accountId: Schema.optional(AccountId) }),
  maxAttempts: 5,
  timeout: "10 minutes"
})
