import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import * as Task from "../../../Services/Jobs/Task.ts"
import { fromSql } from "../Postgres/Sql.ts"
import { EngineSchema } from "./EngineSchema.ts"
import { recurring } from "./Recurring.ts"
import { handle } from "./TaskHandler.ts"

const dropFailedTasks = Task.make("drop_failed_tasks", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Tasks that are out of attempts are kept for a month, so that an operator can see what went wrong. */
const dropOld = Effect.gen(function* () {
  const sql = yield* SqlClient
  const schema = yield* EngineSchema
  yield* sql`
    delete from ${sql(`${schema}._private_jobs`)}
    where attempts >= max_attempts and locked_at is null and run_at < now() - interval '30 days'`.pipe(fromSql())
})

export const failedTasksDropping = {
  handler: handle(dropFailedTasks, () => dropOld),
  recurring: recurring("drop_failed_tasks", "23 3 * * *", dropFailedTasks, {})
}
