import { Effect, Fiber } from "effect"

/**
 * Goes on whatever is interrupted: a stop of the process in between would leave a thing half done of which nobody knows. In a
 * fiber of its own, since what is forked where nothing can be interrupted has no time-outs.
 */
export const uninterruptibleDaemon = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptible(Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), Fiber.join))
