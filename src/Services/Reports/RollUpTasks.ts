import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"

export const queueRollUps = Task.make("queue_roll_ups", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Updates the present day's figures of accounts with many leads. */
export const queueRunningDays = Task.make("queue_running_days", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Computes an account's figures of finished days, and of the present one. */
export const rollUpReports = Task.make("roll_up_reports", {
  payload: Schema.Struct({ accountId: AccountId }),
  maxAttempts: 5,
  pool: "long"
})
