import { type ChildProcess, spawn } from "node:child_process"
import * as path from "node:path"
import { Clock, Data, Deferred, type Duration, Effect, Fiber, Option, Ref, Schedule, type Scope } from "effect"
import { Client, DatabaseError } from "pg"
import { type Binaries, binariesFor } from "./EmbeddedPostgres/Binaries.ts"
import {
  boundLog,
  type DataDirectory,
  discardStaleLocks,
  endLeftovers,
  hasSocket,
  initialise,
  isPostmaster,
  openDataDirectory,
  readLog,
  readPostmaster,
  withLog,
  writeAccess
} from "./EmbeddedPostgres/DataDirectory.ts"
import {
  codeOf,
  diagnose,
  EmbeddedPostgresError,
  failure,
  systemFailure
} from "./EmbeddedPostgres/EmbeddedPostgresError.ts"
import { environment, identity, run } from "./EmbeddedPostgres/OperatingSystem.ts"

export { EmbeddedPostgresError }

export interface EmbeddedPostgresOptions {
  /** A directory for this database alone. It is created if missing, and its parents are left unchanged. */
  readonly dataDir: string
  /**
   * PostgreSQL settings that override the defaults. A server that already runs keeps the settings it was started with.
   */
  readonly settings?: Readonly<Record<string, string | number | boolean>>
  /** The time limit of a start, including crash recovery. By default 2 minutes. */
  readonly startTimeout?: Duration.DurationInput
  /** How long closing the scope waits for the server to stop. By default 20 seconds. */
  readonly stopTimeout?: Duration.DurationInput
}

/** Where a database is, as `pg.Pool` and `pg.Client` take it. `host` is the directory of the Unix socket. */
export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly ssl: false
}

export interface EmbeddedPostgres extends DatabaseAddress {
  /** The address of another database of the same server. It need not exist yet. */
  readonly forDatabase: (database: string) => DatabaseAddress
}

/** The server accepts no sessions at the moment: it is starting, stopping, full or not running. */
class NotReady extends Data.TaggedError("NotReady")<{ readonly code: string; readonly detail: string }> {}

interface Spawned {
  readonly process: ChildProcess
  readonly logOffset: number
}

/**
 * An idle session with the server. While it is open, other gateways do not stop the server. Its end shows that the
 * server has stopped.
 */
interface Lease {
  readonly client: Client
  readonly closed: Deferred.Deferred<void>
}

interface Server {
  readonly address: DatabaseAddress
  readonly directory: DataDirectory
  readonly binaries: Binaries
  readonly options: EmbeddedPostgresOptions
  readonly spawned: Ref.Ref<Option.Option<Spawned>>
  readonly lease: Ref.Ref<Option.Option<Lease>>
}

const defaults = {
  shared_buffers: "256MB",
  max_connections: 100,
  max_wal_size: "1GB",
  fsync: true,
  synchronous_commit: true,
  autovacuum: true,
  jit: false,
  timezone: "UTC",
  log_timezone: "UTC",
  // Personal data must not reach the log: no statements, no parameters, no failing rows, and no errors of sessions.
  log_statement: "none",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_parameter_max_length: 0,
  log_parameter_max_length_on_error: 0,
  log_checkpoints: false
}

const settingsOf = ({ address, directory, options }: Server): ReadonlyArray<string> =>
  Object.entries({
    ...defaults,
    ...options.settings,
    listen_addresses: "",
    port: address.port,
    // The server starts in `cluster`, so this relative path stays short and reachable even if the absolute one is not.
    unix_socket_directories:
      path.dirname(address.host) === path.dirname(directory.cluster) ? "../socket" : address.host,
    unix_socket_permissions: "0700",
    cluster_name: directory.name,
    logging_collector: false,
    log_destination: "stderr"
  }).flatMap(([name, value]) => ["-c", `${name}=${typeof value === "boolean" ? (value ? "on" : "off") : value}`])

const leaseName = "embedded-postgres supervisor"

/** Opens the idle session. Fails with `NotReady` if a later attempt may succeed. */
const connect = Effect.fnUntraced(function* ({ address }: Server) {
  const closed = yield* Deferred.make<void>()
  const client = new Client({
    ...address,
    application_name: leaseName,
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000
  })
  // Without a listener, the loss of the session would end the process. `end` follows every loss.
  client.on("error", () => undefined)
  client.once("end", () => Deferred.unsafeDone(closed, Effect.void))
  const discard = Effect.sync(() => void client.end().catch(() => undefined))
  yield* Effect.tryPromise({
    try: () => client.connect(),
    catch: (cause) => {
      const detail = cause instanceof Error ? cause.message : String(cause)
      return cause instanceof DatabaseError && /^(28|3D)/.test(codeOf(cause))
        ? failure("corrupted_data", "the server refuses its own user", detail)
        : new NotReady({ code: codeOf(cause), detail })
    }
  }).pipe(
    Effect.tapError(() => discard),
    Effect.onInterrupt(() => discard)
  )
  return { client, closed } satisfies Lease
})

/**
 * Starts `postgres` in a separate process session, so that it outlives this process. The start may still fail later.
 */
