import { Effect, Runtime } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { syncCalendar, syncKey } from "../CalendarTasks.ts"

/**
 * Calendars of which one gateway begins a read in a second. The provider lets a project make some 166 calls a second,
 * and what a notice told of is looked at live before anything is agreed on: reads may wait, callers may not.
 */
export const readsPerSecond = 50
/** Reads are queued in small groups, so that calls do not wait behind many. */
const groupsPerSecond = 10

/** Queues reads of calendars that are written down as due: some at once, others when their turn comes. */
export const makeCalendarSyncThrottle: Effect.Effect<
  { readonly queue: (accountId: AccountId) => void },
  never,
  TaskQueue
> = Effect.gen(function* () {
  const tasks = yield* TaskQueue
  const fork = Runtime.runFork(yield* Effect.withTracerEnabled(Effect.runtime(), false))
  const waiting = new Set<AccountId>()
  let isQueueing = false

  const queueing = Effect.gen(function* () {
    while (waiting.size > 0) {
      const group = [...waiting].slice(0, readsPerSecond / groupsPerSecond)
      for (const accountId of group) waiting.delete(accountId)
      yield* tasks
        .enqueueMany(
          syncCalendar,
          group.map((accountId) => ({ payload: { accountId }, jobKey: syncKey(accountId) }))
        )
        // They stay due, and the sweep finds them.
        .pipe(Effect.ignore)
      yield* Effect.sleep(1000 / groupsPerSecond)
    }
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        isQueueing = false
      })
    )
  )

  return {
    queue: (accountId) => {
      waiting.add(accountId)
      if (isQueueing) return
      isQueueing = true
      fork(queueing)
    }
  }
})
