import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { Effect, Stream } from "effect"
import type pg from "pg"

const statementFailed = (cause: unknown) => new SqlError({ cause, message: "Failed to execute statement" })

/**
 * The pool of read-only sessions as one connection: each statement takes whichever session is free. Standing in for a
 * transaction's connection, it sends a tool's statements to sessions that cannot write, without a BEGIN and a COMMIT.
 */
export const makeReadConnection = (pool: pg.Pool): Connection => {
  const run = (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<pg.QueryResult<object>, SqlError> =>
    Effect.async((resume) => {
      pool.query(sql, [...params], (cause: Error | undefined, result) =>
        resume(cause ? Effect.fail(statementFailed(cause)) : Effect.succeed(result))
      )
    })

  const execute: Connection["execute"] = (sql, params, transformRows) => {
    const rows = Effect.map(run(sql, params), (result): ReadonlyArray<object> => result.rows)
    return transformRows === undefined ? rows : Effect.map(rows, transformRows)
  }

  return {
    execute,
    executeUnprepared: execute,
    executeRaw: run,
    executeValues: (text, params) =>
      Effect.tryPromise({
        try: () => pool.query<Array<unknown>>({ text, rowMode: "array", values: [...params] }),
        catch: statementFailed
      }).pipe(Effect.map((result) => result.rows)),
    executeStream: () => Stream.die(new Error("Reads are answered whole; a stream needs a transaction."))
  }
}
