import type { SqlClient } from "@effect/sql/SqlClient"
import { Duration, Effect, Layer, type Scope } from "effect"
import { JobEngine } from "../../../Services/Jobs/JobEngine.ts"
import type { JobHandler } from "../../../Services/Jobs/JobHandler.ts"
import type { JobRecords } from "../../../Services/Jobs/JobRecords.ts"
import { makeAdaptivePoller, maximumIdle } from "../AdaptivePoller.ts"
import type { BackgroundScheduler } from "../Fairness/BackgroundScheduler.ts"
import type { DatabaseLocation } from "../Postgres/Database.ts"
import { CommitSignal } from "../Postgres/pool/CommitSignal.ts"
import { backgroundJobHandlers } from "./BackgroundJob.ts"
import { makeDueTasks } from "./DueTasks.ts"
import { makeEnginePool } from "./EnginePool.ts"
import { EngineSchema } from "./EngineSchema.ts"
import { makeEngineTables } from "./EngineTables.ts"
import type { EngineTiming } from "./EngineTiming.ts"
import { failedTasksDropping } from "./FailedTasks.ts"
import { makeHeartbeat } from "./Heartbeat.ts"
import { makeJobCounts } from "./JobCounts.ts"
import { cronItems, type Recurring } from "./Recurring.ts"
import type { TaskHandler } from "./TaskHandler.ts"
import { makeWorkerPool } from "./WorkerPool.ts"

export interface EngineOptions<T extends TaskHandler<unknown>, J extends JobHandler<unknown>> {
  readonly tasks: ReadonlyArray<T>
  /** The handlers of background jobs, by kind. */
  readonly jobs: ReadonlyArray<J>
  readonly recurring?: ReadonlyArray<Recurring>
  /** Tasks that run at a time in this process. `quick` ones mostly wait for outside services. */
  readonly concurrency: {
    readonly quick: number
    readonly serial?: number
    readonly long: number
    /** By default 1, since each rendering occupies a processor. */
    readonly render?: number
  }
  /** Returns whether the next task is traced. By default all are. */
  readonly isSampled?: () => boolean
  readonly timing?: Partial<EngineTiming>
}

export type HandlerRequirements<T> = T extends TaskHandler<infer R> ? R : never
export type JobRequirements<J> = J extends JobHandler<infer R> ? R : never

/** A crashed worker is noticed at most 19 s after its last heartbeat, and its tasks run at once. */
const defaultTiming: EngineTiming = {
  heartbeat: Duration.seconds(4),
  deadAfter: Duration.seconds(15),
  poll: Duration.millis(250),
  rest: maximumIdle,
  stop: Duration.seconds(9),
  longestRestart: Duration.seconds(5)
}

const assertBound = (handlers: ReadonlyArray<TaskHandler<unknown>>, schedule: ReadonlyArray<Recurring>): void => {
  const names = new Set(handlers.map(({ task }) => task.name))
  if (names.size !== handlers.length) throw new Error("Two handlers are bound to the same task.")
  const unbound = schedule.find(({ task }) => !names.has(task))
  if (unbound !== undefined) throw new Error(`No handler is bound to ${unbound.task}, which ${unbound.name} queues.`)
}

