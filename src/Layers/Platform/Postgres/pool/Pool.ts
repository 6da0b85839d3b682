import pg from "pg"
import type { Cluster } from "../cluster/Cluster.ts"
import { clusterClient } from "../cluster/ClusterClient.ts"
import type { NodeReads } from "../cluster/NodeReads.ts"
import { NamedStatementClient } from "../statements/NamedStatements.ts"

/** The server and the database. `pg` uses the same field names. */
export interface ConnectionOptions {
  readonly connectionString?: string
  /** A host name, or the directory of a unix socket. */
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly password?: string
  readonly database?: string
}

type Clock = PoolOptions["clock"]

/**
 * Parses a database URL. `URL` rejects one with the host in its query, as URLs of Unix sockets have, so a host is
 * added.
 */
export const urlOf = (connectionString: string): URL =>
  new URL(connectionString.replace(/^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)\//, "$1localhost/"))

/** Returns the connection to the same database on another server. */
export const atServer = (connection: ConnectionOptions, host: string, port: number): ConnectionOptions => {
  if (connection.connectionString === undefined) return { ...connection, host, port }
  const url = urlOf(connection.connectionString)
  url.hostname = host
  url.port = String(port)
  for (const said of ["host", "port"]) url.searchParams.delete(said)
  return { ...connection, connectionString: url.href }
}

/** Returns the connection to another database on the same server. */
export const atDatabase = (connection: ConnectionOptions, database: string): ConnectionOptions => {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = urlOf(connection.connectionString)
  url.pathname = `/${encodeURIComponent(database)}`
  return { ...connection, connectionString: url.href }
}

/** Makes a session class with a test clock. It sets the time before the first statement at each instant. */
const clientOfClock = (spread: Cluster, clock: NonNullable<Clock>) =>
  class SimulatedClient extends clusterClient(spread, clock) {
    private told = ""
    override query(...args: ReadonlyArray<unknown>): never {
      const send = (...statement: ReadonlyArray<unknown>): unknown => Reflect.apply(super.query, this, statement)
      const [text, ...others] = args
      const instant = clock.now()
      const isTold = instant === this.told
      // A rollback also reverts the setting.
      this.told = text === "ROLLBACK" ? "" : instant
      const tell = `set gateway.now = '${instant}'`
      // Each node computes column defaults itself, and Citus only forwards settings that are made in a transaction.
      const onNodes = `set local citus.propagate_set_commands = 'local'; set local gateway.now = '${instant}'`
      if (text === "BEGIN" && spread.isCluster) return send(`begin; ${tell}; ${onNodes}`, ...others) as never
      if (isTold || text === "ROLLBACK") return send(...args) as never
      if (text === "BEGIN") return send(`begin; ${tell}`, ...others) as never
      const ask = () => send(...args)
      return (typeof args.at(-1) === "function" ? send(tell, ask) : Promise.resolve(send(tell)).then(ask)) as never
    }
  }

const { builtins } = pg.types

/** `2026-03-01 09:30:00.123456+00`, as sessions in UTC write it, becomes `2026-03-01T09:30:00Z`. */
const parseTimestamp = (text: string): string => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, parseTimestamp],
  // Ids and counts stay below 2^53, so a JavaScript number is exact.
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, (text) => text]
])

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    const builtin = pg.types.getTypeParser(oid, format) as (text: string) => unknown
    return (format === "binary" ? undefined : parsers.get(oid)) ?? builtin
  }
}

const sessionSettings = [
  "-c timezone=UTC",
  "-c statement_timeout=30s",
  "-c lock_timeout=10s",
  "-c idle_in_transaction_session_timeout=60s",
  // Every search of leads scans the index's pending list, so a small limit keeps the list short.
  "-c gin_pending_list_limit=1MB"
]

export interface PoolOptions {
  readonly connection: ConnectionOptions
  readonly size: number
  readonly applicationName: string
  /** The server refuses every write of these sessions. */
  readonly readOnly?: boolean
  /**
   * A test clock: its time (ISO 8601), and its name if only some accounts use it. It must not change while a
   * transaction is open.
   */
  readonly clock?: { readonly name?: string; readonly now: () => string } | undefined
  /** Updated by each new session. Without it, statements are sent unchanged. */
  readonly spread?: Cluster
  /** Sends reads directly to the nodes of a cluster. */
  readonly reads?: NodeReads
}

const clientOf = ({ clock, reads, spread }: PoolOptions) => {
  if (spread === undefined) return NamedStatementClient
  return clock === undefined ? clusterClient(spread, clock, reads) : clientOfClock(spread, clock)
}

export const makePool = (options: PoolOptions): pg.Pool => {
  const { clock, spread } = options
  const pool = new pg.Pool({
    ...options.connection,
    Client: clientOf(options),
    verify: (session, then) => {
      if (spread === undefined) return then()
      session.query(
        "select exists (select from pg_extension where extname = 'citus') as is_cluster",
        (failure: Error | null, result: pg.QueryResult<{ readonly is_cluster: boolean }>) => {
          if (failure === null && result.rows[0]?.is_cluster === true) spread.isCluster = true
          then(failure ?? undefined)
        }
      )
    },
    max: options.size,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types,
    options: [
      ...sessionSettings,
      ...(options.readOnly === true ? ["-c default_transaction_read_only=on"] : []),
      // Runs with a test clock can be repeated, so a commit need not wait for the disk.
      ...(clock?.name === undefined ? [] : [`-c gateway.clock=${clock.name}`]),
      ...(clock === undefined ? [] : ["-c synchronous_commit=off"])
    ].join(" ")
  })
  // The pool drops a session that breaks while idle. Without this listener, the process would end.
  pool.on("error", () => {})
  return pool
}
