import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { fromSql, single } from "../Postgres/Sql.ts"
import { EngineSchema } from "./EngineSchema.ts"

/** Returns a function that reads the age in seconds of the oldest open task of a kind; 0 if there is none. */
export const makeOldestTask = Effect.gen(function* () {
  const sql = yield* SqlClient
  const schema = yield* EngineSchema
  return ({ name }: { readonly name: string }) =>
    sql<{ readonly seconds: number }>`
      select coalesce(extract(epoch from now() - min(job.created_at)), 0)::float8 as seconds
      from ${sql(`${schema}._private_jobs`)} job join ${sql(`${schema}._private_tasks`)} task on task.id = job.task_id
      where task.identifier = ${name} and job.attempts < job.max_attempts`.pipe(
      Effect.map((rows) => single(rows).seconds),
      fromSql(),
      Effect.withSpan("TaskQueue.oldestTask")
    )
})
