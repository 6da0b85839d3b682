import { randomBytes } from "node:crypto"
import { Effect, Layer } from "effect"
import pg from "pg"
import { inject } from "vitest"
import { TenantUsage } from "../../src/Layers/Platform/Fairness/TenantUsage.ts"
import {
  DatabaseLayer,
  DatabaseLocation,
  DatabaseOnPools,
  poolsLayer
} from "../../src/Layers/Platform/Postgres/Database.ts"
import { EarlyServices } from "./EarlyServices.ts"
import { isCluster } from "./isCluster.ts"
import { type TestServer, templateDatabase } from "./postgres.ts"

/** A cluster's maintenance may reconnect while a database is dropped. */
const isInUse = (failure: unknown): boolean => failure instanceof pg.DatabaseError && failure.code === "55006"
const mostTries = 5

const runUntilFree = async (client: pg.Client, statement: string, tries: number): Promise<void> => {
  try {
    await client.query(statement)
  } catch (failure) {
    if (tries === 1 || !isInUse(failure)) throw failure
    await runUntilFree(client, statement, tries - 1)
  }
}

/** On the workers first, because the coordinator's database refers to theirs. */
const asAdmin = ({ database, host, port, user, workerPorts }: TestServer, statement: string) =>
  Effect.promise(async () => {
    for (const each of [...workerPorts, port]) {
      const client = new pg.Client({ host, port: each, user, database })
      await client.connect()
      try {
        await runUntilFree(client, statement, mostTries)
      } finally {
        await client.end()
      }
    }
  })

/** The databases of the test accounts that its gateway made. They are on the coordinator of a cluster. */
const dropTestAccounts = ({ database: admin, host, port, user }: TestServer, database: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ host, port, user, database: admin })
    await client.connect()
    try {
      const { rows } = await client.query<{ readonly name: string }>(
        "select datname as name from pg_database where datname like $1",
        [`${database}_test_%`]
      )
      for (const { name } of rows) await client.query(`drop database if exists "${name}" with (force)`)
    } finally {
      await client.end()
    }
  })

/**
 * Gives the test file's gateway a template for the databases of test accounts, which it else makes itself from all
 * migrations.
 */
export const testAccountTemplate = Layer.effectDiscard(
  Effect.flatMap(DatabaseLocation, ({ connection: { database } }) =>
    // On a cluster, the tests' template is distributed, and databases of test accounts are not.
    isCluster
      ? Effect.void
      : asAdmin(
          inject("postgres"),
          `create database ${database}_test_template template ${templateDatabase} strategy file_copy`
        )
  )
)

const databaseFrom = (template: string) =>
  Effect.gen(function* () {
    const server = inject("postgres")
    const { host, port, user } = server
    const database = `test_${randomBytes(8).toString("hex")}`
    // Copying the files takes half the time of writing each page to the log.
    yield* Effect.acquireRelease(
      asAdmin(server, `create database ${database} template ${template} strategy file_copy`),
      () =>
        Effect.zipRight(
          dropTestAccounts(server, database),
          asAdmin(server, `drop database if exists ${database} with (force)`)
        )
    )
    return { host, port, user, database }
  })

/** At the newest version. */
export const clonedDatabase = databaseFrom(templateDatabase)

/** Without any table. */
export const emptyDatabase = databaseFrom("template0")

/** A migrated database for the test file, cloned from the template and dropped with the layer. */
export const TestDatabaseLocation = Layer.scoped(
  DatabaseLocation,
  // A test's long transaction on a slow machine must not count as delaying other accounts.
  Effect.map(clonedDatabase, (connection) => ({ connection, poolSize: 5, use: new TenantUsage(() => 0) }))
)

/** The same for a separate process, as its `DATABASE_URL`. */
export const testDatabaseUrl = Effect.map(
  clonedDatabase,
  ({ database, host, port, user }) => `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
)

/**
 * The database layer (client, pools, unit of work) over the test file's database, with the services that need nothing
 * else.
 */
export const TestDatabase = EarlyServices.pipe(
  Layer.provideMerge(DatabaseLayer),
  Layer.provideMerge(TestDatabaseLocation)
)

/** The same with sessions whose time is `now`, also on each node of a cluster. */
export const databaseOfTime = (now: () => string) =>
  EarlyServices.pipe(
    Layer.provideMerge(DatabaseOnPools),
    Layer.provideMerge(poolsLayer({ now })),
    Layer.provideMerge(TestDatabaseLocation)
  )
