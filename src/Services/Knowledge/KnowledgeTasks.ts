import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"

/** Judges the account's business anew; without an account, every one's. */
export const assessBusiness = Task.make("assess_business", {
  payload: Schema.Struct({ accountId: Schema.optional(AccountId) }),
  maxAttempts: 5,
  timeout: "10 minutes"
})
