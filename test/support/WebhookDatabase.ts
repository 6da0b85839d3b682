import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Postgres/Database.ts"
import webhooks from "../../src/Layers/Postgres/migrations/0004_webhooks.ts"
import { TestDatabaseLocation } from "./TestDatabase.ts"

const migrated = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly is_there: boolean }>`select to_regclass('webhook_attempt') is not null as is_there`
  if (rows[0]?.is_there !== true) yield* webhooks
})

const Location = Layer.map(TestDatabaseLocation, (context) =>
  Context.add(context, DatabaseLocation, { ...Context.get(context, DatabaseLocation), poolSize: 24 })
)

/** A database of the test file's own with the tables of webhooks. */
export const WebhookDatabase = Layer.effectDiscard(migrated).pipe(
  Layer.provideMerge(DatabaseLayer),
  Layer.provideMerge(Location)
)
