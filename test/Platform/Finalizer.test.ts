import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Ref, TestClock } from "effect"
import { finishWithin } from "../../src/Layers/Platform/Finalizer.ts"

/** A fiber that is interrupted while its scope is open, and the scope's finalizer, which waits for `release`. */
const interrupted = (release: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const isOpen = yield* Deferred.make<void>()
    const closes = yield* Deferred.make<void>()
    const finalizer = Effect.zipRight(Deferred.succeed(closes, undefined), release)
    const fiber = yield* Effect.addFinalizer(() => finishWithin("5 seconds")(finalizer)).pipe(
      Effect.zipRight(Deferred.succeed(isOpen, undefined)),
      Effect.zipRight(Effect.never),
      Effect.scoped,
      Effect.fork
    )
    yield* Deferred.await(isOpen)
    yield* Fiber.interruptFork(fiber)
    yield* Deferred.await(closes)
    return fiber
  })

describe("a finalizer with a limit", () => {
  it.effect("is waited for by a fiber that was interrupted", () =>
    Effect.gen(function* () {
      const mayEnd = yield* Deferred.make<void>()
      const hasEnded = yield* Ref.make(false)
      const fiber = yield* interrupted(Effect.zipRight(Deferred.await(mayEnd), Ref.set(hasEnded, true)))
      yield* TestClock.adjust("4 seconds")
      assert.isTrue((yield* Fiber.poll(fiber))._tag === "None")
      yield* Deferred.succeed(mayEnd, undefined)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.await(fiber)))
      assert.isTrue(yield* Ref.get(hasEnded))
    })
  )

  it.effect("is given up when its time is over", () =>
    Effect.gen(function* () {
      const wasInterrupted = yield* Ref.make(false)
      const fiber = yield* interrupted(Effect.onInterrupt(Effect.never, () => Ref.set(wasInterrupted, true)))
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.await(fiber)))
      assert.isTrue(yield* Ref.get(wasInterrupted))
    })
  )

  it.effect("hides its own failure", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(finishWithin("5 seconds")(Effect.fail("no")))
      assert.isTrue(Exit.isSuccess(exit))
    })
  )
})
