import { EventEmitter } from "node:events"
import { Cause, Deferred, Duration, Effect, Option, Ref, Schedule, type Scope } from "effect"
import { type ParsedCronItem, type Runner, type RunnerOptions, run, type WorkerEvents } from "graphile-worker"
import type { Pool } from "pg"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import type { BackgroundScheduler } from "../Fairness/BackgroundScheduler.ts"
import { finishWithin } from "../Finalizer.ts"
import type { EngineTables } from "./EngineTables.ts"
import type { EngineTiming } from "./EngineTiming.ts"
import { type Heartbeat, WorkerPoolBroke } from "./Heartbeat.ts"
import { makeLibraryLog } from "./LibraryLog.ts"
import type { TaskHandler } from "./TaskHandler.ts"
import { makeTaskRunner } from "./TaskRunner.ts"

export interface WorkerPoolOptions<R> {
  readonly name: string
  readonly handlers: ReadonlyArray<TaskHandler<R>>
  /** The number of tasks that run at a time. */
  readonly concurrency: number
  /** The number of tasks that one statement fetches ahead for this process; 0 fetches them one by one. */
  readonly fetch: number
  readonly cron: Array<ParsedCronItem>
  readonly pool: Pool
  readonly schema: string
  readonly tables: EngineTables
  readonly timing: EngineTiming
  readonly isSampled: (name: string) => boolean
  /** Reports that a worker is alive, and fails if other processes declared it dead. */
  readonly heartbeat: Heartbeat
  /** Called when the due tasks may have changed. */
  readonly news: () => void
  /** Called with true when the database starts to announce new tasks, and with false when it stops. */
  readonly hearing: (hears: boolean) => void
  /** Called when a hand finds no task just after one ended. A task that waited behind the ended one can run now. */
  readonly isFree: () => void
  /** True once the engine is about to end. */
  readonly isStopping: () => boolean
}

export interface WorkerPool {
  readonly name: string
  readonly isWorking: Effect.Effect<boolean>
  /** Makes this many free hands poll for a task. */
  readonly nudge: (hands: number) => void
  /** Runs tasks until the engine stops. If it breaks, it logs the cause and starts again. */
  readonly work: Effect.Effect<void>
}

/** The interval at which the library's hands poll for tasks by themselves. The engine wakes them earlier. */
const libraryPoll = Duration.minutes(5)

/** The time in milliseconds after which the library returns tasks that it fetched ahead. */
const fetchedTasksMillis = 3_000

/**
 * Milliseconds for which results are collected into a batch. Without batches, a result that cannot be recorded ends the
 * process.
 */
const resultBatchMillis = 5

/** A worker that has ended, with the tasks that it did but may not have recorded. */
interface EndedWorker {
  readonly workerId: string
  readonly done: ReadonlyArray<string>
}

interface Worker {
  readonly workerId: string
  /** Succeeds when the database has answered the first query for tasks. */
  readonly started: Effect.Effect<void>
  /** Succeeds when the library gives up. */
  readonly ended: Effect.Effect<void>
}

/** The state that successive workers of one pool share. */
interface PoolState {
  /** Wakes hands of the current worker; undefined while there is none. */
  wakeHands: ((count: number) => void) | undefined
  /** Workers that could not be retired because the database was unreachable. */
  readonly unretired: Map<string, EndedWorker>
}

/** The signals by which the library reports the state of one worker. */
interface WorkerSignals {
  readonly started: Deferred.Deferred<void>
  readonly gaveUp: Deferred.Deferred<void>
  workerId: string
}

const describe = (cause: unknown): string =>
  cause instanceof Error ? `${cause.name}${"code" in cause ? ` ${String(cause.code)}` : ""}` : "unknown"

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

/** Error codes that mean that the statement never reached the database. */
const notReached = /^(?:ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN)$/

/**
 * True if a failed statement may have taken effect: its session broke, but the server may have received the statement
 * and did not refuse it.
 */
const mayBeDone = (cause: unknown): boolean => {
  const code = codeOf(cause)
  // Class 57P means that the server ended the session.
  if (/^[0-9A-Z]{5}$/.test(code)) return code.startsWith("57P")
  if (notReached.test(code)) return false
  return !(cause instanceof Error && /time-?out/.test(cause.message))
}

