import { Effect, Runtime } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { syncCalendar, syncKey } from "../CalendarTasks.ts"

/**
 * The most calendar reads that one gateway starts per second. The provider allows about 166 calls per second for all
 * accounts. Reads can wait, because times are checked live before a meeting is agreed on, but callers cannot.
 */
export const readsPerSecond = 50
/** Reads are queued in small groups, so that calls are not delayed by many reads at once. */
const groupsPerSecond = 10

/** Queues reads of calendars that are marked as due, as many per second as the limit allows. */
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
        // Reads that could not be queued stay due, and the sweep will find them.
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
