import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"

export const queueRollUps = Task.make("queue_roll_ups", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Makes an account's figures of finished days. */
export const rollUpReports = Task.make("roll_up_reports", {
  payload: Schema.Struct({ accountId: AccountId }),
  maxAttempts: 5,
  pool: "long"
})
