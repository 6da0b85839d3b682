import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { inject } from "vitest"

/** The statements of the test file's database that wait for a lock now, on any node. */
export const lockWaits = Effect.flatMap(
  SqlClient,
  (sql) => sql`
    select 1 from ${sql.literal(inject("postgres").workerPorts.length > 0 ? "citus_stat_activity" : "pg_stat_activity")}
    where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`
)
