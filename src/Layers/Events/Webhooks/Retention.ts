import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../../Services/Jobs/Task.ts"
import { recurring } from "../../Platform/Jobs/Recurring.ts"
import { handle } from "../../Platform/Jobs/TaskHandler.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

const dropOldDeliveries = Task.make("drop_old_webhook_deliveries", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "30 minutes"
})

/** Days for which the log of deliveries is kept. */
const keptDays = 30
const rowsPerStatement = 5_000

interface Dropped {
  readonly count: number
}

/**
 * Deletes old replays, then old deliveries and those of deleted subscriptions with their attempts, then the
 * subscriptions themselves.
 */
export const dropOld = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const dropped = unit
    .acrossAccounts(sql<Dropped>`
    with old as (
      (select account_id, webhook_delivery_id from webhook_delivery
        where created_at < instant() - make_interval(days => ${keptDays}) limit ${rowsPerStatement})
      union all
      (select d.account_id, d.webhook_delivery_id
        from webhook_subscription s join webhook_delivery d using (account_id, webhook_subscription_id)
        where s.deleted_at < instant() - interval '1 hour' limit ${rowsPerStatement})
    ), dropped as (
      delete from webhook_delivery d using old
      where d.account_id = old.account_id and d.webhook_delivery_id = old.webhook_delivery_id returning 1
    )
    select count(*) as count from dropped`)
    .pipe(fromSql(), Effect.map(single))
  yield* unit
    .acrossAccounts(sql`delete from webhook_replay where created_at < instant() - make_interval(days => ${keptDays})`)
    .pipe(fromSql())
  yield* Effect.repeat(dropped, { while: ({ count }) => count > 0 })
  yield* unit
    .acrossAccounts(sql`
    delete from webhook_subscription s where s.deleted_at < instant() - interval '1 hour' and not exists (
      select from webhook_delivery d
      where d.account_id = s.account_id and d.webhook_subscription_id = s.webhook_subscription_id)`)
    .pipe(fromSql())
})

export const webhookRetention = {
  handler: handle(dropOldDeliveries, () => dropOld),
  recurring: recurring("drop_old_webhook_deliveries", "41 3 * * *", dropOldDeliveries, {})
}
