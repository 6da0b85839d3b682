import * as Migrator from "@effect/sql/Migrator"
import { SqlClient, TransactionConnection } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { Cause, Clock, Context, Effect, Layer, Option, Record, Schedule } from "effect"
import type pg from "pg"
import { databaseConflictReason, databaseUnavailableReason, outcomeUnknown, Transient } from "../../../Errors.ts"
import { readsOwnChanges } from "../../../Services/Core/OwnChanges.ts"
import { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
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
import { overloaded, transientOf } from "./Sql.ts"
import { AcrossAccounts, directStatements } from "./statements/DirectStatements.ts"

/** Where the database is. */
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

/** The pools, for those who need `pg` itself: the job engine and the metrics. */
export class DatabasePools extends Context.Tag("DatabasePools")<
  DatabasePools,
  {
    readonly write: pg.Pool
    readonly read: pg.Pool
    /** Sessions for short reads that must not wait behind long statements: look-ups by key, cancellations, health. */
    readonly quick: pg.Pool
    readonly spread: Cluster
    /** Whose turn it is on the sessions of the other two. */
    readonly turns: { readonly write: FairSemaphore; readonly read: FairSemaphore }
    readonly use: TenantUsage
    /** Hears of every transaction that was committed. */
    readonly activity: CommitSignal
    /** Sessions of a server that follows, and whether it does. */
    readonly replica: { readonly pool: pg.Pool; readonly turns: FairSemaphore; readonly state: Replica } | undefined
  }
>() {}

const quickSessions = 4

/**
 * Half of the sessions for one account, and an eighth for one whose long statements hold up others; beyond some waiting calls an early refusal helps its caller
 * more than a late one.
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

/** Reads on the nodes of a cluster, by as many sessions of each as ask the coordinator, and one that ends others' statements. */
export const nodeReads = (connection: ConnectionOptions, size: number): NodeReads =>
  new NodeReads((host, port) =>
    makePool({ connection: atServer(connection, host, port), size: size + 1, applicationName, readOnly: true })
  )

/** Pools whose sessions live by the server's clock unless another is given. */
export const poolsLayer = (clock?: PoolOptions["clock"]) =>
  Layer.scoped(
    DatabasePools,
    Effect.gen(function* () {
      const { connection, poolSize: size, replica, use = new TenantUsage() } = yield* DatabaseLocation
      const spread = unknownCluster()
      // What is read of an account is asked of its node, if there are nodes.
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
        // One more, on which the library ends statements of the others.
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

/** Key of the advisory lock that migrations hold: unique in this database. */
const migrationLock = 7_236_001

/**
 * The steps under the ids of their places, as the migrator takes them: it passes over an id that is missing in silence,
 * so the steps have no other ids.
 */
const numbered = (migrations: ReadonlyArray<Migration>) =>
  Record.fromEntries(
    migrations.map(({ name, sql }, index) => [
      `${index + 1}_${name}`,
      // A change of a large table may take longer than a statement of a call.
      Effect.flatMap(SqlClient, (client) =>
        Effect.zipRight(client`set local statement_timeout = 0`, client.unsafe(sql))
      )
    ])
  )

/** Applies the steps that the database does not have yet. Gateways that start at once wait for each other. */
export const migrateWith = <A, E, R>(migrations: ReadonlyArray<Migration>, afterwards: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const session = yield* sql.reserve
      const run = (name: string) =>
        Effect.map(session.executeValues(`select ${name}($1)`, [migrationLock]), (rows) => rows[0]?.[0] === true)
      // Tried again and again, since waiting inside one statement would run into the session's time limits.
      yield* Effect.acquireRelease(
        Effect.repeat(run("pg_try_advisory_lock"), {
          until: (isHeld) => isHeld,
          schedule: Schedule.spaced("250 millis")
        }),
        () => Effect.orDie(run("pg_advisory_unlock"))
      )
      const loader = Migrator.fromRecord(numbered(migrations))
      yield* Migrator.make({})({ loader, table: "gateway_migration" })
      yield* afterwards
    })
  )

const isLostRace = (error: unknown): boolean => error instanceof Transient && error.reason === databaseConflictReason

/**
 * A transaction that could not begin fails with a `SqlError`; a commit or rollback on a lost connection is a defect to
 * `@effect/sql`. Both are passing trouble when the server is the reason; but where a commit was sent, and the connection
 * broke before its answer, it is unknown whether it was done.
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

const mostMillisToTryAgain = 1_000

/**
 * A node of a cluster that is back was away for each of the coordinator's sessions: what fails so soon, before anything is
 * saved, is tried once more.
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

/** After this pause without a reported commit, the next commit checks whether there is something to report. */
const silenceMillis = 1_000

const unitOfWorkLayer = Layer.effect(
  UnitOfWork,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const { activity, quick, read, replica, spread, turns } = yield* DatabasePools
    // When the pollers were last notified.
    let toldAt = Number.NEGATIVE_INFINITY
    const committed = Effect.withFiberRuntime<void>((fiber) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        toldAt = at
        activity.wrote()
        replica?.state.wrote(partyOf(fiber.currentContext), at)
      })
    )
    // A cluster's coordinator does not know what its workers wrote.
    const hasWritten = Effect.suspend(() =>
      spread.isCluster
        ? Effect.succeed(true)
        : Effect.map(
            sql<{ readonly has: boolean }>`select pg_current_xact_id_if_assigned() is not null as has`,
            ([row]) => row?.has !== false
          )
    )
    // Standing in for a transaction's connection, it sends statements to sessions that cannot write, without a BEGIN.
    const readConnection = [makePoolConnection({ pool: read, turns: turns.read, quick }), 0] as const
    // Of the replica's own: what ends a statement has to reach the server that runs it.
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
    const retryLostRaces = Schedule.recurs(3).pipe(
      Schedule.addDelay(() => "20 millis"),
      Schedule.jittered
    )

    const reading = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.withFiberRuntime<A, E, R>((fiber) => {
        const held = Context.getOption(fiber.currentContext, TransactionConnection)
        return (Option.isSome(held) && held.value === readConnection) || readsOwnChanges(fiber.currentContext)
          ? effect
          : Effect.provideService(effect, TransactionConnection, readConnection)
      })

    return UnitOfWork.of({
      read: reading,
      readLagging: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        lagging === undefined || replica === undefined
          ? reading(effect)
          : Effect.flatMap(Clock.currentTimeMillis, (at) =>
              Effect.withFiberRuntime<A, E, R>((fiber) =>
                !readsOwnChanges(fiber.currentContext) && replica.state.mayAnswer(partyOf(fiber.currentContext), at)
                  ? Effect.provideService(effect, TransactionConnection, lagging)
                  : reading(effect)
              )
            ),
      write: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.withFiberRuntime<A, E | Transient, R>((fiber) => {
          const held = Context.getOption(fiber.currentContext, TransactionConnection)
          const isNested = Option.isSome(held) && !isReading(held)
          const turn = <B, F, S>(transaction: Effect.Effect<B, F, S>) =>
            withFairPermit(turns.write, partyOf(fiber.currentContext), transaction)
          // From here on what fails is the commit.
          let isCommitting = false
          const toCommit = <B, F, S>(statements: Effect.Effect<B, F, S>) =>
            Effect.map(statements, (answer) => {
              isCommitting = true
              return answer
            })
          // Most of what comes after a silence looks for something and finds nothing: it is asked whether it wrote. While
          // others write the question would cost more than the looks that it spares.
          const afterSilence = Effect.flatMap(
            turn(sql.withTransaction(toCommit(Effect.zip(effect, hasWritten)))),
            ([answer, has]) => (has ? Effect.as(committed, answer) : Effect.succeed(answer))
          )
          const whole = Effect.flatMap(Clock.currentTimeMillis, (at) => {
            isCommitting = false
            return Math.abs(at - toldAt) > silenceMillis
              ? afterSilence
              : Effect.zipLeft(turn(sql.withTransaction(toCommit(effect))), committed)
          })
          const attempts = (isNested ? sql.withTransaction(effect) : whole).pipe(
            Effect.catchAllCause((cause) => transactionFailed<E>(cause, isCommitting)),
            Effect.retry({ while: isLostRace, schedule: retryLostRaces })
          )
          return spread.isCluster && !isNested ? onceMore(attempts) : attempts
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
