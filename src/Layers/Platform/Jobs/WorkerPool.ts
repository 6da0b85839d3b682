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
  /** Tasks at a time. */
  readonly concurrency: number
  /** Tasks fetched by one statement, and so held by this process before it has a hand free; 0 fetches one by one. */
  readonly fetch: number
  readonly cron: Array<ParsedCronItem>
  readonly pool: Pool
  readonly schema: string
  readonly tables: EngineTables
  readonly timing: EngineTiming
  readonly isSampled: (name: string) => boolean
  /** Shows that a worker lives, and fails when others took it for dead. */
  readonly heartbeat: Heartbeat
  /** Hears of whatever may have changed what is due. */
  readonly news: () => void
  /** Hears whether the database announces new tasks. */
  readonly hearing: (hears: boolean) => void
  /** Hears that a hand found nothing just after a task had ended: what waited behind that one can be taken now. */
  readonly isFree: () => void
  /** Whether the engine is about to end. */
  readonly isStopping: () => boolean
}

export interface WorkerPool {
  readonly name: string
  readonly isWorking: Effect.Effect<boolean>
  /** Has so many hands look for a task, as far as they are free. */
  readonly nudge: (hands: number) => void
  /** Works until the engine stops: whatever breaks it is logged, and it starts again. */
  readonly work: Effect.Effect<void>
}

/** How often the library's hands look by themselves: nobody relies on it. */
const ownLook = Duration.minutes(5)

/** A worker that has ended, and what it still has to be released from. */
interface Ended {
  readonly workerId: string
  readonly done: ReadonlyArray<string>
}

interface Worker {
  readonly workerId: string
  /** Succeeds when the first look for tasks has come back from the database. */
  readonly started: Effect.Effect<void>
  /** Succeeds when the library gives up. */
  readonly ended: Effect.Effect<void>
}

const describe = (cause: unknown): string =>
  cause instanceof Error ? `${cause.name}${"code" in cause ? ` ${String(cause.code)}` : ""}` : "unknown"

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

/**
 * Whether a statement that failed may have been done all the same: its session broke, and not for want of one, and not
 * because the server refused it.
 */
const mayBeDone = (cause: unknown): boolean => {
  const code = codeOf(cause)
  if (/^[0-9A-Z]{5}$/.test(code)) return code.startsWith("57P")
  if (/^(?:ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN)$/.test(code)) return false
  return !(cause instanceof Error && /time-?out/.test(cause.message))
}

