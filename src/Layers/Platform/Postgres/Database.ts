import * as Migrator from "@effect/sql/Migrator"
import { SqlClient, TransactionConnection } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { Cause, Clock, Context, Effect, Layer, Option, Record, Schedule } from "effect"
import type pg from "pg"
import { databaseConflictReason, databaseUnavailableReason, outcomeUnknown, Transient } from "../../../Errors.ts"
import { provideQuickly } from "../../../Services/Core/Calls/ContextWith.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { readsOwnChanges } from "../../../Services/Core/OwnChanges.ts"
import { FairSemaphore, Overloaded, withFairPermit } from "../Fairness/FairSemaphore.ts"
import { TenantUsage } from "../Fairness/TenantUsage.ts"
import { finishWithin } from "../Finalizer.ts"
import { batchesPerAccount, type Cluster, unknownCluster } from "./cluster/Cluster.ts"
import { NodeReads } from "./cluster/NodeReads.ts"
import type { Migration } from "./Migration.ts"
import { CommitSignal } from "./pool/CommitSignal.ts"
import { atServer, type ConnectionOptions, makePool, type PoolOptions } from "./pool/Pool.ts"
import { makePoolConnection, partyOf } from "./pool/PoolConnection.ts"
import { type Replica, type ReplicaLocation, replicaConnection, replicaOf } from "./pool/Replica.ts"
import { transactionsOf } from "./pool/Transactions.ts"
import { overloaded, transientOf } from "./Sql.ts"
import { AcrossAccounts, directStatements } from "./statements/DirectStatements.ts"

/** The address of the database, and how to connect. */
export class DatabaseLocation extends Context.Tag("DatabaseLocation")<
  DatabaseLocation,
  {
    readonly connection: ConnectionOptions
    readonly poolSize: number
    readonly replica?: ReplicaLocation | undefined
    /** Measures which tenants delay others. The default measures by the process's clock. */
    readonly use?: TenantUsage
  }
>() {}

/** The pools, for code that needs `pg` itself: the job engine and the metrics. */
export class DatabasePools extends Context.Tag("DatabasePools")<
  DatabasePools,
  {
    readonly write: pg.Pool
    readonly read: pg.Pool
    /** Sessions for short reads that must not wait behind long statements: look-ups by key, cancellations, health. */
    readonly quick: pg.Pool
    readonly spread: Cluster
    /** The queues for sessions of the write pool and of the read pool. */
    readonly turns: { readonly write: FairSemaphore; readonly read: FairSemaphore }
    readonly use: TenantUsage
    /** Notified of every commit. */
    readonly activity: CommitSignal
    /** The sessions of a read replica, and whether its data is recent enough. */
    readonly replica: { readonly pool: pg.Pool; readonly turns: FairSemaphore; readonly state: Replica } | undefined
  }
>() {}

const quickSessions = 4

/**
 * The limits of a pool's queue. An account may use half of the sessions, or an eighth if its long statements delay
 * others. If more calls than these wait, the next is refused early, which is better for its caller than a late refusal.
 */
export const turnsOfSessions = (slots: number) => ({
  slots,
  perAccount: Math.max(2, Math.ceil(slots / 2)),
  perHeavyAccount: Math.max(1, Math.floor(slots / 8)),
  waiting: 2000,
  waitingPerAccount: 500,
  longestWait: 10_000
})

const turnsOf = (slots: number, use: TenantUsage): FairSemaphore =>
  new FairSemaphore({ ...turnsOfSessions(slots), use })

const applicationName = "prospecting-gateway"

/**
 * Makes the pools for reads on the nodes of a cluster. Each node gets as many sessions as the coordinator, plus one
 * that cancels statements.
 */
export const nodeReads = (connection: ConnectionOptions, size: number): NodeReads =>
  new NodeReads((host, port) =>
    makePool({ connection: atServer(connection, host, port), size: size + 1, applicationName, readOnly: true })
  )

/** Makes the pools. Their sessions use the server's clock, unless another one is passed. */
export const poolsLayer = (clock?: PoolOptions["clock"]) =>
  Layer.scoped(
    DatabasePools,
    Effect.gen(function* () {
      const { connection, poolSize: size, replica, use = new TenantUsage() } = yield* DatabaseLocation
      const spread = unknownCluster()
      // On a cluster, reads of one account go to the account's node.
      const reads = yield* Effect.acquireRelease(
        Effect.sync(() => nodeReads(connection, size + quickSessions)),
        (reads) => finishWithin("5 seconds")(Effect.promise(() => reads.close()))
      )
      const acquire = (readOnly: boolean, size: number, at = connection) =>
        Effect.acquireRelease(
          Effect.sync(() =>
            makePool({
              connection: at,
              size,
              applicationName,
              readOnly,
              clock,
              spread,
              ...(readOnly && at === connection ? { reads } : {})
            })
          ),
          (pool) => finishWithin("5 seconds")(Effect.promise(() => pool.end()))
        )
      const quick = yield* acquire(true, quickSessions)
      const following = replica === undefined ? undefined : yield* acquire(true, size, replica.connection)
      return {
        // One more session, on which the library cancels statements of the others.
        write: yield* acquire(false, size + 1),
        read: yield* acquire(true, size),
        quick,
        spread,
        turns: { write: turnsOf(size, use), read: turnsOf(size, use) },
        use,
        activity: new CommitSignal(),
        replica:
          replica === undefined || following === undefined
            ? undefined
            : {
                pool: following,
                turns: turnsOf(size, use),
                state: replicaOf(quick, following, replica.longestLagSeconds)
              }
      }
    })
  )

