import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../../Services/Jobs/Task.ts"
import { recurring } from "../../Platform/Jobs/Recurring.ts"
import { handle } from "../../Platform/Jobs/TaskHandler.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

const dropExpired = Task.make("drop_expired_visits", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "10 minutes"
})

const tables = ["site_form_use", "site_form_count", "site_sign_in", "site_session"] as const
const rowsPerStatement = 5_000

/** Deletes expired rows: used renderings of forms, counts per network, codes, sessions. */
export const dropExpiredRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  for (const table of tables) {
    const dropped = unit
      .acrossAccounts(sql<{ readonly count: number }>`
      with dropped as (
        delete from ${sql(table)} where expires_at <= (
          select max(expires_at) from (
            select expires_at from ${sql(table)} where expires_at < instant() order by expires_at limit ${rowsPerStatement}
          ) oldest
        ) returning 1
      )
      select count(*)::int as count from dropped`)
      .pipe(fromSql(), Effect.map(single))
    yield* Effect.repeat(dropped, { while: ({ count }) => count >= rowsPerStatement })
  }
})

export const formExpiry = {
  handler: handle(dropExpired, () => dropExpiredRows),
  recurring: recurring("drop_expired_visits", "*/15 * * * *", dropExpired, {})
}
