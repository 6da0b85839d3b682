import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { isCluster } from "../isCluster.ts"

/** Whether a statement on the test file's database currently waits for another session's lock, on any node. */
export const isLockAwaited = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql`
      select 1 from ${sql.literal(isCluster ? "citus_stat_activity" : "pg_stat_activity")}
      where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`,
    (waiting) => waiting.length > 0
  )
)
