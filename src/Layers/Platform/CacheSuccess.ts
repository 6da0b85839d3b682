import { Effect, Option } from "effect"

/**
 * Runs the effect until it succeeds once, then returns that result. Each caller runs it on a separate session: with Effect's
 * `cached`, transactions that hold all sessions would wait for one more, and none would end.
 */
export const cacheSuccess = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  let cachedResult: Option.Option<A> = Option.none()
  return Effect.suspend(() =>
    Option.isSome(cachedResult)
      ? Effect.succeed(cachedResult.value)
      : Effect.tap(effect, (result) =>
          Effect.sync(() => {
            cachedResult = Option.some(result)
          })
        )
  )
}
