import { Effect, Option } from "effect"

/**
 * What is asked once, by whoever needs it first; a failure is not kept. Who asks does so on a session of its own: an
 * effect that the library caches asks on that of its maker, and transactions that hold all sessions would wait for one
 * more, so that none ended.
 */
export const cacheSuccess = <A, E, R>(ask: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  let known: Option.Option<A> = Option.none()
  return Effect.suspend(() =>
    Option.isSome(known)
      ? Effect.succeed(known.value)
      : Effect.tap(ask, (answer) =>
          Effect.sync(() => {
            known = Option.some(answer)
          })
        )
  )
}