const retire = ({ done, workerId }: EndedWorker, tables: EngineTables, { unretired }: PoolState) =>
  Effect.tap(tables.retire(workerId, done), () => Effect.sync(() => unretired.delete(workerId)))

/** Handles the library's events about tasks: when they are announced, start and end. */
const followTasks = <R>(events: WorkerEvents, options: WorkerPoolOptions<R>, signals: WorkerSignals): void => {
  events.on("pool:listen:notification", options.news)
  events.on("pool:listen:success", () => options.hearing(true))
  events.on("pool:listen:error", () => options.hearing(false))
  // A failed task gets a new due time, which only the database knows.
  events.on("job:error", options.news)
  let hasEndedTask = false
  events.on("job:complete", () => {
    hasEndedTask = true
  })
  events.on("worker:getJob:empty", () => {
    if (hasEndedTask) options.isFree()
    hasEndedTask = false
  })
  for (const event of ["localQueue:getJobs:complete", "worker:getJob:empty", "job:start"] as const) {
    events.once(event, () => Deferred.unsafeDone(signals.started, Effect.void))
  }
}

/** Handles the library's events about the start and the end of a worker. */
const followWorker = (events: WorkerEvents, fetch: number, state: PoolState, signals: WorkerSignals): void => {
  events.once("pool:create", ({ workerPool }) => {
    signals.workerId = workerPool.id
    state.wakeHands = workerPool.nudge.bind(workerPool)
    // Without this, each hand that fetches one by one would search the whole queue after every announcement.
    if (fetch === 0) workerPool.nudge = () => {}
  })
  // The library ends a worker that could not record a result, and waits for its running tasks. Tasks fetched ahead are
  // dropped here and handed back when the worker is retired: the library would return them in an unhandled rejection.
  let dropFetched = () => {}
  events.once("localQueue:init", ({ localQueue }) => {
    dropFetched = () => {
      localQueue.jobQueue.length = 0
    }
  })
  events.once("pool:gracefulShutdown", () => {
    state.wakeHands = undefined
    dropFetched()
    Deferred.unsafeDone(signals.gaveUp, Effect.void)
  })
}

/**
 * Stops a worker: takes no more tasks, interrupts running ones, and hands back unfinished ones. Each step has a share
 * of the time limit.
 */
const stopWorker = <R>(
  runner: Runner,
  stopTasks: Effect.Effect<void>,
  worker: EndedWorker,
  { tables, timing }: WorkerPoolOptions<R>,
  state: PoolState
) => {
  const within = (share: number) => finishWithin(Duration.times(timing.stop, share))
  return Effect.suspend(() => {
    state.unretired.set(worker.workerId, worker)
    // The library waits for running tasks, so they are interrupted at the same time. A runner that gave up throws when
    // it is stopped.
    const stopped = runner
      .stop()
      .catch(() => {})
      .then(() => runner.promise)
      .catch(() => {})
    return Effect.all([
      within(0.4)(stopTasks),
      within(0.3)(Effect.promise(() => stopped)),
      within(0.3)(retire(worker, tables, state))
    ])
  })
}

const startRunner = (options: RunnerOptions, gaveUp: Deferred.Deferred<void>) =>
  Effect.tryPromise({
    try: () => run(options),
    catch: (cause) => new WorkerPoolBroke({ reason: `it cannot start: ${describe(cause)}` })
  }).pipe(
    Effect.tap((runner) =>
      Effect.sync(() => {
        const giveUp = () => Deferred.unsafeDone(gaveUp, Effect.void)
        runner.promise.then(giveUp, giveUp)
      })
    )
  )

