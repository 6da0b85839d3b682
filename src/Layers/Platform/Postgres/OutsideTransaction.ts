import { TransactionConnection } from "@effect/sql/SqlClient"
import { Context, Effect } from "effect"

/**
 * On sessions of its own, whatever transaction the caller is in: what an outside service was told stays told, and is to
 * be written down also where the caller may only read.
 */
export const outsideTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(
    effect,
    (context: Context.Context<R>): Context.Context<R> =>
      Context.unsafeMake(new Map([...context.unsafeMap].filter(([key]) => key !== TransactionConnection.key)))
  )