const clientLayer = Layer.unwrapEffect(
  Effect.map(DatabasePools, ({ quick, turns, write }) =>
    Layer.map(PgClient.layerFromPool({ acquire: Effect.succeed(write) }), (context) => {
      const client = directStatements(
        Context.get(context, PgClient.PgClient),
        makePoolConnection({ pool: write, turns: turns.write, quick })
      )
      return Context.make(PgClient.PgClient, client).pipe(Context.add(SqlClient, client))
    })
  )
)

/** The key of the advisory lock that migrations hold. No other lock of this database uses it. */
const migrationLock = 7_236_001

/** The migrations, numbered by position. The migrator silently skips missing ids, so there is no other numbering. */
const numbered = (migrations: ReadonlyArray<Migration>) =>
  Record.fromEntries(
    migrations.map(({ name, sql }, index) => [
      `${index + 1}_${name}`,
      // A migration of a large table may take longer than the time limit of other statements.
      Effect.flatMap(SqlClient, (client) =>
        Effect.zipRight(client`set local statement_timeout = 0`, client.unsafe(sql))
      )
    ])
  )

/** Holds an advisory lock of the database until the scope ends, on a separate session. Other processes wait. */
export const advisoryLock = (key: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const session = yield* sql.reserve
    const run = (name: string) =>
      Effect.map(session.executeValues(`select ${name}($1)`, [key]), (rows) => rows[0]?.[0] === true)
    // The lock is polled for, because a statement that waits for it would reach the session's time limit.
    yield* Effect.acquireRelease(
      Effect.repeat(run("pg_try_advisory_lock"), {
        until: (isHeld) => isHeld,
        schedule: Schedule.spaced("250 millis")
      }),
      () => Effect.ignore(run("pg_advisory_unlock"))
    )
  })

/** Applies the migrations that the database does not have yet. Gateways that start together wait for each other. */
export const migrateWith = <A, E, R>(migrations: ReadonlyArray<Migration>, afterwards: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* advisoryLock(migrationLock)
      const loader = Migrator.fromRecord(numbered(migrations))
      yield* Migrator.make({})({ loader, table: "gateway_migration" })
      yield* afterwards
    })
  )

const isLostRace = (error: unknown): boolean => error instanceof Transient && error.reason === databaseConflictReason

/**
 * Converts the failure of a transaction. A transaction that cannot begin fails with a `SqlError`. A commit or rollback
 * on a lost connection is a defect in `@effect/sql`. Both become `Transient` if the server is the cause. If the
 * connection broke after the commit was sent, the outcome is unknown.
 */
const transactionFailed = <E>(
  cause: Cause.Cause<E | SqlError | Overloaded>,
  isCommitting: boolean
): Effect.Effect<never, E | Transient> => {
  for (const error of [...Cause.failures(cause), ...Cause.defects(cause)]) {
    if (error instanceof Overloaded) return Effect.fail(overloaded())
    const passing = error instanceof SqlError ? transientOf(error) : undefined
    if (passing !== undefined) return Effect.fail(isCommitting && !isLostRace(passing) ? outcomeUnknown() : passing)
  }
  return Effect.failCause(
    Cause.flatMap(
      cause,
      (error): Cause.Cause<E> =>
        error instanceof SqlError || error instanceof Overloaded ? Cause.die(error) : Cause.fail(error)
    )
  )
}

const retrySchedule = Schedule.recurs(3).pipe(
  Schedule.addDelay(() => "20 millis"),
  Schedule.jittered
)

/** Like `Effect.retry`, which copies all services even if the first attempt succeeds. */
const retryingLostRaces = <A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchIf(attempt, isLostRace, (failure) => {
    let next: Effect.Effect<A, E, R> = Effect.fail(failure)
    const nextAttempt = Effect.suspend(() => {
      const current = next
      next = attempt
      return current
    })
    return Effect.retry(nextAttempt, { while: isLostRace, schedule: retrySchedule })
  })

const mostMillisToTryAgain = 1_000

/**
 * Retries once if the work fails early. When a node of a cluster returns, each of the coordinator's sessions fails
 * once. Such an early failure has saved nothing, so the retry is safe.
 */
const onceMore = <A, E, R>(attempts: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.retry(attempts, {
      while: (error) =>
        error instanceof Transient &&
        error.reason === databaseUnavailableReason &&
        performance.now() - began < mostMillisToTryAgain,
      times: 1
    })
  })

