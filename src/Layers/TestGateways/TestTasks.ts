import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { recordEffect } from "../../Services/Core/Calls/DryRun.ts"
import type { Task } from "../../Services/Jobs/Task.ts"
import { type EnqueueOptions, type JobKeyMode, TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { poolPriority } from "../Platform/Jobs/PoolPriorities.ts"
import { fromSql, instantOf } from "../Platform/Postgres/Sql.ts"
import type { TaskSource, WaitingTask } from "../Simulated/SimulatedEngine.ts"

/** The tables that only the database of a test account has. */
export const testTables = `
create table if not exists test_task (
  task_id bigint generated always as identity primary key,
  name text not null,
  payload jsonb not null,
  run_at timestamptz not null,
  priority integer not null,
  -- Null while the task runs, so that the next one of the key can be queued.
  job_key text unique,
  running_key text,
  attempts integer not null default 0,
  max_attempts integer not null,
  failure text
);
create index if not exists test_task_due on test_task (run_at, priority, task_id) where failure is null;

create table if not exists test_clock (
  is_only boolean primary key default true check (is_only),
  now timestamptz not null,
  -- Where the running advance ends.
  advances_to timestamptz,
  -- Recurring tasks up to this instant are done.
  recurring_until timestamptz not null
);
`

type Options = EnqueueOptions & { readonly jobKeyMode?: JobKeyMode | undefined }

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const enqueue = Effect.fnUntraced(function* <A>(task: Task<A>, payload: A, options: Options) {
    const {
      jobKey = null,
      jobKeyMode = "replace",
      maxAttempts = task.maxAttempts,
      priority = 0,
      runAt = null
    } = options
    if (jobKey !== null && jobKeyMode === "unsafe_dedupe") {
      const waiting = yield* sql`select from test_task where job_key = ${jobKey} or running_key = ${jobKey}`
      if (waiting.length > 0) return
    }
    yield* sql`
      insert into test_task as t (name, payload, run_at, priority, job_key, max_attempts)
      values (${task.name}, ${JSON.stringify(task.encode(payload))}::jsonb, coalesce(${runAt}::timestamptz, instant()),
        ${poolPriority[task.pool] + priority}, ${jobKey}, ${maxAttempts})
      on conflict (job_key) do update set name = excluded.name, payload = excluded.payload,
        run_at = case when ${jobKeyMode === "preserve_run_at"} then t.run_at else excluded.run_at end,
        priority = excluded.priority, max_attempts = excluded.max_attempts, attempts = 0, failure = null`
  })

  return TaskQueue.of({
    enqueue: Effect.fn("TaskQueue.enqueue")(function* (task, payload, options = {}) {
      if (task.sends !== undefined) yield* recordEffect(task.sends)
      yield* enqueue(task, payload, options).pipe(fromSql())
    }),

    enqueueMany: Effect.fn("TaskQueue.enqueueMany")(function* (task, items, options = {}) {
      if (task.sends !== undefined) yield* recordEffect(task.sends, items.length)
      for (const { payload, ...item } of items) yield* enqueue(task, payload, { ...item, ...options }).pipe(fromSql())
    }),

    remove: Effect.fn("TaskQueue.remove")(function* (jobKey) {
      yield* sql`delete from test_task where job_key = ${jobKey}`.pipe(fromSql())
      // A running task is not stopped, but not retried either.
      yield* sql`update test_task set max_attempts = attempts where running_key = ${jobKey}`.pipe(fromSql())
    })
  })
})

/** Tasks of a test account, in a table of its database. */
export const TestTaskQueue = Layer.effect(TaskQueue, make)

interface TaskRow {
  readonly id: number
  readonly name: string
  readonly payload: unknown
  readonly runAt: number
  readonly priority: number
  readonly jobKey: string | null
  readonly attempt: number
  readonly maxAttempts: number
}

/** The queue in the form that the engine uses. A task that a killed process had started is taken again. */
export const makeTaskSource = Effect.map(SqlClient, (sql): TaskSource => {
  return {
    next: sql<{ readonly at: number | null }>`
      select extract(epoch from min(run_at))::float8 * 1000 as at from test_task where failure is null`.pipe(
      Effect.map(([row]) => (row === undefined || row.at === null ? undefined : Math.ceil(row.at))),
      fromSql()
    ),

    take: (now) =>
      sql<TaskRow>`
        update test_task t set attempts = attempts + 1, running_key = coalesce(t.job_key, t.running_key), job_key = null
        where task_id = (
          select task_id from test_task where failure is null and run_at <= ${instantOf(sql, now)}
          order by run_at, priority, task_id limit 1)
        returning task_id as id, name, payload, extract(epoch from run_at)::float8 * 1000 as "runAt", priority,
          running_key as "jobKey", attempts as attempt, max_attempts as "maxAttempts"`.pipe(
        Effect.map(([row]): WaitingTask | undefined =>
          row === undefined ? undefined : { ...row, jobKey: row.jobKey ?? undefined }
        ),
        fromSql()
      ),

    // If another task was queued under the key, that one keeps the key.
    requeue: ({ id }, runAt) =>
      sql`
        update test_task t set run_at = ${instantOf(sql, runAt)}, running_key = null,
          job_key = case when not exists (select from test_task o where o.job_key = t.running_key) then t.running_key end
        where task_id = ${id}`.pipe(Effect.asVoid, fromSql()),

    end: ({ id }, failure) =>
      (failure === undefined
        ? sql`delete from test_task where task_id = ${id}`
        : sql`update test_task set failure = ${failure.slice(0, 2000)} where task_id = ${id}`
      ).pipe(Effect.asVoid, fromSql())
  }
})