const spawnPostmaster = Effect.fnUntraced(function* (server: Server) {
  const { binaries, directory, spawned } = server
  yield* boundLog(directory)
  yield* withLog(directory, (log, logOffset) =>
    Effect.async<Spawned, EmbeddedPostgresError>((resume) => {
      const process = spawn(binaries.postgres, ["-D", directory.seenAs(directory.cluster), ...settingsOf(server)], {
        ...identity(directory.user),
        cwd: directory.cluster,
        env: environment,
        detached: true,
        stdio: ["ignore", log, log]
      })
      process.once("error", (cause) => resume(systemFailure("cannot run postgres")(cause)))
      process.once("spawn", () => resume(Effect.succeed({ process, logOffset })))
      process.unref()
    }).pipe(
      Effect.flatMap((postmaster) => Ref.set(spawned, Option.some(postmaster))),
      Effect.uninterruptible
    )
  )
})

const isRunning = ({ process }: Spawned): boolean => process.exitCode === null && process.signalCode === null

/** Requests a fast shutdown, as `pg_ctl` does, without waiting for it. */
const requestStop = ({ binaries, directory }: Server) =>
  run(binaries.pgCtl, ["stop", "-m", "fast", "-W", "-D", directory.seenAs(directory.cluster)], {
    user: directory.user,
    cwd: directory.cluster,
    timeout: "5 seconds"
  })

/** Explains why the server that this process started has ended. Fails if another start would end the same way. */
const explainExit = Effect.fnUntraced(function* ({ directory }: Server, { process, logOffset }: Spawned) {
  // These exit codes mean that a person or a program stopped the server. A crash ends with SIGABRT or SIGSEGV.
  if (process.exitCode === 0 || /^SIG(KILL|TERM|INT|QUIT|HUP)$/.test(process.signalCode ?? "")) return
  const log = yield* readLog(directory, logOffset)
  if (/shared memory block .* is still in use/.test(log)) return yield* endLeftovers(directory)
  // Another server seems to use the directory. The next attempt connects to it, or finds that it is gone.
  if (/lock file ".*" (already exists|is empty)|bogus data in lock file|Is another postmaster/.test(log)) return
  return yield* diagnose("the server does not start", log)
})

/**
 * Makes one attempt to connect. If the server is not ready, it does the next missing step and fails with `NotReady`, so
 * that a later attempt connects.
 */
const attempt = Effect.fnUntraced(function* (server: Server) {
  const { address, directory, spawned } = server
  const connected = yield* Effect.either(connect(server))
  if (connected._tag === "Right") return connected.right
  const absent = connected.left
  if (absent._tag === "EmbeddedPostgresError" || !/^(ENOENT|ECONNREFUSED)$/.test(absent.code)) return yield* absent

  const earlier = yield* Ref.get(spawned)
  if (Option.isSome(earlier)) {
    if (isRunning(earlier.value)) return yield* absent
    yield* Ref.set(spawned, Option.none())
    yield* explainExit(server, earlier.value)
  }
  yield* directory.socket
  yield* initialise(directory, server.binaries, server.options.settings?.["fsync"] !== false)
  const postmaster = yield* readPostmaster(directory)
  if (postmaster !== undefined && (yield* isPostmaster(directory, postmaster.pid))) {
    // No process can reach a running server whose socket was deleted, so it is stopped.
    if (postmaster.isReady && !(yield* hasSocket(postmaster))) yield* requestStop(server)
    return yield* absent
  }
  yield* discardStaleLocks(directory, address.host)
  yield* writeAccess(directory)
  yield* spawnPostmaster(server)
  return yield* absent
})

const retrying = Schedule.exponential("5 millis", 1.3).pipe(Schedule.union(Schedule.spaced("250 millis")))

/** Retries `attempt` until a session is open or the time is over. */
const establish = Effect.fnUntraced(function* (server: Server) {
  const last = yield* Ref.make("no answer")
  const lease = yield* attempt(server).pipe(
    Effect.tapErrorTag("NotReady", ({ detail }) => Ref.set(last, detail)),
    Effect.retry({ schedule: retrying, while: (error) => error._tag === "NotReady" }),
    Effect.timeoutOption(server.options.startTimeout ?? "2 minutes"),
    Effect.flatMap((lease) => lease),
    Effect.catchTags({
      NoSuchElementException: () =>
        Effect.flatMap(Ref.get(last), (detail) => failure("timed_out", `the server does not answer (${detail})`)),
      NotReady: ({ detail }) => failure("timed_out", `the server does not answer (${detail})`)
    }),
    Effect.onInterrupt(() =>
      Effect.map(
        Ref.get(server.spawned),
        Option.map(({ process }) => process.kill("SIGINT"))
      )
    )
  )
  yield* Ref.set(server.lease, Option.some(lease))
})

const revive = (server: Server) =>
  Effect.logWarning("The embedded database went away: starting it again").pipe(
    Effect.zipRight(
      establish(server).pipe(
        Effect.sandbox,
        Effect.tapError((cause) => Effect.logError("The embedded database does not start: trying again", cause)),
        Effect.retry(Schedule.exponential("200 millis").pipe(Schedule.union(Schedule.spaced("10 seconds")))),
        Effect.orDie
      )
    ),
    Effect.zipRight(Effect.logInfo("The embedded database is back"))
  )

