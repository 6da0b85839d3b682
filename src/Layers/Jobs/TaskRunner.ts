import { Cause, Duration, Effect, Exit, Fiber, Option, Random, Runtime } from "effect"
import type { JobHelpers, TaskList } from "graphile-worker"
import { Transient } from "../../Errors.ts"
import { describeCause } from "../../Services/SafeCause.ts"
import { TaskFailed } from "../../Services/Task.ts"
import type { EngineTables } from "./EngineTables.ts"
import type { TaskError, TaskHandler, TaskInfo } from "./TaskHandler.ts"

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
  /** Whether the next task is traced. */
  readonly isSampled: () => boolean
}

/** The library takes every rejection for a failed attempt, but records it only while the task is still locked. */
class NotDone extends Error {}

/** An attempt that failed is past the library's own record of it before the next one can begin. */
const shortestDelay = Duration.seconds(1)

const askedDelay = (error: TaskError | undefined): Duration.Duration =>
  error instanceof Transient ? Duration.seconds(error.retryAfterSeconds) : shortestDelay

/** Bounds a statement where the fiber around it cannot be interrupted. */
const atMost = <E, R>(effect: Effect.Effect<void, E, R>): Effect.Effect<void, never, R> =>
  Effect.ignore(Effect.timeout(Effect.interruptible(effect), "3 seconds"))

export const makeTaskRunner = <R>(options: TaskRunnerOptions<R>): Effect.Effect<TaskRunner, never, R> =>
  Effect.gen(function* () {
    const { handlers, isSampled, tables, workerId } = options
    const forkTraced = Runtime.runFork(yield* Effect.runtime<R>())
    const forkUntraced = Runtime.runFork(yield* Effect.withTracerEnabled(Effect.runtime<R>(), false))
    const running = new Set<Fiber.RuntimeFiber<void, NotDone>>()
    let isStopping = false

    /** Not done and not failed: another worker may take it at once. */
    const handBack = (info: TaskInfo): Effect.Effect<never, NotDone> =>
      Effect.zipRight(atMost(tables.handBack(workerId(), info.id)), Effect.fail(new NotDone("handed back")))

    /** Logs the failure and writes down when the next attempt is due, if there is one. */
    const failed = Effect.fnUntraced(function* (
      { task }: TaskHandler<R>,
      { attempt, id, maxAttempts }: TaskInfo,
      cause: Cause.Cause<TaskError>
    ) {
      const error = Option.getOrUndefined(Cause.failureOption(cause))
      const isFinal = error instanceof TaskFailed || attempt >= maxAttempts
      const described = error instanceof TaskFailed ? `TaskFailed: ${error.reason}` : describeCause(cause)
      yield* (isFinal ? Effect.logError("task failed for good") : Effect.logWarning("task failed")).pipe(
        Effect.annotateLogs({ task: task.name, task_id: id, attempt, cause: described })
      )
      const delay = Duration.max(Duration.decode(task.retryDelay(attempt)), askedDelay(error))
      const retryIn = isFinal ? undefined : Duration.toSeconds(delay) * (yield* Random.nextRange(1, 1.1))
      const message = described.split("\n", 1)[0] ?? ""
      // Where this cannot be written the library's own record of the failure holds, with a delay of its own.
      yield* atMost(tables.recordFailure({ taskId: id, workerId: workerId(), message, retryIn }))
      return yield* Effect.fail(new NotDone(message))
    })

    const attempt = (handler: TaskHandler<R>, stored: unknown, info: TaskInfo): Effect.Effect<void, NotDone, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Effect.exit(restore(handler.run(stored, info))), (exit): Effect.Effect<void, NotDone> => {
          if (Exit.isSuccess(exit)) return Effect.void
          return isStopping && Cause.isInterrupted(exit.cause) ? handBack(info) : failed(handler, info, exit.cause)
        })
      )

    const spanned = (handler: TaskHandler<R>, stored: unknown, info: TaskInfo) =>
      Effect.withSpan(attempt(handler, stored, info), `task ${handler.task.name}`, {
        root: true,
        captureStackTrace: false,
        attributes: { "task.id": info.id, "task.attempt": info.attempt }
      })

    const run =
      (handler: TaskHandler<R>) =>
      (stored: unknown, { job }: JobHelpers): Promise<void> =>
        new Promise((resolve, reject) => {
          const info = { id: job.id, attempt: job.attempts, maxAttempts: job.max_attempts }
          const fork = isSampled() ? forkTraced : forkUntraced
          const fiber = fork(isStopping ? handBack(info) : spanned(handler, stored, info))
          running.add(fiber)
          fiber.addObserver((exit) => {
            running.delete(fiber)
            if (Exit.isSuccess(exit)) resolve()
            else reject(Option.getOrElse(Cause.failureOption(exit.cause), () => new NotDone("defect")))
          })
        })

    return {
      taskList: Object.fromEntries(handlers.map((handler) => [handler.task.name, run(handler)])),
      stop: Effect.suspend(() => {
        isStopping = true
        return Fiber.interruptAll(running)
      })
    }
  })
