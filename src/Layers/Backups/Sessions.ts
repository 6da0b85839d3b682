import { Effect } from "effect"
import { Client } from "pg"
import { type BackupError, backupError, systemError } from "../../Services/Backups/BackupError.ts"
import { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { ConnectionOptions } from "../Platform/Postgres/pool/Pool.ts"

const applicationName = "prospecting-gateway backup"
const connectMillis = 30_000

/** A separate session on the database, open until the scope ends. */
export const openSession = (connection: ConnectionOptions) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const client = new Client({
          ...connection,
          application_name: applicationName,
          connectionTimeoutMillis: connectMillis
        })
        // A lost session fails the current statement. Without a listener, it would end the process.
        client.on("error", () => undefined)
        await client.connect()
        return client
      },
      catch: systemError("The database cannot be reached")
    }),
    (client) => Effect.promise(() => client.end().catch(() => undefined))
  )

/** Runs statements whose answers do not matter. */
export const run = (client: Client, text: string, what: string): Effect.Effect<void, BackupError> =>
  Effect.tryPromise({
    try: async () => void (await client.query(text)),
    catch: systemError(what)
  })

/** Runs a statement and returns its rows. */
const rowsOf = <Row extends object>(client: Client, text: string, what: string) =>
  Effect.tryPromise({
    try: async () => (await client.query<Row>(text)).rows,
    catch: systemError(what)
  })

/** The only row of a statement. */
export const rowOf = <Row extends object>(client: Client, text: string, what: string) =>
  Effect.flatMap(rowsOf<Row>(client, text, what), ([row]) =>
    row === undefined ? backupError("failed", `${what}: no answer`) : Effect.succeed(row)
  )

/** The key of the advisory lock that a backup holds. No other lock of this database uses it. */
const backupLock = 7_236_002

/** Fails if another process makes a backup of the same database. The session holds the lock. */
export const takeTurn = (client: Client): Effect.Effect<void, BackupError> =>
  Effect.flatMap(
    rowOf<{ readonly free: boolean }>(
      client,
      `select pg_try_advisory_lock(${backupLock}) as free`,
      "The database cannot be asked for other backups"
    ),
    ({ free }) =>
      free ? Effect.void : backupError("already_running", "Another backup of this database is running. Wait for it.")
  )

/** Begins a transaction that sees one state of the database, and returns the time of that state. */
export const takeSnapshot = (client: Client): Effect.Effect<Timestamp, BackupError> =>
  Effect.zipRight(
    run(client, "begin isolation level repeatable read read only", "The snapshot cannot be taken"),
    Effect.map(
      // The first statement takes the snapshot.
      rowOf<{ readonly at: string }>(
        client,
        `select to_char(instant() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`,
        "The snapshot cannot be taken"
      ),
      ({ at }) => Timestamp.make(at)
    )
  )

/** The server's major version. */
export const majorVersion = (client: Client) =>
  Effect.map(
    rowOf<{ readonly major: number }>(
      client,
      "select current_setting('server_version_num')::int / 10000 as major",
      "The version of the server cannot be read"
    ),
    ({ major }) => major
  )

/** A dump of a cluster's coordinator is not one state of all nodes, so it is refused. */
export const refuseCluster = (client: Client): Effect.Effect<void, BackupError> =>
  Effect.gen(function* () {
    const isTrue = (condition: string) =>
      Effect.map(
        rowOf<{ readonly answer: boolean }>(client, `select ${condition} as answer`, "The nodes cannot be looked up"),
        ({ answer }) => answer
      )
    if (!(yield* isTrue("to_regclass('pg_dist_partition') is not null"))) return
    if (!(yield* isTrue("exists (select from pg_dist_partition)"))) return
    return yield* backupError(
      "cluster_not_supported",
      "The tables are distributed over a Citus cluster. Back up each node with a tool such as pgBackRest, call citus_create_restore_point on the coordinator, and restore all nodes to that point. See docs/how-to/back-up.md."
    )
  })
