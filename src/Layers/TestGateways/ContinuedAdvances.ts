import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Queue, Schedule, type Scope } from "effect"
import type { Transient } from "../../Errors.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { type ServedTestAccount, TestAccounts } from "../../Services/TestAccounts/TestAccounts.ts"
import { DatabaseLayer, DatabaseLocation } from "../Platform/Postgres/Database.ts"
import { atDatabase } from "../Platform/Postgres/pool/Pool.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { makeClockRow } from "./ClockRow.ts"
import type { TestGateway } from "./TestGateway.ts"

/** The pause before a free slot is looked for again while calls use all of them. */
const retryAfter = "10 seconds"

const hasDatabase = (database: string) =>
  Effect.flatMap(SqlClient, (sql) => sql`select from pg_database where datname = ${database}`).pipe(
    Effect.map((rows) => rows.length > 0),
    fromSql()
  )

const readAdvancing = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly is: boolean }>`select to_regclass('test_clock') is not null as is`.pipe(fromSql())
  if (!single(rows).is) return false
  return (yield* (yield* makeClockRow).read).advancesTo !== undefined
})

/** Whether the account's clock is advancing. Reads its database without starting a gateway. */
const isAdvancing = ({ database }: ServedTestAccount) =>
  Effect.gen(function* () {
    if (!(yield* hasDatabase(database))) return false
    const { connection } = yield* DatabaseLocation
    const location = { connection: atDatabase(connection, database), poolSize: 1 }
    return yield* Effect.provide(
      readAdvancing,
      Layer.fresh(DatabaseLayer).pipe(Layer.provide(Layer.succeed(DatabaseLocation, location)))
    )
  })

type Open = (account: ServedTestAccount) => Effect.Effect<TestGateway, Transient, Scope.Scope>

/**
 * Continues advances that were interrupted because a process stopped or a gateway was closed, one at a time. `open`
 * must only take a slot that no call needs.
 */
export const continueAdvances = (interrupted: Queue.Queue<ServedTestAccount>, open: Open) =>
  Effect.gen(function* () {
    const accounts = yield* TestAccounts

    const arrive = (account: ServedTestAccount) =>
      Effect.scoped(
        Effect.gen(function* () {
          const gateway = yield* open(account)
          while (yield* gateway.isAdvancing) yield* Effect.sleep("1 second")
        })
      )

    /** Does nothing if the account was reset or deleted, or another process already continues the advance. */
    const continueOne = (account: ServedTestAccount) =>
      Effect.gen(function* () {
        if ((yield* accounts.isServed(account)) && (yield* isAdvancing(account))) yield* arrive(account)
      })

    const attempt = (account: ServedTestAccount) =>
      Effect.catchAllCause(continueOne(account), (cause) =>
        Effect.logDebug("an advance of a test account waits").pipe(
          Effect.annotateLogs({ test_account_id: account.testAccountId, cause: describeCause(cause) }),
          Effect.zipRight(Effect.sleep(retryAfter)),
          Effect.zipRight(Queue.offer(interrupted, account))
        )
      )

    yield* Effect.flatMap(accounts.all, (all) => Queue.offerAll(interrupted, all)).pipe(
      Effect.retry(Schedule.spaced(retryAfter))
    )
    yield* Effect.forever(Effect.flatMap(Queue.take(interrupted), attempt))
  }).pipe(Effect.withTracerEnabled(false))
