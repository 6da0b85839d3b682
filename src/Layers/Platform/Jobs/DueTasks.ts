import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"

/** What waits for a worker. */
export interface DueTasks {
  /** How many may be taken now, by the name of the task; not more than a look counts. */
  readonly due: ReadonlyMap<string, number>
  /** Milliseconds until the next one is due; infinite where none waits. */
  readonly nextIn: number
}

/** Of each urgency; more is looked for by those who take them. A parameter would have the look planned each time. */
const counted = 100

interface Row {
  readonly due: { readonly [name: string]: number } | null
  readonly next_in: number | null
}

/**
 * One look for all workers: which tasks may be taken now, and when the next one is due. It steps from urgency to urgency
 * along the library's index, so that a long queue costs no more than a short one. What waits behind another task of its
 * queue is left out: the end of that one is a reason to look again.
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
