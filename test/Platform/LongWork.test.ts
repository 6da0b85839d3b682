import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Runtime } from "effect"
import { makeLongWork } from "../../src/Layers/Platform/LongWork.ts"

it.effect("long work lets the event loop turn, however many fibers can go on", () =>
  Effect.gen(function* () {
    // Each look at the clock is a millisecond later.
    let millis = 0
    const scheduler = makeLongWork(() => millis++)("background work")
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

it.effect("the pieces of one party's work wait for one piece of another's, however many of those there are", () =>
  Effect.gen(function* () {
    let millis = 0
    const work = makeLongWork(() => millis++)
    const fork = Runtime.runFork(yield* Effect.runtime<never>())
    const done: Array<string> = []
    const step = (party: string) =>
      Effect.zipRight(
        Effect.sync(() => done.push(party)),
        Effect.yieldNow()
      )
    const floods = Array.from({ length: 100 }, () =>
      fork(Effect.repeatN(step("flood"), 9), { scheduler: work("flood") })
    )
    const other = fork(Effect.repeatN(step("other"), 9), { scheduler: work("other") })
    // The first step of each is done where it begins.
    const begun = floods.length
    yield* Fiber.join(other)
    assert.isAtMost(done.filter((party) => party === "flood").length - begun, 20)
    yield* Fiber.joinAll(floods)
    assert.strictEqual(done.length, 1010)
  })
)
