import { Effect, FiberRef } from "effect"

/**
 * A span around the effect of a traced request. Around any other there is not even the empty span that
 * `Effect.withSpan` makes, which copies the whole context.
 */
export const spanned =
  (name: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(FiberRef.get(FiberRef.currentTracerEnabled), (isTraced) =>
      isTraced ? Effect.withSpan(effect, name, { captureStackTrace: false }) : effect
    )
