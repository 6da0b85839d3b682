import { TransactionConnection } from "@effect/sql/SqlClient"
import { Context, Effect } from "effect"
import { isDryRun } from "../../../Services/Core/Calls/DryRun.ts"

const without = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.unsafeMake(new Map([...context.unsafeMap].filter(([key]) => key !== TransactionConnection.key)))

/**
 * Runs the effect on separate sessions, outside the caller's transaction. A request to an outside service cannot be
 * rolled back, so it is recorded even if the caller's transaction fails or may only read. In a dry run nothing was
 * sent, so the effect runs inside the transaction and is rolled back with it.
 */
export const outsideTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(
    effect,
    (context: Context.Context<R>): Context.Context<R> => (isDryRun(context) ? context : without(context))
  )

/**
 * Like `outsideTransaction`, but in a dry run too. Used for renewed tokens, since the service has replaced the old
 * ones, and for entries of logs.
 */
export const alwaysOutsideTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(effect, (context: Context.Context<R>): Context.Context<R> => without(context))