const startWorker = <R>(
  options: WorkerPoolOptions<R>,
  state: PoolState
): Effect.Effect<Worker, WorkerPoolBroke, R | BackgroundScheduler | Scope.Scope> =>
  Effect.gen(function* () {
    const done = new Array<string>()
    const signals: WorkerSignals = {
      started: yield* Deferred.make<void>(),
      gaveUp: yield* Deferred.make<void>(),
      workerId: ""
    }
    const { gaveUp } = signals
    // If tasks may have been locked without this worker knowing, they would stay locked as long as it lives. So the
    // worker ends.
    const onNotFetched = (cause: unknown) => {
      if (mayBeDone(cause)) Deferred.unsafeDone(gaveUp, Effect.void)
    }
    const events: WorkerEvents = new EventEmitter()
    followWorker(events, options.fetch, state, signals)
    followTasks(events, options, signals)
    events.on("worker:getJob:error", ({ error }) => onNotFetched(error))

    const tasks = yield* makeTaskRunner({ ...options, workerId: () => signals.workerId })
    const runnerOptions: RunnerOptions = {
      pgPool: options.pool,
      schema: options.schema,
      events,
      logger: yield* makeLibraryLog((ids) => done.push(...ids), onNotFetched),
      noHandleSignals: true,
      concurrency: options.concurrency,
      pollInterval: Duration.toMillis(libraryPoll),
      taskList: tasks.taskList,
      parsedCronItems: options.cron,
      preset: {
        worker: {
          ...(options.fetch > 0 ? { localQueue: { size: options.fetch, ttl: fetchedTasksMillis } } : {}),
          completeJobBatchDelay: resultBatchMillis,
          failJobBatchDelay: resultBatchMillis
        }
      }
    }
    yield* Effect.acquireRelease(startRunner(runnerOptions, gaveUp), (runner) =>
      stopWorker(runner, tasks.stop, { workerId: signals.workerId, done }, options, state)
    )
    return {
      workerId: signals.workerId,
      started: Deferred.await(signals.started),
      ended: Deferred.await(gaveUp)
    }
  })

/** Runs tasks with one worker until it breaks. */
const workUntilBroken = <R>(
  options: WorkerPoolOptions<R>,
  state: PoolState,
  isWorking: Ref.Ref<boolean>
): Effect.Effect<never, WorkerPoolBroke, R | BackgroundScheduler> => {
  const { heartbeat, tables, timing } = options
  return Effect.scoped(
    Effect.gen(function* () {
      yield* Effect.forEach([...state.unretired.values()], (worker) => retire(worker, tables, state), { discard: true })
      const worker = yield* startWorker(options, state)
      yield* tables.register(worker.workerId, options.concurrency)
      yield* Effect.addFinalizer(() => Ref.set(isWorking, false))
      // The library does not repeat a failed first query for tasks, so a worker whose first query failed never starts.
      const working = Effect.timeout(worker.started, timing.deadAfter).pipe(
        Effect.zipRight(Ref.set(isWorking, true)),
        Effect.zipRight(Effect.never)
      )
      const gaveUp = Effect.zipRight(worker.ended, new WorkerPoolBroke({ reason: "the library gave up" }))
      return yield* Effect.raceFirst(gaveUp, Effect.raceFirst(working, heartbeat.follow(worker.workerId)))
    })
  ).pipe(
    Effect.catchTags({
      SqlError: (error) => new WorkerPoolBroke({ reason: `it cannot start: ${describe(error.cause)}` }),
      TimeoutException: () => new WorkerPoolBroke({ reason: "it did not start in time" })
    })
  )
}

const logRestart = (pool: string) => (cause: Cause.Cause<WorkerPoolBroke>) =>
  Effect.annotateLogs(Effect.logWarning("background work pauses and starts again"), {
    pool,
    cause: Option.match(Cause.failureOption(cause), {
      onNone: () => describeCause(cause),
      onSome: ({ reason }) => reason
    })
  })

export const makeWorkerPool = <R>(
  options: WorkerPoolOptions<R>
): Effect.Effect<WorkerPool, never, R | BackgroundScheduler> =>
  Effect.gen(function* () {
    const { isStopping, name, timing } = options
    const context = yield* Effect.context<R | BackgroundScheduler>()
    const isWorking = yield* Ref.make(false)
    const state: PoolState = { wakeHands: undefined, unretired: new Map() }
    const restarts = Schedule.exponential("200 millis").pipe(
      Schedule.union(Schedule.spaced(timing.longestRestart)),
      Schedule.jittered,
      Schedule.resetAfter("30 seconds")
    )
    const work = workUntilBroken(options, state, isWorking).pipe(
      Effect.sandbox,
      Effect.tapError(logRestart(name)),
      // Effect forgets an interruption that arrives while a finalizer runs, so the end of the engine is checked here too.
      Effect.retry({ schedule: restarts, while: () => !isStopping() }),
      Effect.ignore,
      Effect.provide(context)
    )
    return {
      name,
      isWorking: Ref.get(isWorking),
      work,
      nudge: (count) => {
        // A worker that gave up throws here. Its pool restarts by itself.
        try {
          state.wakeHands?.(count)
        } catch {}
      }
    }
  })
