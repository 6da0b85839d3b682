import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Effect, Layer } from "effect"
import { recordEffect } from "../../../Services/Core/Calls/DryRun.ts"
import type { WorkerPool } from "../../../Services/Jobs/Task.ts"
import { type EnqueueOptions, TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { fromSql } from "../Postgres/Sql.ts"
import { EngineSchema } from "./EngineSchema.ts"
import { poolPriority } from "./PoolPriorities.ts"

const itemsPerStatement = 2000

/** If several items have the same key, only the last is kept, because one statement may not write a row twice. */
const lastPerKey = <T extends EnqueueOptions>(items: ReadonlyArray<T>): ReadonlyArray<T> => {
  const last = new Map<string, T>()
  for (const item of items) if (item.jobKey !== undefined) last.set(item.jobKey, item)
  return last.size === 0
    ? items
    : items.filter(({ jobKey }, index) => jobKey === undefined || last.get(jobKey) === items[index])
}

/** Fails if the task has a queue but its pool fetches in batches. Such tasks run in parallel, whatever their queue. */
const assertKeepsOrder = (
  task: { readonly name: string; readonly pool: WorkerPool },
  { queueName }: EnqueueOptions
): void => {
  if (queueName !== undefined && task.pool === "quick") throw new Error(`${task.name} cannot be queued in order.`)
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const schema = yield* EngineSchema
  const addJob = sql(`${schema}.add_job`)
  const addJobs = sql(`${schema}.add_jobs`)
  const jobSpec = sql(`${schema}.job_spec`)
  const removeJob = sql(`${schema}.remove_job`)

  return TaskQueue.of({
    enqueue: Effect.fn("TaskQueue.enqueue")(function* (task, payload, options = {}) {
      assertKeepsOrder(task, options)
      if (task.sends !== undefined) yield* recordEffect(task.sends)
      yield* sql`select from ${addJob}(${task.name}::text, ${JSON.stringify(task.encode(payload))}::json,
        queue_name => ${options.queueName ?? null}::text, run_at => ${options.runAt ?? null}::timestamptz,
        max_attempts => ${options.maxAttempts ?? task.maxAttempts}::integer, job_key => ${options.jobKey ?? null}::text,
        priority => ${poolPriority[task.pool] + (options.priority ?? 0)}::integer,
        job_key_mode => ${options.jobKeyMode ?? "replace"}::text)`.pipe(fromSql())
    }),

    enqueueMany: Effect.fn("TaskQueue.enqueueMany")(function* (task, items, options = {}) {
      if (task.sends !== undefined) yield* recordEffect(task.sends, items.length)
      for (const chunk of Array.chunksOf(lastPerKey(items), itemsPerStatement)) {
        for (const item of chunk) assertKeepsOrder(task, item)
        const specs = chunk.map((item) => ({
          identifier: task.name,
          payload: task.encode(item.payload),
          queue_name: item.queueName,
          run_at: item.runAt,
          max_attempts: item.maxAttempts ?? task.maxAttempts,
          job_key: item.jobKey,
          priority: poolPriority[task.pool] + (item.priority ?? 0)
        }))
        yield* sql`select count(*) from ${addJobs}(
          array(select json_populate_recordset(null::${jobSpec}, ${JSON.stringify(specs)}::json)),
          ${options.jobKeyMode === "preserve_run_at"})`.pipe(fromSql())
      }
    }),

    remove: Effect.fn("TaskQueue.remove")(function* (jobKey) {
      yield* sql`select from ${removeJob}(${jobKey})`.pipe(fromSql())
    })
  })
})

export const TaskQueuePostgres = Layer.effect(TaskQueue, make)
