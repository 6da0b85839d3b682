import { access } from "node:fs/promises"
import * as path from "node:path"
import { SqlError } from "@effect/sql/SqlError"
import { Data, Effect, Either, Option, Redacted } from "effect"
import { Client } from "pg"
import {
  type CheckResult,
  failed,
  judgeClock,
  judgeServerVersion,
  judgeSessions,
  passed,
  sessionsOfProcess,
  skipped,
  warning
} from "../../../Services/Core/Outside/CheckResult.ts"
import { acquire } from "../EmbeddedPostgres.ts"
import type { Check } from "../Operators/Check.ts"
import { loadSettings, type SettingsShape } from "../Settings.ts"
import { extensions } from "./PlatformMigration.ts"
import { describeConnectionFailure } from "./pool/ConnectionFailure.ts"
import { type ConnectionOptions, urlOf } from "./pool/Pool.ts"

const connectMillis = 8000

/** Facts about the database that one session reads. */
interface DatabaseFacts {
  readonly isEmbedded: boolean
  readonly versionNumber: number
  /** Milliseconds by which the machine's clock is ahead of the database's. */
  readonly offsetMillis: number
  readonly missingExtensions: ReadonlyArray<{ readonly name: string; readonly mayBeCreated: boolean }>
  readonly maxConnections: number
  /** The number of sessions of other programs. */
  readonly otherSessions: number
  readonly appliedMigrations: number
}

/** Fails if there is no database yet. The first start creates one. */
class NoDatabaseYet extends Data.TaggedError("NoDatabaseYet")<{ readonly folder: string }> {}

class DatabaseProblem extends Data.TaggedError("DatabaseProblem")<{ readonly text: string; readonly fix: string }> {}

/** Runs `use` on one session. */
const withSession = <A>(
  connection: ConnectionOptions,
  databaseUrl: string | undefined,
  use: (client: Client) => Promise<A>
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const client = new Client({
        ...connection,
        application_name: "gateway doctor",
        connectionTimeoutMillis: connectMillis,
        query_timeout: connectMillis
      })
      // Without a listener, the loss of the session would end the process.
      client.on("error", () => {})
      return client
    }),
    (client) =>
      Effect.tryPromise({
        try: async () => {
          await client.connect()
          return await use(client)
        },
        catch: (cause) =>
          new DatabaseProblem({
            text: `The gateway cannot start: ${describeConnectionFailure(new SqlError({ cause }), databaseUrl)}`,
            fix:
              databaseUrl === undefined
                ? "Read the log in DATA_DIR/postgres/server.log."
                : "Check DATABASE_URL, the server's pg_hba.conf and the firewall."
          })
      }),
    (client) => Effect.promise(() => client.end().catch(() => undefined))
  )

const readFacts = async (client: Client, isEmbedded: boolean): Promise<DatabaseFacts> => {
  const { rows } = await client.query<{
    readonly version: number
    readonly connections: number
    readonly others: number
    readonly migrations: boolean
  }>(`
    select current_setting('server_version_num')::int as version,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend'
        and application_name not in ('prospecting-gateway', 'gateway doctor', 'embedded-postgres supervisor')) as others,
      to_regclass('gateway_migration') is not null as migrations`)
  const [row] = rows
  if (row === undefined) throw new Error("The database returned no row.")
  const missing = await client.query<{ readonly name: string; readonly mayBeCreated: boolean }>(
    `select wanted.name, coalesce(bool_or(available.trusted
        and has_database_privilege(current_database(), 'create')
        or (select rolsuper from pg_roles where rolname = current_user)), false) as "mayBeCreated"
      from unnest($1::text[]) wanted(name)
      left join pg_available_extension_versions available on available.name = wanted.name
      where not exists (select from pg_extension where extname = wanted.name)
      group by wanted.name`,
    [extensions]
  )
  const applied = row.migrations
    ? await client.query<{ readonly applied: number }>("select count(*)::int as applied from gateway_migration")
    : { rows: [] }
  const before = Date.now()
  const clock = await client.query<{ readonly millis: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as millis"
  )
  const after = Date.now()
  return {
    isEmbedded,
    versionNumber: row.version,
    // The database read its clock at some time between the two readings here, so their mean is compared.
    offsetMillis: (before + after) / 2 - (clock.rows[0]?.millis ?? after),
    missingExtensions: missing.rows,
    maxConnections: row.connections,
    otherSessions: row.others,
    appliedMigrations: applied.rows[0]?.applied ?? 0
  }
}

const embeddedFacts = ({ dataDir }: SettingsShape) =>
  Effect.gen(function* () {
    const folder = path.resolve(dataDir, "postgres")
    const isCreated = yield* Effect.promise(() =>
      access(path.join(folder, "cluster")).then(
        () => true,
        () => false
      )
    )
    if (!isCreated) return yield* new NoDatabaseYet({ folder })
    const { database, host, port, user } = yield* Effect.mapError(
      acquire({ dataDir: folder, startTimeout: "15 seconds" }),
      ({ message }) =>
        new DatabaseProblem({
          text: `The embedded server does not start: ${message}`,
          fix: "Read DATA_DIR/postgres/server.log."
        })
    )
    return yield* withSession({ database, host, port, user }, undefined, (client) => readFacts(client, true))
  }).pipe(Effect.scoped)

