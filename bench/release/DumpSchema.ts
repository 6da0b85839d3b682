import { execFileSync } from "node:child_process"
import * as path from "node:path"
import { Effect, Layer } from "effect"
import pg from "pg"
import { migrate } from "../../src/Layers/App.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { postgresServers } from "../support/PostgresServer.ts"

/** What `pg_dump` says about itself, and settings of the session that are the default. */
const isNoise = (line: string): boolean =>
  line === "--" ||
  /^-- (?:Name|Data for Name|Dumped|PostgreSQL database dump)\b/.test(line) ||
  line.startsWith("\\") ||
  /^SET (?:statement_timeout|lock_timeout|idle_in_transaction_session_timeout|transaction_timeout|client_encoding|standard_conforming_strings|client_min_messages|row_security|default_tablespace|default_table_access_method)\b/.test(
    line
  )

/** A migrated database: its tables and the rows that migrations write, as SQL, and a session to ask it. */
export interface MigratedSchema {
  readonly schema: string
  readonly client: pg.Client
}

/** Migrates an empty database, dumps it, and hands both over. */
export const withMigratedSchema = async <A>(programs: string, use: (migrated: MigratedSchema) => Promise<A>) => {
  const servers = postgresServers(programs)
  const port = 20_000 + (process.pid % 10_000)
  try {
    const { host } = servers.start("release", port, "fsync = off\nmax_prepared_transactions = 10\n")
    const connection = { host, port, user: "postgres", database: "postgres" }
    await Effect.runPromise(
      Effect.zipRight(migrate, migrateEngine).pipe(
        Effect.provide(
          DatabaseLayer.pipe(Layer.provideMerge(Layer.succeed(DatabaseLocation, { connection, poolSize: 2 })))
        )
      )
    )
    const dump = execFileSync(
      path.join(programs, "pg_dump"),
      ["--host", host, "--port", String(port), "--username", "postgres", "--no-owner", "--no-privileges"].concat([
        "--no-comments",
        "--inserts",
        "--rows-per-insert=100",
        "postgres"
      ]),
      { encoding: "utf8", maxBuffer: 1 << 28, cwd: servers.directory }
    )
    const schema = dump
      .split("\n")
      .filter((line) => !isNoise(line))
      .join("\n")
    const client = new pg.Client(connection)
    await client.connect()
    try {
      return await use({ schema: `${schema}\n`, client })
    } finally {
      await client.end()
    }
  } finally {
    servers.stop()
  }
}
