import { Effect, Schema } from "effect"
import * as Task from "../../Services/Jobs/Task.ts"
import { KeyedCalls } from "../../Services/Mcp/KeyedCalls.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"

const forgetKeyedCalls = Task.make("forget_keyed_calls", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Removes what keyed writes answered, also of accounts that call no more. */
export const keyedCallRetention = {
  handler: handle(forgetKeyedCalls, () => Effect.flatMap(KeyedCalls, ({ forgetOld }) => forgetOld)),
  recurring: recurring("forget_keyed_calls", "17 * * * *", forgetKeyedCalls, {})
}
