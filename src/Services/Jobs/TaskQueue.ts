import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { Task } from "./Task.ts"

export interface EnqueueOptions {
  /** The earliest start. By default at once. */
  readonly runAt?: Timestamp | undefined
  /** At most one waiting task has this key: a second one replaces the first. At most 512 characters. */
  readonly jobKey?: string | undefined
  /** Lower priorities run first. By default 0. */
  readonly priority?: number | undefined
  /**
   * For tasks of the pools `serial`, `long` and `render`: tasks with the same name run one after another, across
   * processes. Use few names, because each poll visits all of them.
   */
  readonly queueName?: string | undefined
  readonly maxAttempts?: number | undefined
}

/**
 * How a waiting task with the same `jobKey` is treated. `replace` replaces it. `preserve_run_at` replaces it too, but
 * keeps its due time. Under both, a running task is followed by the new one. `unsafe_dedupe` keeps the old one, even if
 * it runs or has failed permanently.
 */
export type JobKeyMode = "replace" | "preserve_run_at" | "unsafe_dedupe"

export class TaskQueue extends Context.Tag("TaskQueue")<
  TaskQueue,
  {
    /** Queues the task in the caller's transaction. It starts only if that commits. */
    readonly enqueue: <A>(
      task: Task<A>,
      payload: A,
      options?: EnqueueOptions & { readonly jobKeyMode?: JobKeyMode | undefined }
    ) => Effect.Effect<void, Transient>
    /** Queues many tasks in few statements. Of several with the same `jobKey`, the last one counts. */
    readonly enqueueMany: <A>(
      task: Task<A>,
      items: ReadonlyArray<EnqueueOptions & { readonly payload: A }>,
      options?: { readonly jobKeyMode?: Exclude<JobKeyMode, "unsafe_dedupe"> | undefined }
    ) => Effect.Effect<void, Transient>
    /** Removes the waiting task with this key. A running one is not stopped, but not retried either. */
    readonly remove: (jobKey: string) => Effect.Effect<void, Transient>
  }
>() {}
