import { type Duration, Effect, Fiber } from "effect"

/**
 * Returns a finalizer that waits for `effect`, but no longer than `limit`. It runs `effect` in a separate fiber: the
 * fiber that closes the scope may be interrupted, which would end `effect` at once.
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
