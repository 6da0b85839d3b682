import { assert, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { transient } from "../../src/Errors.ts"
import { makeCalendarSyncThrottle, readsPerSecond } from "../../src/Layers/Calendar/Syncing/CalendarSyncThrottle.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { TaskQueue } from "../../src/Services/Jobs/TaskQueue.ts"

it.effect("reads that notices bring about begin at a pace, each calendar once, and a failure holds none up", () =>
  Effect.gen(function* () {
    const groups: Array<ReadonlyArray<string | undefined>> = []
    const reads = yield* makeCalendarSyncThrottle.pipe(
      Effect.provideService(TaskQueue, {
        enqueue: () => Effect.void,
        enqueueMany: (_, items) =>
          groups.push(items.map(({ jobKey }) => jobKey)) === 2 ? transient("gone", "Gone.", 1) : Effect.void,
        remove: () => Effect.void
      })
    )
    const calendars = Array.from({ length: readsPerSecond * 2 }, (_, index) => AccountId.make(index + 1))
    for (const account of [...calendars, ...calendars.slice(1)]) reads.queue(account)
    const began = groups.flat().length
    assert.isAtMost(began, readsPerSecond)
    yield* TestClock.adjust("1 second")
    assert.isAtMost(groups.flat().length, began + readsPerSecond)
    yield* TestClock.adjust("2 seconds")
    const queued = groups.flat()
    assert.lengthOf(queued, calendars.length)
    assert.strictEqual(new Set(queued).size, calendars.length)
    // It rests, and begins again at once.
    reads.queue(AccountId.make(1))
    yield* TestClock.adjust("1 millis")
    assert.lengthOf(groups.flat(), calendars.length + 1)
  })
)
