import { SqlClient } from "@effect/sql/SqlClient"
import { Duration, Effect, Layer, Logger, LogLevel, Schedule } from "effect"
import { JobsPostgres } from "../../src/Layers/Jobs/JobsPostgres.ts"
import { EventLoopLive } from "../../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { jobEngineLayer } from "../../src/Layers/Platform/Jobs/Engine.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import type { Recurring } from "../../src/Layers/Platform/Jobs/Recurring.ts"
import type { TaskHandler } from "../../src/Layers/Platform/Jobs/TaskHandler.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import type { JobHandler } from "../../src/Services/Jobs/JobHandler.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** The queue and the jobs on the test file's database, without an engine. */
export const Queue = JobsPostgres.pipe(
  Layer.provideMerge(TaskQueuePostgres),
  Layer.provideMerge(Layer.effectDiscard(migrateEngine)),
  Layer.provideMerge(TestDatabase),
  Layer.merge(Logger.minimumLogLevel(LogLevel.None))
)

export const quickTiming = {
  heartbeat: Duration.millis(100),
  deadAfter: Duration.seconds(3),
  poll: Duration.millis(200),
  stop: Duration.seconds(5),
  longestRestart: Duration.millis(200)
}

/** Starts an engine that works until the scope ends. */
export const startEngine = <
  const T extends TaskHandler<unknown> = never,
  const J extends JobHandler<unknown> = never
>(options: {
  readonly tasks?: ReadonlyArray<T>
  readonly jobs?: ReadonlyArray<J>
  readonly recurring?: ReadonlyArray<Recurring>
  readonly timing?: Partial<typeof quickTiming>
  readonly longHands?: number
}) =>
  Layer.build(
    jobEngineLayer({
      tasks: options.tasks ?? [],
      jobs: options.jobs ?? [],
      recurring: options.recurring ?? [],
      concurrency: { quick: 4, long: options.longHands ?? 2 },
      timing: { ...quickTiming, ...options.timing }
    }).pipe(Layer.provide(EventLoopLive))
  )

/** Repeats `ask` until the answer is as expected. Fails after a minute. */
export const eventually = <A, E, R>(ask: Effect.Effect<A, E, R>, isExpected: (answer: A) => boolean) =>
  Effect.repeat(ask, { until: isExpected, schedule: Schedule.spaced("20 millis") }).pipe(
    Effect.andThen(ask),
    Effect.timeout("60 seconds")
  )

/** The engine's rows of the tasks with this name that are not done, oldest first. */
export const tasksNamed = (name: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{
      readonly id: number
      readonly attempts: number
      readonly max_attempts: number
      readonly locked_by: string | null
      readonly last_error: string | null
      readonly is_due: boolean
      readonly payload: object
    }>`
      select job.id, attempts, max_attempts, locked_by, last_error, run_at <= now() as is_due, payload
      from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = task_id
      where identifier = ${name} order by job.id`
  )
