import { type Duration, Effect, Fiber } from "effect"

/**
 * A finalizer that waits for `effect`, but no longer than `limit`. It runs in a fiber of its own: the one that closes a
 * scope may itself be interrupted, and then whatever can be timed out would end at once.
 */
export const finishWithin =
  (limit: Duration.DurationInput) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
    effect.pipe(
      Effect.timeoutOption(limit),
      Effect.ignore,
      Effect.interruptible,
      Effect.forkDaemon,
      Effect.flatMap(Fiber.join)
    )
