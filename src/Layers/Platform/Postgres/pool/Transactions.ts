import { TransactionConnection } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { Effect, Exit, FiberRef } from "effect"
import type pg from "pg"
import { provideQuickly } from "../../../../Services/Core/Calls/ContextWith.ts"
import { connectionOf, type Result, type Session, type SharedPool, statementFailed } from "./PoolConnection.ts"

type Pools = Pick<SharedPool, "pool" | "quick">

/** Runs a statement in one session. An interruption also cancels the statement on the server. */
const askIn = (session: Session, quick: pg.Pool) => (text: string, values: ReadonlyArray<unknown>) =>
  Effect.async<Result, SqlError>((resume) => {
    session.query(text, [...values], (failure: Error | null, result: Result) =>
      resume(failure === null ? Effect.succeed(result) : Effect.fail(statementFailed(failure)))
    )
    return Effect.async<void>((cancelled) => {
      quick.query("select pg_cancel_backend($1::int)", [session.processID], () => cancelled(Effect.void))
    })
  })

/** Takes a session from the pool. `release` returns it, or closes it if its connection broke. */
const reserved = ({ pool }: Pools) =>
  Effect.async<{ readonly session: Session; readonly release: Effect.Effect<void> }, SqlError>((resume) => {
    pool.connect((cause, session) => {
      if (session === undefined) {
        return resume(Effect.fail(new SqlError({ cause, message: "Failed to acquire connection for transaction" })))
      }
      let broken: Error | undefined
      const onBroken = (failure: Error): void => {
        broken = failure
      }
      session.on("error", onBroken)
      const release = Effect.sync(() => {
        session.off("error", onBroken)
        session.release(broken)
      })
      resume(Effect.succeed({ session, release }))
    })
  })

const makeTransaction =
  (pools: Pools) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(reserved(pools), ({ release, session }) => {
        const connection = connectionOf(session, askIn(session, pools.quick))
        const run = (command: string) => connection.executeUnprepared(command, [], undefined)
        return run("BEGIN").pipe(
          Effect.zipRight(
            Effect.exit(restore(provideQuickly(effect, TransactionConnection, [connection, 0] as const)))
          ),
          Effect.flatMap((exit) =>
            Effect.zipRight(Effect.orDie(run(Exit.isSuccess(exit) ? "COMMIT" : "ROLLBACK")), exit)
          ),
          Effect.ensuring(release)
        )
      })
    )

/**
 * Like `sql.withTransaction`, for a transaction that is not nested. It neither copies all services nor makes a scope,
 * which takes as long as a short statement. As in the library, a commit or rollback that fails is a defect.
 */
export const transactionsOf = (pools: Pools) => {
  const transaction = makeTransaction(pools)
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.withFiberRuntime((fiber) =>
      fiber.getFiberRef(FiberRef.currentTracerEnabled)
        ? Effect.withSpan(transaction(effect), "sql.transaction", { kind: "client", captureStackTrace: false })
        : transaction(effect)
    )
}