/**
 * Milliseconds. If the pollers were not notified for this long, the next commit first checks whether it wrote anything.
 */
const silenceMillis = 1_000

const unitOfWorkLayer = Layer.effect(
  UnitOfWork,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const { activity, quick, read, replica, spread, turns, write } = yield* DatabasePools
    const transaction = transactionsOf({ pool: write, quick })
    // The time at which the pollers were last notified.
    let toldAt = Number.NEGATIVE_INFINITY
    const committed = Effect.withFiberRuntime<void>((fiber) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        toldAt = at
        activity.wrote()
        replica?.state.wrote(partyOf(fiber.currentContext), at)
      })
    )
    // On a cluster, the coordinator does not know whether its nodes wrote anything, so a write is assumed.
    const hasWritten = Effect.suspend(() =>
      spread.isCluster
        ? Effect.succeed(true)
        : Effect.map(
            sql<{ readonly has: boolean }>`select pg_current_xact_id_if_assigned() is not null as has`,
            ([row]) => row?.has !== false
          )
    )
    // Used in place of a transaction's connection. It sends statements to read-only sessions, without a BEGIN.
    const readConnection = [makePoolConnection({ pool: read, turns: turns.read, quick }), 0] as const
    // The replica has separate sessions, because a cancellation must reach the server that runs the statement.
    const lagging =
      replica === undefined
        ? undefined
        : ([
            replicaConnection(
              makePoolConnection({ pool: replica.pool, turns: replica.turns, quick: replica.pool }),
              readConnection[0],
              replica.state
            ),
            0
          ] as const)
    const isReading = (held: Option.Option<Context.Tag.Service<typeof TransactionConnection>>): boolean =>
      Option.isSome(held) && (held.value === readConnection || held.value === lagging)

    const reading = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.withFiberRuntime<A, E, R>((fiber) => {
        const held = Context.getOption(fiber.currentContext, TransactionConnection)
        return (Option.isSome(held) && held.value === readConnection) || readsOwnChanges(fiber.currentContext)
          ? effect
          : provideQuickly(effect, TransactionConnection, readConnection)
      })

    return UnitOfWork.of({
      read: reading,
      readLagging: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        lagging === undefined || replica === undefined
          ? reading(effect)
          : Effect.flatMap(Clock.currentTimeMillis, (at) =>
              Effect.withFiberRuntime<A, E, R>((fiber) =>
                !readsOwnChanges(fiber.currentContext) && replica.state.mayAnswer(partyOf(fiber.currentContext), at)
                  ? provideQuickly(effect, TransactionConnection, lagging)
                  : reading(effect)
              )
            ),
      write: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.withFiberRuntime<A, E | Transient, R>((fiber) => {
          const held = Context.getOption(fiber.currentContext, TransactionConnection)
          const isNested = Option.isSome(held) && !isReading(held)
          const turn = <B, F, S>(transaction: Effect.Effect<B, F, S>) =>
            withFairPermit(turns.write, partyOf(fiber.currentContext), transaction)
          // From here on, a failure is a failure of the commit.
          let isCommitting = false
          const toCommit = <B, F, S>(statements: Effect.Effect<B, F, S>) =>
            Effect.map(statements, (answer) => {
              isCommitting = true
              return answer
            })
          // After a pause, most transactions are polls that find nothing, so they check whether anything was written.
          // While others write, that check would cost more than the polls that it saves.
          const afterSilence = Effect.flatMap(
            turn(transaction(toCommit(Effect.zip(effect, hasWritten)))),
            ([answer, has]) => (has ? Effect.as(committed, answer) : Effect.succeed(answer))
          )
          const whole = Effect.flatMap(Clock.currentTimeMillis, (at) => {
            isCommitting = false
            return Math.abs(at - toldAt) > silenceMillis
              ? afterSilence
              : Effect.zipLeft(turn(transaction(toCommit(effect))), committed)
          })
          const attempts = (isNested ? sql.withTransaction(effect) : whole).pipe(
            Effect.catchAllCause((cause) => transactionFailed<E>(cause, isCommitting))
          )
          const repeated = retryingLostRaces(attempts)
          return spread.isCluster && !isNested ? onceMore(repeated) : repeated
        }),
      acrossAccounts: <A, E, R>(statement: Effect.Effect<A, E, R>) =>
        Effect.provideService(statement, AcrossAccounts, true),
      perAccount: (items) => (spread.isCluster ? batchesPerAccount(items) : [items]),
      isCluster: () => spread.isCluster
    })
  })
)

/** The client and the unit of work over the pools. */
export const DatabaseOnPools = unitOfWorkLayer.pipe(Layer.provideMerge(clientLayer))

/** The client, the pools and the unit of work over the database at `DatabaseLocation`. */
export const DatabaseLayer = DatabaseOnPools.pipe(Layer.provideMerge(poolsLayer()))
