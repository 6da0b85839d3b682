import { TransactionConnection } from "@effect/sql/SqlClient"
import { Context, Effect } from "effect"

/**
 * Runs on separate sessions, outside the caller's transaction. What was sent to an outside service cannot be rolled back,
 * so it is recorded even if the caller's transaction fails or may only read.
 */
export const outsideTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(
    effect,
    (context: Context.Context<R>): Context.Context<R> =>
      Context.unsafeMake(new Map([...context.unsafeMap].filter(([key]) => key !== TransactionConnection.key)))
  )
