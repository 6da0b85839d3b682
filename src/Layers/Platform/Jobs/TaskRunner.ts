import { Cause, Duration, Effect, Exit, Fiber, FiberId, Option, Random, Runtime, Schedule, type Scope } from "effect"
import type { JobHelpers, TaskList } from "graphile-worker"
import { Transient } from "../../../Errors.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import { TaskFailed } from "../../../Services/Jobs/Task.ts"
import { BackgroundScheduler } from "../Fairness/BackgroundScheduler.ts"
import type { EngineTables } from "./EngineTables.ts"
import { type TaskError, type TaskHandler, type TaskInfo, TaskTimedOut } from "./TaskHandler.ts"

/** Runs the tasks that the library hands out, each as a fiber, and tells the library how they ended. */
export interface TaskRunner {
  readonly taskList: TaskList
  /** Begins nothing more and interrupts what runs; done when every handler has ended. */
  readonly stop: Effect.Effect<void>
}

export interface TaskRunnerOptions<R> {
  readonly handlers: ReadonlyArray<TaskHandler<R>>
  readonly tables: EngineTables
  /** The name under which the tasks are taken; known once the library has started. */
  readonly workerId: () => string
  /** Whether the next task of this name is traced. */
  readonly isSampled: (name: string) => boolean
}

/** The library takes every rejection for a failed attempt, but records it only while the task is still locked. */
class NotDone extends Error {}

/** An attempt that failed is past the library's own record of it before the next one can begin. */
const shortestDelay = Duration.seconds(1)

const askedDelay = (error: TaskError | undefined): Duration.Duration =>
  error instanceof Transient ? Duration.seconds(error.retryAfterSeconds) : shortestDelay

const atMost = <E>(effect: Effect.Effect<void, E>): Effect.Effect<void> =>
  Effect.ignore(Effect.timeout(effect, "3 seconds"))

interface Attempt<R> {
  readonly handler: TaskHandler<R>
  readonly info: TaskInfo
  /** On the clock of `performance.now()`. */
  readonly deadline: number
  isOverdue: boolean
}

/** The way from the library's promises to fibers and back is short, since every task takes it. */
export const makeTaskRunner = <R>(
  options: TaskRunnerOptions<R>
): Effect.Effect<TaskRunner, never, R | BackgroundScheduler | Scope.Scope> =>
  Effect.gen(function* () {
    const { handlers, isSampled, tables, workerId } = options
    const scheduler = (yield* BackgroundScheduler)("background work")
    // The engine's own looks are not traced, and what it is built in may not be.
    const forkTraced = Runtime.runFork(yield* Effect.withTracerEnabled(Effect.runtime<R>(), true))
    const forkUntraced = Runtime.runFork(yield* Effect.withTracerEnabled(Effect.runtime<R>(), false))
    const running = new Map<Fiber.RuntimeFiber<void, TaskError>, Attempt<R>>()
    let isStopping = false

    /** Not done and not failed: another worker may take it at once. */
    const handBack = (info: TaskInfo): Effect.Effect<string> =>
      Effect.as(atMost(tables.handBack(workerId(), info.id)), "handed back")

    /** Logs the failure and writes down when the next attempt is due, if there is one; answers what can be told. */
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
      // Where this cannot be written the library's own record of the failure holds, with a delay of its own.
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

    // One look over the few that run costs less than a timer for each, and where nothing runs there is none.
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