/** Restarts the server whenever it stops, and bounds its log while it runs. Never ends by itself. */
const supervise = (server: Server): Effect.Effect<never> =>
  Effect.gen(function* () {
    const lease = yield* Ref.get(server.lease)
    if (Option.isSome(lease)) {
      yield* boundLog(server.directory).pipe(
        Effect.ignoreLogged,
        Effect.repeat(Schedule.spaced("1 minute")),
        Effect.raceFirst(Deferred.await(lease.value.closed))
      )
    }
    yield* revive(server)
  }).pipe(Effect.forever)

const otherSessions = `select application_name as name from pg_stat_activity
  where backend_type in ('client backend', 'walsender') and pid <> pg_backend_pid()`

/** True if the lease is the only session left. Sessions that were just closed get a second to disappear. */
const isUnused = Effect.fnUntraced(function* ({ client }: Lease) {
  // Gateways that close at the same time see each other's sessions, so they check one by one and the last one sees
  // none. A closing session releases the lock before it leaves the list, so the check waits for sessions with this
  // name.
  yield* Effect.tryPromise(() =>
    client.query(`set lock_timeout = '5s'; select pg_advisory_lock(1886222199, 1); set application_name = 'leaving'`)
  )
  return yield* Effect.tryPromise(() => client.query<{ name: string }>(otherSessions)).pipe(
    Effect.map(({ rows }) => rows),
    Effect.filterOrFail((rows) => rows.length === 0 || rows.some(({ name }) => name === leaseName)),
    Effect.retry({ times: 20, schedule: Schedule.spaced("50 millis") }),
    Effect.match({ onFailure: () => false, onSuccess: (rows) => rows.length === 0 })
  )
})

const waitUntilGone = ({ directory }: Server, pid: number) =>
  readPostmaster(directory).pipe(
    Effect.filterOrFail((postmaster) => postmaster?.pid !== pid),
    Effect.zipRight(isPostmaster(directory, pid)),
    Effect.filterOrFail((runs) => !runs),
    Effect.retry(Schedule.spaced("20 millis"))
  )

/** Stops the server, whichever process started it, unless other sessions use it. */
const stop = Effect.fnUntraced(function* (server: Server) {
  const currentLease = yield* Ref.get(server.lease)
  const lost = Option.isNone(currentLease) || (yield* Deferred.isDone(currentLease.value.closed))
  const lease = lost ? yield* Effect.option(connect(server)) : currentLease
  if (Option.isNone(lease)) return
  yield* Effect.gen(function* () {
    if (!(yield* isUnused(lease.value))) {
      return yield* Effect.logInfo("The embedded database is left running: other sessions use it")
    }
    const postmaster = yield* readPostmaster(server.directory)
    yield* requestStop(server)
    if (postmaster !== undefined) yield* waitUntilGone(server, postmaster.pid)
  }).pipe(Effect.ensuring(Effect.sync(() => void lease.value.client.end().catch(() => undefined))))
})

/**
 * Runs a private PostgreSQL server while the scope is open. It joins the server that already serves `dataDir`, or
 * creates and starts one, and restarts it if it dies. The server outlives a crash of this process. When the scope
 * closes, the server stops unless other sessions are connected, so close pools first. The returned address is that of
 * the maintenance database `postgres`, with a superuser.
 */
export const acquire = (
  options: EmbeddedPostgresOptions
): Effect.Effect<EmbeddedPostgres, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    const directory = yield* openDataDirectory(options.dataDir)
    const binaries = yield* binariesFor(directory.user)
    const host = yield* directory.socket
    const address: DatabaseAddress = { host, port: 5432, user: "gateway", database: "postgres", ssl: false }
    const spawned = yield* Ref.make(Option.none<Spawned>())
    const lease = yield* Ref.make(Option.none<Lease>())
    const server: Server = { address, directory, binaries, options, spawned, lease }
    yield* Effect.addFinalizer(() =>
      stop(server).pipe(
        Effect.timeout(options.stopTimeout ?? "20 seconds"),
        Effect.catchAllCause((cause) => Effect.logWarning("The embedded database was not stopped", cause)),
        Effect.withClock(Clock.make()),
        // A separate fiber, because the fiber that closes the scope may be interrupted, and time-outs do not work
        // there.
        Effect.interruptible,
        Effect.forkDaemon,
        Effect.flatMap(Fiber.join)
      )
    )
    yield* establish(server).pipe(
      Effect.onInterrupt(() =>
        Effect.map(
          Ref.get(spawned),
          Option.map(({ process }) => process.kill("SIGINT"))
        )
      ),
      Effect.withSpan("EmbeddedPostgres.start")
    )
    yield* Effect.forkScoped(supervise(server))
    return { ...address, forDatabase: (database: string) => ({ ...address, database }) }
    // Waits for another process use the real clock, also in tests that replace the clock.
  }).pipe(Effect.withClock(Clock.make()))