const factsOf = (settings: SettingsShape) =>
  Option.match(Option.map(settings.databaseUrl, Redacted.value), {
    onNone: () => embeddedFacts(settings),
    onSome: (url) => withSession({ connectionString: url }, url, (client) => readFacts(client, false))
  })

const isLocal = ({ databaseUrl }: SettingsShape): boolean =>
  Option.match(databaseUrl, {
    onNone: () => true,
    onSome: (url) => {
      try {
        const { hostname, searchParams } = urlOf(Redacted.value(url))
        const host = searchParams.get("host") ?? hostname
        return host.startsWith("/") || /^(localhost|127\.|\[::1\])/.test(host)
      } catch {
        return false
      }
    }
  })

const judgeExtensions = ({ missingExtensions }: DatabaseFacts): CheckResult => {
  const [first] = missingExtensions
  if (first === undefined) return passed(`${extensions.join(", ")} are installed.`)
  const refused = missingExtensions.filter(({ mayBeCreated }) => !mayBeCreated).map(({ name }) => name)
  return refused.length === 0
    ? passed(`${missingExtensions.map(({ name }) => name).join(", ")} can be created by the migration.`)
    : failed(
        `${refused.join(", ")} cannot be created by the user of DATABASE_URL.`,
        `As a superuser of the database: ${refused.map((name) => `create extension ${name};`).join(" ")} They are in the package postgresql-contrib.`
      )
}

const judgeMigrations = (applied: number, available: number): CheckResult => {
  if (applied > available) {
    return failed(
      "The database belongs to a newer gateway.",
      "Start the newer gateway, or restore a backup from before the upgrade."
    )
  }
  return applied === available
    ? passed("The tables are at the newest version.")
    : warning(
        `${available - applied} migrations wait.`,
        "gateway migrate --plan shows them. gateway migrate applies them, and so does the next start."
      )
}

/** Checks of the database. They share one session. */
export const makeDatabaseChecks = (
  migrations: number,
  processes: (settings: SettingsShape) => number
): Effect.Effect<ReadonlyArray<Check>> =>
  Effect.gen(function* () {
    const shared = yield* Effect.cached(
      Effect.flatMap(loadSettings, (settings) =>
        Effect.map(Effect.either(factsOf(settings)), (facts) => ({ facts, settings }))
      )
    )
    const check = (
      name: string,
      judge: (facts: DatabaseFacts, settings: SettingsShape) => CheckResult,
      onProblem: (problem: DatabaseProblem) => CheckResult = () => skipped("The database cannot be used.")
    ): Check => ({
      name,
      run: Effect.map(shared, ({ facts, settings }) =>
        Either.match(facts, {
          onRight: (value) => judge(value, settings),
          onLeft: (problem) =>
            problem._tag === "NoDatabaseYet"
              ? skipped(`The first start creates the embedded database in ${problem.folder}.`)
              : onProblem(problem)
        })
      )
    })
    return [
      check(
        "database",
        ({ versionNumber }) => judgeServerVersion(versionNumber),
        ({ fix, text }) => failed(text, fix)
      ),
      check("database.extensions", judgeExtensions),
      check("database.tables", ({ appliedMigrations }) => judgeMigrations(appliedMigrations, migrations)),
      check("database.sessions", ({ isEmbedded, maxConnections, otherSessions }, settings) =>
        isEmbedded
          ? passed("The embedded server allows as many sessions as the gateway uses.")
          : judgeSessions(processes(settings) * sessionsOfProcess(settings.poolSize), maxConnections, otherSessions)
      ),
      check("clock", ({ offsetMillis }, settings) =>
        isLocal(settings)
          ? skipped("The database runs on this machine, so there is no other clock to compare with.")
          : judgeClock(offsetMillis)
      )
    ]
  })

/** Checks whether the replica follows, and how far behind it is. */
const replicaCheck: Check = {
  name: "database.replica",
  run: Effect.flatMap(loadSettings, ({ replicaLag, replicaUrl }) =>
    Option.match(Option.map(replicaUrl, Redacted.value), {
      onNone: () => Effect.succeed(skipped("DATABASE_REPLICA_URL is not set.")),
      onSome: (url) =>
        withSession({ connectionString: url }, url, async (client) => {
          const { rows } = await client.query<{ readonly follows: boolean; readonly lag: number | null }>(
            `select pg_is_in_recovery() as follows,
              extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as lag`
          )
          const [row] = rows
          if (row?.follows !== true) {
            return failed(
              "The server is no replica.",
              "Set DATABASE_REPLICA_URL to a server that follows DATABASE_URL."
            )
          }
          const seconds = Math.round(row.lag ?? 0)
          return seconds > replicaLag
            ? warning(
                `The last change that it shows is ${seconds} s old. Without writes this is normal.`,
                "If the primary is written to, check the replication."
              )
            : passed(`It follows, ${seconds} s behind.`)
        }).pipe(Effect.catchTag("DatabaseProblem", ({ fix, text }) => Effect.succeed(failed(text, fix))))
    })
  )
}

export const replicaChecks: ReadonlyArray<Check> = [replicaCheck]
