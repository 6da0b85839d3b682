import { Data, Effect, type ParseResult } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Task, TaskFailed } from "../../../Services/Jobs/Task.ts"

/** Identifies one attempt of a task. */
export interface TaskInfo {
  readonly id: string
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly maxAttempts: number
}

/** An attempt took longer than the task's time limit. */
export class TaskTimedOut extends Data.TaggedError("TaskTimedOut")<{ readonly seconds: number }> {}

/** The errors with which a handler may fail. */
export type HandlerError = Transient | TaskFailed | TaskTimedOut
export type TaskError = HandlerError | ParseResult.ParseError

/** A task and its handler. */
export interface TaskHandler<out R> {
  readonly task: Pick<Task<never>, "name" | "pool" | "maxAttempts" | "retryDelay" | "timeout">
  /** Runs one attempt with the stored payload. The runner interrupts it after the task's time limit. */
  readonly run: (stored: unknown, info: TaskInfo) => Effect.Effect<void, TaskError, R>
}

/**
 * Binds a task to its handler. `Transient`, a defect and a time-out lead to another attempt; `TaskFailed` does not. The
 * handler may run twice for the same task, so its effects outside the database must be detectable or idempotent.
 */
export const handle = <A, R>(
  task: Task<A>,
  run: (payload: A, info: TaskInfo) => Effect.Effect<void, HandlerError, R>
): TaskHandler<R> => ({
  task,
  run: (stored, info) => Effect.flatMap(task.decode(stored), (payload) => run(payload, info))
})
