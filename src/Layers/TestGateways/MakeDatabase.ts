import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { migrate } from "../App.ts"
import { advisoryLock, DatabaseLayer, DatabaseLocation } from "../Platform/Postgres/Database.ts"
import { atDatabase } from "../Platform/Postgres/pool/Pool.ts"
import { single } from "../Platform/Postgres/Sql.ts"
import { testTemplateName } from "../TestAccounts/TestDatabases.ts"

/** The key of the advisory lock that is held while a database is made. */
const makingLock = 7_236_002

const exists = (sql: SqlClient, database: string) =>
  Effect.map(sql`select from pg_database where datname = ${database}`, (rows) => rows.length > 0)

/** Creates an empty database with the same settings as the gateway's, regardless of the server's defaults. */
const makeEmpty = (sql: SqlClient, database: string) =>
  Effect.gen(function* () {
    const rows = yield* sql<{ readonly encoding: string; readonly collate: string; readonly ctype: string }>`
      select pg_encoding_to_char(encoding)::text as encoding, datcollate as "collate", datctype as ctype
      from pg_database where datname = current_database()`
    const { collate, ctype, encoding } = single(rows)
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
    yield* sql.unsafe(
      `create database "${database}" template template0 encoding ${quoted(encoding)} lc_collate ${quoted(collate)} lc_ctype ${quoted(ctype)}`
    )
  })

/** Applies all migrations to the template. It is closed again, because a template in use cannot be copied. */
const updateTemplate = (template: string) =>
  Effect.flatMap(DatabaseLocation, ({ connection }) =>
    Effect.provide(
      migrate,
      Layer.fresh(DatabaseLayer).pipe(
        Layer.provide(Layer.succeed(DatabaseLocation, { connection: atDatabase(connection, template), poolSize: 1 }))
      )
    )
  )

/** Creates the database of a test account if it does not exist. Concurrent processes wait for each other. */
export const makeTestDatabase = (database: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    if (yield* exists(sql, database)) return
    yield* advisoryLock(makingLock)
    if (yield* exists(sql, database)) return
    const rows = yield* sql<{ readonly name: string }>`select current_database()::text as name`
    const template = testTemplateName(single(rows).name)
    if (!(yield* exists(sql, template))) yield* makeEmpty(sql, template)
    yield* updateTemplate(template)
    // Copying the files takes half the time of writing each page to the log.
    yield* sql.unsafe(`create database "${database}" template "${template}" strategy file_copy`)
  }).pipe(Effect.scoped)
