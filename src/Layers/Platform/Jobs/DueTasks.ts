import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"

/** The state of the queue: tasks that wait for a worker. */
export interface DueTasks {
  /** The number of due tasks by task name, counted up to a limit per priority. */
  readonly due: ReadonlyMap<string, number>
  /** Milliseconds until the next task is due; infinite if no task waits. */
  readonly nextIn: number
}

/**
 * The number up to which due tasks are counted per priority. It is a literal, because a parameter would make Postgres
 * plan the query each time.
 */
const counted = 100

interface Row {
  readonly due: { readonly [name: string]: number } | null
  readonly next_in: number | null
}

/**
 * Returns an effect that reads which tasks are due and when the next one is, for all workers at once. It walks the
 * library's index from priority to priority, so a long queue costs no more than a short one. A task that waits behind
 * another one of its queue is left out. When that one ends, the effect runs again.
 */
export const makeDueTasks = (sql: SqlClient, schema: string): Effect.Effect<DueTasks, SqlError> => {
  const tasks = sql(`${schema}._private_jobs`)
  const queues = sql(`${schema}._private_job_queues`)
  const kinds = sql(`${schema}._private_tasks`)
  return Effect.map(
    sql<Row>`
      with recursive urgency as (
        (select priority from ${tasks} where is_available order by priority limit 1)
        union all
        select following.priority from urgency u cross join lateral (
          select t.priority from ${tasks} t where t.is_available and t.priority > u.priority order by t.priority limit 1
        ) following
      ), due as (
        select kind.identifier, count(*) as number
        from urgency u
        cross join lateral (
          select t.task_id from ${tasks} t
          where t.is_available and t.priority = u.priority and t.run_at <= now()
            and (t.job_queue_id is null or exists (
              select from ${queues} q where q.id = t.job_queue_id and q.is_available))
          order by t.run_at limit ${sql.literal(`${counted}`)}
        ) t
        join ${kinds} kind on kind.id = t.task_id
        group by kind.identifier
      ), next as (
        select min(t.run_at) as at from urgency u cross join lateral (
          select t.run_at from ${tasks} t
          where t.is_available and t.priority = u.priority and t.run_at > now() order by t.run_at limit 1
        ) t
      )
      select (select json_object_agg(identifier, number) from due) as due,
        (select 1000 * extract(epoch from at - now())::float8 from next) as next_in`,
    ([row]) => ({
      due: new Map(Object.entries(row?.due ?? {})),
      nextIn: Math.max(1, Math.ceil(row?.next_in ?? Infinity))
    })
  )
}
