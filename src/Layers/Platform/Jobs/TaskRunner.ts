import { Cause, Duration, Effect, Exit, Fiber, FiberId, Option, Random, Runtime, Schedule, type Scope } from "effect"
import type { JobHelpers, TaskList } from "graphile-worker"
import { Transient } from "../../../Errors.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import { TaskFailed } from "../../../Services/Jobs/Task.ts"
import { BackgroundScheduler } from "../Fairness/BackgroundScheduler.ts"
import type { EngineTables } from "./EngineTables.ts"
import { type TaskError, type TaskHandler, type TaskInfo, TaskTimedOut } from "./TaskHandler.ts"

/** Runs each task of the library as a fiber, and reports its end to the library. */
export interface TaskRunner {
  readonly taskList: TaskList
  /** Starts no more tasks, interrupts running ones, and waits until every handler has ended. */
  readonly stop: Effect.Effect<void>
}

export interface TaskRunnerOptions<R> {
  readonly handlers: ReadonlyArray<TaskHandler<R>>
  readonly tables: EngineTables
  /** The name of the worker that takes the tasks. The library assigns it when it starts. */
  readonly workerId: () => string
  /** Returns whether the next task of this name is traced. */
  readonly isSampled: (name: string) => boolean
}

/**
 * Rejects the promise of a task. The library treats every rejection as a failed attempt, but records it only while the
 * task is still locked.
 */
class NotDone extends Error {}

/** The shortest delay before the next attempt. It may only start after the library has recorded the failed one. */
const shortestDelay = Duration.seconds(1)

const askedDelay = (error: TaskError | undefined): Duration.Duration =>
  error instanceof Transient ? Duration.seconds(error.retryAfterSeconds) : shortestDelay

const atMost = <E>(effect: Effect.Effect<void, E>): Effect.Effect<void> =>
  Effect.ignore(Effect.timeout(effect, "3 seconds"))

interface Attempt<R> {
  readonly handler: TaskHandler<R>
  readonly info: TaskInfo
  /** Milliseconds on the clock of `performance.now()`. */
  readonly deadline: number
  isOverdue: boolean
}

/** Makes the runner. Every task passes from a promise to a fiber and back, so this code does as little as possible. */
export const makeTaskRunner = <R>(
  options: TaskRunnerOptions<R>
): Effect.Effect<TaskRunner, never, R | BackgroundScheduler | Scope.Scope> =>
  Effect.gen(function* () {
    const { handlers, isSampled, tables, workerId } = options
    const scheduler = (yield* BackgroundScheduler)("background work")
    // The engine may be built without tracing, but its tasks are traced.
    const forkTraced = Runtime.runFork(yield* Effect.withTracerEnabled(Effect.runtime<R>(), true))
    const forkUntraced = Runtime.runFork(yield* Effect.withTracerEnabled(Effect.runtime<R>(), false))
    const running = new Map<Fiber.RuntimeFiber<void, TaskError>, Attempt<R>>()
    let isStopping = false

    /** Returns the task to the queue. Another worker may take it at once. */
    const handBack = (info: TaskInfo): Effect.Effect<string> =>
      Effect.as(atMost(tables.handBack(workerId(), info.id)), "handed back")

    /** Logs the failure and records when the next attempt is due, if there is one. Returns a message without personal data. */
    const recordFailure = Effect.fnUntraced(function* (
      { task }: TaskHandler<R>,
      { attempt, id, maxAttempts }: TaskInfo,
      cause: Cause.Cause<TaskError>
    ) {
      const error = Option.getOrUndefined(Cause.failureOption(cause))
      const isFinal = error instanceof TaskFailed || attempt >= maxAttempts
      const isExpected = error instanceof TaskFailed || error instanceof Transient
      const described = isExpected ? `${error._tag}: ${error.reason}` : describeCause(cause)
      yield* (isFinal ? Effect.logError("task failed for good") : Effect.logWarning("task failed")).pipe(
        Effect.annotateLogs({ task: task.name, task_id: id, attempt, cause: described })
      )
      const delay = Duration.max(Duration.decode(task.retryDelay(attempt)), askedDelay(error))
      const retryIn = isFinal ? undefined : Duration.toSeconds(delay) * (yield* Random.nextRange(1, 1.1))
      const message = described.split("\n", 1)[0] ?? ""
      // If this cannot be recorded, the library's record of the failure applies, with the library's delay.
      yield* atMost(tables.recordFailure({ taskId: id, workerId: workerId(), message, retryIn }))
      return message
    })

    const settle = ({ handler, info, isOverdue }: Attempt<R>, cause: Cause.Cause<TaskError>): Effect.Effect<string> => {
      if (isStopping && Cause.isInterrupted(cause)) return handBack(info)
      const seconds = Duration.toSeconds(handler.task.timeout)
      return recordFailure(handler, info, isOverdue ? Cause.fail(new TaskTimedOut({ seconds })) : cause)
    }

    const begin = (handler: TaskHandler<R>, stored: unknown, info: TaskInfo): Fiber.RuntimeFiber<void, TaskError> => {
      const work = handler.run(stored, info)
      if (!isSampled(handler.task.name)) return forkUntraced(work, { scheduler })
      const attributes = { "task.id": info.id, "task.attempt": info.attempt }
      return forkTraced(
        Effect.withSpan(work, `task ${handler.task.name}`, { root: true, captureStackTrace: false, attributes }),
        { scheduler }
      )
    }

    const run = (handler: TaskHandler<R>) => {
      const limit = Duration.toMillis(handler.task.timeout)
      return (stored: unknown, { job }: JobHelpers): Promise<void> =>
        new Promise((resolve, reject) => {
          const rejectAfter = (recorded: Effect.Effect<string>) =>
            forkUntraced(recorded).addObserver((exit) =>
              reject(new NotDone(Exit.getOrElse(exit, () => "not recorded")))
            )
          const info = { id: job.id, attempt: job.attempts, maxAttempts: job.max_attempts }
          if (isStopping) return rejectAfter(handBack(info))
          const attempt = { handler, info, deadline: performance.now() + limit, isOverdue: false }
          const fiber = begin(handler, stored, info)
          running.set(fiber, attempt)
          watched.unsafeOpen()
          fiber.addObserver((exit) => {
            running.delete(fiber)
            if (Exit.isSuccess(exit)) resolve()
            else rejectAfter(settle(attempt, exit.cause))
          })
        })
    }

    // Checking the few running tasks costs less than a timer for each. The latch stops the checks while nothing runs.
    const watched = yield* Effect.makeLatch(false)
    const interruptOverdue = Effect.sync(() => {
      if (running.size === 0) watched.unsafeClose()
      const now = performance.now()
      for (const [fiber, attempt] of running) {
        if (attempt.deadline > now || attempt.isOverdue) continue
        attempt.isOverdue = true
        fiber.unsafeInterruptAsFork(FiberId.none)
      }
    })
    yield* Effect.forkScoped(
      Effect.repeat(Effect.zipRight(watched.await, interruptOverdue), Schedule.spaced("200 millis"))
    )

    return {
      taskList: Object.fromEntries(handlers.map((handler) => [handler.task.name, run(handler)])),
      stop: Effect.suspend(() => {
        isStopping = true
        return Fiber.interruptAll([...running.keys()])
      })
    }
  })
