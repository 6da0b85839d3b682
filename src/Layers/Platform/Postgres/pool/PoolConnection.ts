import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { Context, Effect, Option, Stream } from "effect"
import type pg from "pg"
import { Caller } from "../../../../Services/Core/Calls/Caller.ts"
import { type FairSemaphore, Overloaded, type Tenant, type Ticket } from "../../Fairness/FairSemaphore.ts"

export const statementFailed = (cause: unknown) => new SqlError({ cause, message: "Failed to execute statement" })

/** The result of a text. It has several results if the text has several statements. */
export type Result = pg.QueryResult<object> | ReadonlyArray<pg.QueryResult<object>>

const isSingle = (result: Result): result is pg.QueryResult<object> => !Array.isArray(result)

const rowsOf = (result: Result): ReadonlyArray<object> =>
  isSingle(result) ? result.rows : result.map(({ rows }) => rows)

/** The sessions of a pool, and the queue for them. */
export interface SharedPool {
  readonly pool: pg.Pool
  readonly turns: FairSemaphore
  /** Sessions without long statements. They are used to cancel statements of the pool. */
  readonly quick: pg.Pool
}

/** A session with the id of its process on the server, which the types of `pg` leave out. */
export type Session = pg.PoolClient & { readonly processID?: number | null }

/** A session, with the server on which its current statement runs, if that is another one. */
type RunningSession = Session & {
  readonly runsAt?: { readonly pool: pg.Pool; readonly processID: number | null } | undefined
}

/** Returns the account on whose behalf something runs. */
export const partyOf = (context: Context.Context<never>): Tenant =>
  Option.getOrUndefined(Context.getOption(context, Caller))?.accountId

/**
 * Runs one statement on any free session once it is the account's turn. An interruption also cancels the statement on
 * the server. The session stays reserved until that is done, so that no other statement is cancelled by mistake.
 */
const run = (
  { pool, quick, turns }: SharedPool,
  party: Tenant,
  text: string,
  values: ReadonlyArray<unknown>
): Effect.Effect<Result, SqlError> =>
  Effect.async((resume) => {
    const turn: { place: Ticket | undefined } = { place: undefined }
    let session: RunningSession | undefined
    let isGivenUp = false
    let isCancelling = false
    let isAnswered = false

    const release = (broken?: Error): void => {
      session?.off("error", onBroken)
      session?.release(broken)
      session = undefined
      if (turn.place !== undefined) turns.leave(turn.place)
    }
    const onBroken = (cause: Error): void => {
      release(cause)
      resume(Effect.fail(statementFailed(cause)))
    }
    const connect = () =>
      pool.connect((cause, client) => {
        if (client === undefined || isGivenUp) {
          client?.release()
          release()
          return resume(Effect.fail(statementFailed(cause)))
        }
        session = client
        client.once("error", onBroken)
        client.query(text, [...values], (failure: Error | null, result: Result) => {
          isAnswered = true
          if (!isCancelling) release()
          resume(failure === null ? Effect.succeed(result) : Effect.fail(statementFailed(failure)))
        })
      })
    turn.place = turns.enter(party, connect, () => resume(Effect.fail(statementFailed(new Overloaded()))))
    return Effect.async<void>((cancelled) => {
      isGivenUp = true
      if (session === undefined) {
        if (turn.place?.state === "waiting") turns.leave(turn.place)
        return cancelled(Effect.void)
      }
      isCancelling = true
      const at = session.runsAt ?? { pool: quick, processID: session.processID }
      at.pool.query("select pg_cancel_backend($1::int)", [at.processID], () => {
        isCancelling = false
        if (isAnswered) release()
        cancelled(Effect.void)
      })
    })
  })

/** Makes a connection whose statements `ask` runs on `sessions`. */
export const connectionOf = (
  sessions: pg.Pool | pg.PoolClient,
  ask: (text: string, values: ReadonlyArray<unknown>) => Effect.Effect<Result, SqlError>
): Connection => {
  const execute: Connection["execute"] = (text, values, transformRows) => {
    const rows = Effect.map(ask(text, values), rowsOf)
    return transformRows === undefined ? rows : Effect.map(rows, transformRows)
  }
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: ask,
    executeValues: (text, values) =>
      Effect.tryPromise({
        try: () => sessions.query<Array<unknown>>({ text, rowMode: "array", values: [...values] }),
        catch: statementFailed
      }).pipe(Effect.map((result) => result.rows)),
    executeStream: () => Stream.die(new Error("A stream needs `sql.withTransaction`."))
  }
}

/** Makes one connection of a pool. Each statement uses a separate session, so no statement is part of a transaction. */
export const makePoolConnection = (shared: SharedPool): Connection => {
  const runInTurn = (text: string, values: ReadonlyArray<unknown>) =>
    Effect.withFiberRuntime<Result, SqlError>((fiber) => run(shared, partyOf(fiber.currentContext), text, values))
  return connectionOf(shared.pool, runInTurn)
}
