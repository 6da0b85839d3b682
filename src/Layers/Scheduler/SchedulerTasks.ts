import { Schema } from "effect"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import * as Task from "../../Services/Jobs/Task.ts"

/** Asks the scheduler to send notices of bookings. */
export const subscribeScheduler = Task.make("subscribe_scheduler", {
  sends: "scheduler",
  payload: Schema.Struct({ accountId: AccountId }),
  maxAttempts: 12
})

/** Reads the booking that a webhook reported. */
export const lookAtBooking = Task.make("look_at_booking", {
  payload: Schema.Struct({ accountId: AccountId, inviteeUri: Schema.String }),
  pool: "urgent",
  maxAttempts: 15
})

/** Finds bookings of all accounts that no webhook reported. */
export const sweepSchedulers = Task.make("sweep_schedulers", {
  payload: Schema.Struct({}),
  pool: "long",
  maxAttempts: 1,
  timeout: "20 minutes"
})
