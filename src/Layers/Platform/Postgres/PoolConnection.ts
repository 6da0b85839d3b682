import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { Effect, Stream } from "effect"
import type pg from "pg"

const statementFailed = (cause: unknown) => new SqlError({ cause, message: "Failed to execute statement" })

/** A text of several statements has several results. */
type Result = pg.QueryResult<object> | ReadonlyArray<pg.QueryResult<object>>

const isSingle = (result: Result): result is pg.QueryResult<object> => !Array.isArray(result)

const rowsOf = (result: Result): ReadonlyArray<object> =>
  isSingle(result) ? result.rows : result.map(({ rows }) => rows)

/**
 * Runs one statement on whichever session is free. An interruption ends it on the server too; the session is kept until
 * that is done, so that nobody else's statement is hit.
 */
const run = (pool: pg.Pool, text: string, values: ReadonlyArray<unknown>): Effect.Effect<Result, SqlError> =>
  Effect.async((resume) => {
    let session: (pg.PoolClient & { readonly processID?: number | null }) | undefined
    let isGivenUp = false
    let isCancelling = false
    let isAnswered = false

    const release = (broken?: Error): void => {
      session?.off("error", onBroken)
      session?.release(broken)
      session = undefined
    }
    const onBroken = (cause: Error): void => {
      release(cause)
      resume(Effect.fail(statementFailed(cause)))
    }
    pool.connect((cause, client) => {
      if (client === undefined) return resume(Effect.fail(statementFailed(cause)))
      if (isGivenUp) return client.release()
      session = client
      client.once("error", onBroken)
      client.query(text, [...values], (failure: Error | null, result: Result) => {
        isAnswered = true
        if (!isCancelling) release()
        resume(failure === null ? Effect.succeed(result) : Effect.fail(statementFailed(failure)))
      })
    })
    return Effect.async<void>((cancelled) => {
      isGivenUp = true
      if (session === undefined) return cancelled(Effect.void)
      isCancelling = true
      pool.query("select pg_cancel_backend($1)", [session.processID], () => {
        isCancelling = false
        if (isAnswered) release()
        cancelled(Effect.void)
      })
    })
  })

/** A pool as one connection: each statement takes a session of its own, so that none of them is in a transaction. */
export const makePoolConnection = (pool: pg.Pool): Connection => {
  const execute: Connection["execute"] = (text, values, transformRows) => {
    const rows = Effect.map(run(pool, text, values), rowsOf)
    return transformRows === undefined ? rows : Effect.map(rows, transformRows)
  }
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (text, values) => run(pool, text, values),
    executeValues: (text, values) =>
      Effect.tryPromise({
        try: () => pool.query<Array<unknown>>({ text, rowMode: "array", values: [...values] }),
        catch: statementFailed
      }).pipe(Effect.map((result) => result.rows)),
    executeStream: () => Stream.die(new Error("A stream needs a session of its own, such as a transaction's."))
  }
}
