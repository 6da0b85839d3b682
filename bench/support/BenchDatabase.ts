import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import pg from "pg"
import { migrate } from "../../src/Layers/App.ts"
import {
  acquire,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions
} from "../../src/Layers/Platform/EmbeddedPostgres.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import type { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"

/** A database on the benchmark's server. */
export interface BenchDatabase {
  /** As `DATABASE_URL` takes it. */
  readonly url: string
  readonly client: pg.Client
  /** The same for code that runs in the benchmark's process. */
  readonly layer: Layer.Layer<SqlClient | UnitOfWork, unknown>
}

/** A separate server in a temporary directory, with the gateway's settings, so that it is as durable. */
export const startServerWith = (settings: NonNullable<EmbeddedPostgresOptions["settings"]>) =>
  Effect.gen(function* () {
    const dataDir = yield* Effect.acquireRelease(
      Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "gateway-bench-"))),
      (directory) => Effect.promise(() => fs.rm(directory, { recursive: true, force: true }))
    )
    return yield* acquire({ dataDir: path.join(dataDir, "postgres"), settings })
  })

export const startServer = startServerWith({})

/** The same for benchmarks that only measure reads, whose data need not be durable. */
export const startReadServer = startServerWith({
  fsync: false,
  full_page_writes: false,
  wal_level: "minimal",
  max_wal_senders: 0,
  max_wal_size: "4GB"
})

const connect = (connection: pg.ClientConfig) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ ...connection, application_name: "benchmark" })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

interface Server {
  readonly database: string
  readonly forDatabase: (database: string) => Omit<ReturnType<EmbeddedPostgres["forDatabase"]>, "ssl">
}

/** A server on the loopback address that is already running, whose superuser needs no password. */
export const serverAt = ({ host, port }: { readonly host: string; readonly port: number }): Server => {
  const forDatabase = (database: string) => ({ host, port, user: "postgres", database })
  return { database: "postgres", forDatabase }
}

/** Creates an empty database, or a copy of another one without open sessions. */
export const createDatabase = (server: Server, name: string, template = "template1") =>
  Effect.scoped(
    Effect.flatMap(connect({ ...server.forDatabase(server.database) }), (admin) =>
      Effect.promise(() => admin.query(`create database ${name} template ${template}`))
    )
  )

/** Opens an existing database. */
export const openDatabase = (server: Server, name: string) =>
  Effect.gen(function* () {
    const { database, host, port, user } = server.forDatabase(name)
    const location = Layer.succeed(DatabaseLocation, { connection: { database, host, port, user }, poolSize: 2 })
    const client = yield* connect({ database, host, port, user })
    return {
      client,
      layer: DatabaseLayer.pipe(Layer.provide(location)),
      url: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    } satisfies BenchDatabase
  })

/** Makes a database with the gateway's tables in it. */
export const makeDatabase = (server: Server, name: string) =>
  Effect.gen(function* () {
    yield* createDatabase(server, name)
    const { database, host, port, user } = server.forDatabase(name)
    const location = Layer.succeed(DatabaseLocation, { connection: { database, host, port, user }, poolSize: 2 })
    yield* Effect.zipRight(migrate, migrateEngine).pipe(
      Effect.provide(DatabaseLayer.pipe(Layer.provideMerge(location)))
    )
    return yield* openDatabase(server, name)
  })