const make = <R>(
  handlers: ReadonlyArray<TaskHandler<R>>,
  options: Omit<EngineOptions<never, never>, "tasks" | "jobs">
) =>
  Effect.gen(function* () {
    const schedule = [failedTasksDropping.recurring, ...(options.recurring ?? [])]
    assertBound(handlers, schedule)
    const timing = { ...defaultTiming, ...options.timing }
    const schema = yield* EngineSchema
    const { pool, sql } = yield* makeEnginePool
    const tables = makeEngineTables(sql, schema, timing.deadAfter)

    // Recurring tasks only look for work and queue separate tasks for it, so they are not traced.
    const recurringNames = new Set(schedule.map(({ task }) => task))
    const { isSampled = () => true } = options
    let isStopping = false

    const activity = new CommitSignal()
    const lookout = yield* makeAdaptivePoller(activity, { shortest: timing.poll, longest: timing.rest })

    const { long, quick, render = 1, serial = long } = options.concurrency
    const heartbeat = yield* makeHeartbeat(tables, timing, quick)
    const workerPools = yield* Effect.forEach(
      [
        { name: "quick", concurrency: quick, fetch: Math.max(500, 4 * quick), cron: cronItems(schedule) },
        // These tasks are fetched one by one: an urgent task could not overtake tasks that were fetched ahead.
        { name: "urgent", concurrency: Math.max(2, Math.ceil(quick / 2)), fetch: 0, cron: [] },
        // These tasks are fetched one by one: in batches the library keeps no order within a queue.
        { name: "serial", concurrency: serial, fetch: 0, cron: [] },
        { name: "long", concurrency: long, fetch: 0, cron: [] },
        { name: "render", concurrency: render, fetch: 0, cron: [] }
      ]
        .map((workers) => ({ ...workers, handlers: handlers.filter(({ task }) => task.pool === workers.name) }))
        .filter((workers) => workers.handlers.length > 0),
      (workers) =>
        makeWorkerPool({
          ...workers,
          pool,
          schema,
          tables,
          timing,
          heartbeat,
          news: lookout.wake,
          hearing: (hears) => activity.hearing(hears),
          isFree: lookout.wake,
          isSampled: (name) => !recurringNames.has(name) && isSampled(),
          isStopping: () => isStopping
        })
    )
    // One query for all pools decides which pools to wake, and when to query again.
    const poolOf = new Map(handlers.map(({ task }) => [task.name, task.pool]))
    const poolNamed = new Map(workerPools.map((workers) => [workers.name, workers]))
    const look = Effect.map(makeDueTasks(sql, schema), ({ due, nextIn }) => {
      const dueByPool = new Map<string, number>()
      for (const [name, number] of due) {
        const pool = poolOf.get(name)
        if (pool !== undefined) dueByPool.set(pool, (dueByPool.get(pool) ?? 0) + number)
      }
      for (const [pool, number] of dueByPool) poolNamed.get(pool)?.nudge(number)
      return { found: dueByPool.size > 0, dueIn: nextIn }
    }).pipe(
      // The cause is not logged here, because the pools log it.
      Effect.catchAllCause(() => Effect.succeed({ found: true }))
    )
    yield* Effect.forkScoped(Effect.withTracerEnabled(lookout.poll(look), false))
    yield* Effect.forkScoped(
      Effect.withTracerEnabled(
        Effect.forEach(workerPools, ({ work }) => work, { concurrency: "unbounded", discard: true }),
        false
      )
    )
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        isStopping = true
      })
    )

    return JobEngine.of({
      jobCounts: yield* makeJobCounts,
      isWorking: Effect.map(
        Effect.forEach(workerPools, ({ isWorking }) => isWorking),
        (working) => working.every((works) => works)
      )
    })
  })

/**
 * Runs the background work of this process: tasks, jobs and the engine's maintenance, in pools. It recovers from the
 * loss of the database, takes over the tasks of dead processes, and returns unfinished ones when its scope ends.
 */
export const jobEngineLayer = <const T extends TaskHandler<unknown>, const J extends JobHandler<unknown>>({
  jobs,
  tasks,
  ...options
}: EngineOptions<T, J>): Layer.Layer<
  JobEngine,
  never,
  Exclude<
    HandlerRequirements<T> | JobRequirements<J> | SqlClient | JobRecords | DatabaseLocation | BackgroundScheduler,
    Scope.Scope
  >
> => {
  const backgroundJobs = backgroundJobHandlers(jobs as ReadonlyArray<JobHandler<JobRequirements<J>>>)
  const engineHandlers = [failedTasksDropping.handler, ...backgroundJobs]
  const bound = [...engineHandlers, ...(tasks as ReadonlyArray<TaskHandler<HandlerRequirements<T>>>)]
  return Layer.scoped(
    JobEngine,
    make<HandlerRequirements<T> | JobRequirements<J> | SqlClient | JobRecords>(bound, options)
  )
}
