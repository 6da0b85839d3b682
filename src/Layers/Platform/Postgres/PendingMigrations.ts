import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { planLines, planOf } from "../../../Services/Core/MigrationPlan.ts"
import type { Migration } from "./Migration.ts"
import { fromSql } from "./Sql.ts"

/** Returns the migrations that the database does not have yet. Nothing is changed. */
export const pendingMigrations = (migrations: ReadonlyArray<Migration>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [table] = yield* sql<{ readonly exists: boolean }>`
      select to_regclass('gateway_migration') is not null as exists`.pipe(fromSql())
    if (table?.exists !== true) return migrations
    const [applied] = yield* sql<{ readonly newest: number }>`
      select coalesce(max(migration_id), 0) as newest from gateway_migration`.pipe(fromSql())
    return migrations.slice(applied?.newest ?? 0)
  })

/** Returns a description of what `gateway migrate` would do. */
export const migrationPlan = (migrations: ReadonlyArray<Migration>) =>
  Effect.map(pendingMigrations(migrations), (steps) => planLines(planOf(steps)))
