import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Runtime } from "effect"
import { makeBackgroundScheduler } from "../../src/Layers/Platform/Jobs/BackgroundScheduler.ts"

it.effect("background work lets the event loop turn, however many fibers can go on", () =>
  Effect.gen(function* () {
    // Each look at the clock is a millisecond later.
    let millis = 0
    const scheduler = makeBackgroundScheduler(() => millis++)
    const fork = Runtime.runFork(yield* Effect.runtime<never>())
    const steps = { done: 0 }
    const step = Effect.zipRight(
      Effect.sync(() => steps.done++),
      Effect.yieldNow()
    )
    const fibers = Array.from({ length: 5 }, () => fork(Effect.repeatN(step, 99), { scheduler }))
    const seen: Array<number> = []
    const ended = yield* Deferred.make<void>()
    const look = () => {
      seen.push(steps.done)
      if (steps.done < 500) setImmediate(look)
      else Deferred.unsafeDone(ended, Effect.void)
    }
    setImmediate(look)
    yield* Deferred.await(ended)
    yield* Fiber.joinAll(fibers)
    const gained = seen.map((done, index) => done - (seen[index - 1] ?? 0))
    assert.isAtMost(Math.max(...gained), 10)
    assert.isAbove(seen.length, 50)
  })
)
