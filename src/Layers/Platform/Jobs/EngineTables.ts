import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import { Duration, Effect } from "effect"

/** The result of a heartbeat. */
export interface Beat {
  /** The workers that are still registered. Other processes declared the rest dead and took their tasks. */
  readonly alive: ReadonlySet<string>
  /** True if a worker of another process sends no more heartbeats. */
  readonly areDead: boolean
  /** True if tasks are locked by workers that never sent a heartbeat. It is only checked if requested. */
  readonly areOrphaned: boolean
}

/** A failed attempt, as it is recorded. */
export interface FailedAttempt {
  readonly taskId: string
  readonly workerId: string
  /** For operators. It contains names and codes, no personal data. */
  readonly message: string
  /** Seconds until the next attempt; `undefined` if there is none. */
  readonly retryIn: number | undefined
}

export interface EngineTables {
  /** Registers a worker. `hands` is the number of tasks that it runs at a time. */
  readonly register: (workerId: string, hands: number) => Effect.Effect<void, SqlError>
  readonly beat: (workerIds: ReadonlyArray<string>, looksForOrphans: boolean) => Effect.Effect<Beat, SqlError>
  /**
   * Makes the tasks of workers without a heartbeat runnable again, and returns those workers. Tasks start in the order
   * in which they are due, so only the first `hands` of them had begun and lose an attempt.
   */
  readonly recoverDead: Effect.Effect<ReadonlyArray<string>, SqlError>
  /**
   * Like `recoverDead`, for workers that died before their first heartbeat. Each is assumed to have `hands`. It reads
   * every task.
   */
  readonly recoverOrphaned: (hands: number) => Effect.Effect<ReadonlyArray<string>, SqlError>
  /** Makes a task that was claimed but not done runnable at once, as if it had never been claimed. */
  readonly handBack: (workerId: string, taskId: string) => Effect.Effect<void, SqlError>
  readonly recordFailure: (failure: FailedAttempt) => Effect.Effect<void, SqlError>
  /** Removes a worker. Its `done` tasks are deleted, and all other tasks that it still holds become runnable. */
  readonly retire: (workerId: string, done: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
}

/**
 * Makes the statements on the engine's tables and on the heartbeats for which the library has no function. The library
 * calls these tables private, so its version is pinned and tests check these statements against it.
 */
export const makeEngineTables = (sql: SqlClient, schema: string, deadAfter: Duration.Duration): EngineTables => {
  const tasks = sql(`${schema}._private_jobs`)
  const queues = sql(`${schema}._private_job_queues`)
  const patience = `${Duration.toSeconds(deadAfter)} seconds`

  const orphaned = sql`${tasks} task where locked_at < now() - ${patience}::interval
    and not exists (select from worker_heartbeat holder where holder.worker_id = task.locked_by)`

  /** `lost` defines the CTE `lost`, with the id and the `hands` of each dead worker. */
  const recover = (lost: Fragment): Effect.Effect<ReadonlyArray<string>, SqlError> =>
    Effect.map(
      sql<{ readonly workers: ReadonlyArray<string> }>`
        with ${lost}, held as (
          select id, worker_id,
            row_number() over (partition by worker_id order by priority, run_at, id) > hands as is_unbegun
          from ${tasks} task join lost on lost.worker_id = task.locked_by
        ), returned as (
          update ${tasks} task set attempts = greatest(0, task.attempts - held.is_unbegun::integer),
            locked_at = null, locked_by = null
          from held where task.id = held.id and task.locked_by = held.worker_id
        ), freed as (
          update ${queues} set locked_at = null, locked_by = null where locked_by in (select worker_id from lost)
        )
        select array_agg(worker_id) as workers, pg_notify('jobs:insert', '{"count":100}') from lost having count(*) > 0`,
      ([row]) => row?.workers ?? []
    )

  return {
    register: (workerId, hands) =>
      Effect.asVoid(
        sql`insert into worker_heartbeat (worker_id, hands) values (${workerId}, ${hands})
          on conflict (worker_id) do update set beat_at = now()`
      ),

    beat: (workerIds, looksForOrphans) =>
      Effect.map(
        // The subqueries see the heartbeats as they were before this update.
        sql<{
          readonly worker_id: string
          readonly are_dead: boolean
          readonly are_orphaned: boolean
        }>`
          update worker_heartbeat own set beat_at = now() where worker_id = any(${workerIds}::text[])
          returning worker_id,
            exists (select from worker_heartbeat other where other.beat_at < now() - ${patience}::interval
              and other.worker_id <> all (${workerIds}::text[])) as are_dead,
            ${looksForOrphans} and exists (select from ${orphaned}) as are_orphaned`,
        (rows) => ({
          alive: new Set(rows.map(({ worker_id }) => worker_id)),
          areDead: rows.some(({ are_dead }) => are_dead),
          areOrphaned: rows.some(({ are_orphaned }) => are_orphaned)
        })
      ),

    // A worker that sends a heartbeat while it is being declared dead keeps its row, since the deletion checks its age
    // again.
    recoverDead: recover(sql`
      lost as (
        delete from worker_heartbeat where beat_at < now() - ${patience}::interval returning worker_id, hands
      )`),

    recoverOrphaned: (hands) =>
      recover(sql`
        lost as (
          select distinct locked_by as worker_id, ${hands}::integer as hands from ${orphaned}
        )`),

    handBack: (workerId, taskId) =>
      Effect.asVoid(sql`
        with returned as (
          update ${tasks} set attempts = greatest(0, attempts - 1), locked_at = null, locked_by = null
          where id = ${taskId} and locked_by = ${workerId} returning job_queue_id
        ), freed as (
          update ${queues} set locked_at = null, locked_by = null
          where id in (select job_queue_id from returned) and locked_by = ${workerId}
        )
        select pg_notify('jobs:insert', '{"count":1}') from returned`),

    recordFailure: ({ message, retryIn, taskId, workerId }) =>
      Effect.asVoid(sql`
        with failed as (
          update ${tasks} set
            attempts = case when ${retryIn === undefined} then max_attempts else attempts end,
            run_at = now() + make_interval(secs => ${retryIn ?? 0}),
            last_error = ${message}, locked_at = null, locked_by = null, updated_at = now()
          where id = ${taskId} and locked_by = ${workerId} returning job_queue_id
        )
        update ${queues} set locked_at = null, locked_by = null
        where id in (select job_queue_id from failed) and locked_by = ${workerId}`),

    retire: (workerId, done) =>
      Effect.asVoid(sql`
        with finished as (
          delete from ${tasks} where locked_by = ${workerId} and id = any(${done}::bigint[])
        ), returned as (
          update ${tasks} set attempts = greatest(0, attempts - 1), locked_at = null, locked_by = null
          where locked_by = ${workerId} and id <> all(${done}::bigint[]) returning id
        ), freed as (
          update ${queues} set locked_at = null, locked_by = null where locked_by = ${workerId}
        ), ended as (
          delete from worker_heartbeat where worker_id = ${workerId}
        )
        select pg_notify('jobs:insert', json_build_object('count', greatest(1, count(*)))::text) from returned`)
  }
}
