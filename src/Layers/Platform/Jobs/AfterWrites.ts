import { Duration, Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Task } from "../../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { makeAdaptivePoller, type PollResult } from "../AdaptivePoller.ts"
import { DatabasePools } from "../Postgres/Database.ts"
import { recurringKey } from "./Recurring.ts"

const timing = { shortest: Duration.minutes(1), longest: Duration.minutes(15) }

/**
 * Queues a recurring task before its scheduled time if there is work for it: within a minute of a commit, or when the
 * work that `look` reports is due. Without commits, no new work can appear, so it does not poll.
 */
export const soonAfterWrites = <A, R>(
  { name, payload, task }: { readonly name: string; readonly task: Task<A>; readonly payload: A },
  look: Effect.Effect<PollResult, Transient, R>
) =>
  Effect.gen(function* () {
    const tasks = yield* TaskQueue
    const { activity } = yield* DatabasePools
    const lookout = yield* makeAdaptivePoller(activity, timing)
    const queued = look.pipe(
      Effect.tap(({ found }) =>
        found
          ? tasks.enqueue(task, payload, { jobKey: recurringKey(name), jobKeyMode: "preserve_run_at" })
          : Effect.void
      ),
      Effect.catchAll(({ reason }) =>
        Effect.annotateLogs(Effect.logWarning("a recurring task was not looked for"), { task: name, reason }).pipe(
          Effect.as({ found: false })
        )
      )
    )
    yield* Effect.forkScoped(Effect.withTracerEnabled(lookout.poll(queued), false))
  })
