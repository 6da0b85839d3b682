import { randomBytes } from "node:crypto"
import { Effect, Layer } from "effect"
import pg from "pg"
import { inject } from "vitest"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Postgres/Database.ts"
import { type TestServer, templateDatabase } from "./postgres.ts"

const asAdmin = (server: TestServer, statement: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ ...server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  })

/** A migrated database of the test file's own, cloned from the template and dropped with the layer. */
export const TestDatabaseLocation = Layer.scoped(
  DatabaseLocation,
  Effect.gen(function* () {
    const server = inject("postgres")
    const database = `test_${randomBytes(8).toString("hex")}`
    yield* Effect.acquireRelease(asAdmin(server, `create database ${database} template ${templateDatabase}`), () =>
      asAdmin(server, `drop database if exists ${database} with (force)`)
    )
    return { connection: { host: server.host, port: server.port, user: server.user, database }, poolSize: 5 }
  })
)

/** The database layer (client, pools, unit of work) over a database of the test file's own. */
export const TestDatabase = DatabaseLayer.pipe(Layer.provideMerge(TestDatabaseLocation))
