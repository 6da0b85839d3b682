import { Effect, Schema } from "effect"
import { KeyedWrites } from "../../Services/Accounts/KeyedWrites.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"

const keepKeyedWrites = Task.make("keep_keyed_writes", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Makes the partitions of the coming days, and drops those whose keys are too old. */
export const keyedWriteRetention = {
  handler: handle(keepKeyedWrites, () => Effect.asVoid(Effect.flatMap(KeyedWrites, ({ keep }) => keep))),
  recurring: recurring("keep_keyed_writes", "17 */6 * * *", keepKeyedWrites, {})
}
