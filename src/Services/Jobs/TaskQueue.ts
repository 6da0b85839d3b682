import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { Task } from "./Task.ts"

export interface EnqueueOptions {
  /** Not before this instant; at once unless told. */
  readonly runAt?: Timestamp | undefined
  /** At most one waiting task has this key: a second one takes the place of the first. 512 characters at most. */
  readonly jobKey?: string | undefined
  /** Lower ones run first; 0 unless told. */
  readonly priority?: number | undefined
  /**
   * For tasks of the pools `serial`, `long` and `render`: those with the same name run one after another, across processes. Keep
   * the names few, since each look for work visits all of them.
   */
  readonly queueName?: string | undefined
  readonly maxAttempts?: number | undefined
}

/**
 * What becomes of a waiting task with the same `jobKey`: `replace` puts the new one in its place, `preserve_run_at` does
 * too but keeps the time it was due. Under both, one that already runs is followed by the new one. `unsafe_dedupe`
 * leaves the old one as it is, even when it runs or has failed for good.
 */
export type JobKeyMode = "replace" | "preserve_run_at" | "unsafe_dedupe"

export class TaskQueue extends Context.Tag("TaskQueue")<
  TaskQueue,
  {
    /** Queues the task in the transaction of the caller: it starts only if that commits. */
    readonly enqueue: <A>(
      task: Task<A>,
      payload: A,
      options?: EnqueueOptions & { readonly jobKeyMode?: JobKeyMode | undefined }
    ) => Effect.Effect<void, Transient>
    /** Queues many in few statements; of several with the same `jobKey` the last one counts. */
    readonly enqueueMany: <A>(
      task: Task<A>,
      items: ReadonlyArray<EnqueueOptions & { readonly payload: A }>,
      options?: { readonly jobKeyMode?: Exclude<JobKeyMode, "unsafe_dedupe"> | undefined }
    ) => Effect.Effect<void, Transient>
    /** Drops the waiting task with this key; one that runs is not stopped, but not tried again either. */
    readonly remove: (jobKey: string) => Effect.Effect<void, Transient>
  }
>() {}
