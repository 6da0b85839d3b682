import { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { Array, Effect, Exit, FiberRef, Option, Record } from "effect"
import type { Transient } from "../../../../Errors.ts"
import { UnitOfWork } from "../../../../Services/Core/Calls/UnitOfWork.ts"
import { readsOwnChanges } from "../../../../Services/Core/OwnChanges.ts"
import { DatabasePools } from "../Database.ts"
import { fromSql, transientOf } from "../Sql.ts"

/** Describes how single look-ups are combined into one statement. */
export interface LookUps<K, Row extends object, V> {
  readonly maximumKeys: number
  /**
   * The maximum number of concurrent statements; unlimited by default. Keys that arrive while all of them run form the next
   * statement. Fewer and larger statements cost less if many callers each need little.
   */
  readonly atOnce?: number
  readonly text: string
  /** Returns the account whose rows a key looks for. On a cluster, the look-up goes to the account's node. */
  readonly accountOf?: (key: K) => number
  readonly values: (keys: ReadonlyArray<K>) => ReadonlyArray<unknown>
  /** Returns the result for each key, in the order of the keys. */
  readonly found: (keys: ReadonlyArray<K>, rows: ReadonlyArray<Row>) => ReadonlyArray<Option.Option<V>>
}

type Answered<V> = (exit: Exit.Exit<Option.Option<V>, Transient>) => void

/** Does single look-ups. Those of one turn of the event loop are combined into one statement. */
export interface LookupBatcher<K, V> {
  /**
   * Looks up a key. A traced look-up runs alone, so that its statement is part of the caller's span. The look-up of a
   * call that reads its own changes runs in the call's transaction.
   */
  readonly get: (key: K) => Effect.Effect<Option.Option<V>, Transient>
  /** Looks up a key for callers that pass a callback instead of running a fiber. It makes no spans. */
  readonly ask: (key: K, answered: Answered<V>) => void
}

interface Waiting<K, V> {
  readonly key: K
  readonly answered: Answered<V>
}

const failed = (cause: unknown): Exit.Exit<never, Transient> => {
  const error = new SqlError({ cause, message: "Failed to execute statement" })
  const passing = transientOf(error)
  return passing === undefined ? Exit.die(error) : Exit.fail(passing)
}

/**
 * Makes look-ups that use sessions without long statements. Untraced look-ups use no fibers: every call makes one, and
 * a look-up takes less time than the overhead of a fiber.
 */
export const makeLookupBatcher = <K, Row extends object, V>(
  lookUps: LookUps<K, Row, V>
): Effect.Effect<LookupBatcher<K, V>, never, SqlClient | UnitOfWork | DatabasePools> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const { quick, spread } = yield* DatabasePools
    const { accountOf, atOnce = Number.POSITIVE_INFINITY } = lookUps
    let waiting: Array<Waiting<K, V>> = []
    let running = 0

    // An error thrown into `pg` would end the process.
    const foundIn = (keys: ReadonlyArray<K>, rows: ReadonlyArray<Row>) => {
      try {
        return Exit.succeed(lookUps.found(keys, rows))
      } catch (bug) {
        return Exit.die(bug)
      }
    }

    const run = (batch: ReadonlyArray<Waiting<K, V>>): void => {
      const keys = batch.map(({ key }) => key)
      running++
      quick.query<Row>(lookUps.text, [...lookUps.values(keys)], (cause: Error | undefined, result) => {
        running--
        if (waiting.length > 0) flush()
        // On a cluster, perhaps only the node of one key's account is down, so each key is looked up separately.
        if (cause && spread.isCluster && batch.length > 1) return batch.forEach((one) => run([one]))
        const exit = cause ? failed(cause) : foundIn(keys, result.rows)
        batch.forEach(({ answered }, index) => answered(Exit.map(exit, (options) => options[index] ?? Option.none())))
      })
    }

    const flush = (): void => {
      while (waiting.length > 0 && running < atOnce) {
        const batch = waiting.slice(0, lookUps.maximumKeys)
        waiting = waiting.slice(batch.length)
        if (accountOf === undefined || !spread.isCluster) run(batch)
        else Record.values(Array.groupBy(batch, ({ key }) => String(accountOf(key)))).forEach(run)
      }
    }

    const ask = (key: K, answered: Answered<V>): void => {
      if (waiting.push({ key, answered }) === 1) setImmediate(flush)
    }

    const inTransaction = (key: K): Effect.Effect<Option.Option<V>, Transient> =>
      sql.unsafe<Row>(lookUps.text, lookUps.values([key])).pipe(
        Effect.map((rows) => lookUps.found([key], rows)[0] ?? Option.none()),
        fromSql()
      )
    const alone = (key: K): Effect.Effect<Option.Option<V>, Transient> => unit.read(inTransaction(key))

    return {
      ask,
      get: (key) =>
        Effect.withFiberRuntime((fiber) => {
          if (readsOwnChanges(fiber.currentContext)) return inTransaction(key)
          return fiber.getFiberRef(FiberRef.currentTracerEnabled)
            ? alone(key)
            : Effect.async((resume) => ask(key, resume))
        })
    }
  })
