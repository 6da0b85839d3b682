import { Effect, FiberRef } from "effect"

/**
 * Adds a span if the request is traced. `Effect.withSpan` makes an empty span for untraced requests too, which copies
 * the whole context.
 */
export const spanned =
  (name: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(FiberRef.get(FiberRef.currentTracerEnabled), (isTraced) =>
      isTraced ? Effect.withSpan(effect, name, { captureStackTrace: false }) : effect
    )