export const makeWorkerPool = <R>(
  options: WorkerPoolOptions<R>
): Effect.Effect<WorkerPool, never, R | BackgroundScheduler> =>
  Effect.gen(function* () {
    const { name, tables, timing } = options
    const context = yield* Effect.context<R | BackgroundScheduler>()
    const isWorking = yield* Ref.make(false)
    let hands: ((count: number) => void) | undefined
    // Workers that could not be retired, since the database was away.
    const ended = new Map<string, Ended>()

    const retire = ({ done, workerId }: Ended) =>
      Effect.tap(tables.retire(workerId, done), () => Effect.sync(() => ended.delete(workerId)))

    const startWorker: Effect.Effect<Worker, WorkerPoolBroke, R | BackgroundScheduler | Scope.Scope> = Effect.gen(
      function* () {
        const done = new Array<string>()
        const started = yield* Deferred.make<void>()
        const gaveUp = yield* Deferred.make<void>()
        let workerId = ""

        const events: WorkerEvents = new EventEmitter()
        events.once("pool:create", ({ workerPool }) => {
          workerId = workerPool.id
          const nudge = workerPool.nudge.bind(workerPool)
          hands = nudge
          // Each hand that fetches one by one would look through the whole queue after every announcement, whoever it is for.
          if (options.fetch === 0) workerPool.nudge = () => {}
        })
        events.on("pool:listen:notification", options.news)
        events.on("pool:listen:success", () => options.hearing(true))
        events.on("pool:listen:error", () => options.hearing(false))
        // What failed is due again at a time that only the database knows.
        events.on("job:error", options.news)
        let hasEnded = false
        events.on("job:complete", () => {
          hasEnded = true
        })
        events.on("worker:getJob:empty", () => {
          if (hasEnded) options.isFree()
          hasEnded = false
        })
        for (const event of ["localQueue:getJobs:complete", "worker:getJob:empty", "job:start"] as const) {
          events.once(event, () => Deferred.unsafeDone(started, Effect.void))
        }
        // The library ends a worker that could not record a result, and then waits for what the worker still runs. What is
        // fetched but not begun is dropped here and handed back when the worker is retired: the library's own way to
        // return it fails at once, and without the database in an unhandled rejection, which would end the process.
        let dropFetched = () => {}
        events.once("localQueue:init", ({ localQueue }) => {
          dropFetched = () => {
            localQueue.jobQueue.length = 0
          }
        })
        events.once("pool:gracefulShutdown", () => {
          hands = undefined
          dropFetched()
          Deferred.unsafeDone(gaveUp, Effect.void)
        })

        // Tasks that it took would be held by a worker that lives and does not know of them, as long as it lives.
        const onNotFetched = (cause: unknown) => {
          if (mayBeDone(cause)) Deferred.unsafeDone(gaveUp, Effect.void)
        }
        events.on("worker:getJob:error", ({ error }) => onNotFetched(error))

        const tasks = yield* makeTaskRunner({ ...options, workerId: () => workerId })
        const runnerOptions: RunnerOptions = {
          pgPool: options.pool,
          schema: options.schema,
          events,
          logger: yield* makeLibraryLog((ids) => done.push(...ids), onNotFetched),
          noHandleSignals: true,
          concurrency: options.concurrency,
          pollInterval: Duration.toMillis(ownLook),
          taskList: tasks.taskList,
          parsedCronItems: options.cron,
          preset: {
            worker: {
              ...(options.fetch > 0 ? { localQueue: { size: options.fetch, ttl: 3_000 } } : {}),
              // Not off: unbatched, a result that cannot be recorded is an unhandled rejection, which ends the process.
              completeJobBatchDelay: 5,
              failJobBatchDelay: 5
            }
          }
        }

        yield* Effect.acquireRelease(
          Effect.tryPromise({
            try: () => run(runnerOptions),
            catch: (cause) => new WorkerPoolBroke({ reason: `it cannot start: ${describe(cause)}` })
          }).pipe(
            Effect.tap((runner) =>
              Effect.sync(() => {
                const giveUp = () => Deferred.unsafeDone(gaveUp, Effect.void)
                runner.promise.then(giveUp, giveUp)
              })
            )
          ),
          (runner) => stopWorker(runner, tasks.stop, { workerId, done })
        )
        return { workerId, started: Deferred.await(started), ended: Deferred.await(gaveUp) }
      }
    )

    /** Takes nothing more, ends what runs, and hands back what is not done; each step has its share of the time. */
    const stopWorker = (runner: Runner, stopTasks: Effect.Effect<void>, worker: Ended) => {
      const within = (share: number) => finishWithin(Duration.times(timing.stop, share))
      return Effect.suspend(() => {
        ended.set(worker.workerId, worker)
        // It waits for its running tasks, so these are interrupted meanwhile. One that gave up before refuses to stop.
        const stopped = runner
          .stop()
          .catch(() => {})
          .then(() => runner.promise)
          .catch(() => {})
        return Effect.all([
          within(0.4)(stopTasks),
          within(0.3)(Effect.promise(() => stopped)),
          within(0.3)(retire(worker))
        ])
      })
    }

    const session: Effect.Effect<never, WorkerPoolBroke, R | BackgroundScheduler> = Effect.scoped(
      Effect.gen(function* () {
        yield* Effect.forEach([...ended.values()], retire, { discard: true })
        const worker = yield* startWorker
        yield* tables.register(worker.workerId, options.concurrency)
        yield* Effect.addFinalizer(() => Ref.set(isWorking, false))
        // The library never asks again for what it failed to read at its first look, so a start without one is none.
        const working = Effect.timeout(worker.started, timing.deadAfter).pipe(
          Effect.zipRight(Ref.set(isWorking, true)),
          Effect.zipRight(Effect.never)
        )
        const gaveUp = Effect.zipRight(worker.ended, new WorkerPoolBroke({ reason: "the library gave up" }))
        return yield* Effect.raceFirst(gaveUp, Effect.raceFirst(working, options.heartbeat.follow(worker.workerId)))
      })
    ).pipe(
      Effect.catchTags({
        SqlError: (error) => new WorkerPoolBroke({ reason: `it cannot start: ${describe(error.cause)}` }),
        TimeoutException: () => new WorkerPoolBroke({ reason: "it did not start in time" })
      })
    )

    const restarts = Schedule.exponential("200 millis").pipe(
      Schedule.union(Schedule.spaced(timing.longestRestart)),
      Schedule.jittered,
      Schedule.resetAfter("30 seconds")
    )

    const work = session.pipe(
      Effect.sandbox,
      Effect.tapError((cause) =>
        Effect.annotateLogs(Effect.logWarning("background work pauses and starts again"), {
          pool: name,
          cause: Option.match(Cause.failureOption(cause), {
            onNone: () => describeCause(cause),
            onSome: ({ reason }) => reason
          })
        })
      ),
      // An interruption that comes while a finalizer runs is forgotten with the finalizer's fiber refs, so the end of the
      // engine has to be seen here too.
      Effect.retry({ schedule: restarts, while: () => !options.isStopping() }),
      Effect.ignore,
      Effect.provide(context)
    )

    return {
      name,
      isWorking: Ref.get(isWorking),
      work,
      nudge: (count) => {
        // A hand that has given up refuses, and its pool starts again.
        try {
          hands?.(count)
        } catch {}
      }
    }
  })
