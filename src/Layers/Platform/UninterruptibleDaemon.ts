import { Effect, Fiber } from "effect"

/**
 * Runs the effect to its end even if the caller is interrupted, so that no outside effect is left half done and
 * unrecorded. It needs a separate fiber, because time-outs don't work in an uninterruptible one. Changes to FiberRefs
 * stay in that fiber.
 */
export const uninterruptibleDaemon = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptible(
    Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), (fiber) => Effect.flatten(Fiber.await(fiber)))
  )
