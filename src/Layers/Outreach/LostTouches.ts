import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { composeTouch, type Touch } from "../../Services/Outreach/TouchTasks.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"

const restoreTouches = Task.make("restore_lost_touches", { payload: Schema.Struct({}), maxAttempts: 3 })

const atATime = 500

/**
 * Retries touches whose task has used up its attempts before the message was written. After a day, the touch fails and
 * its lead is due again. Until then, the open touch prevents another claim of the lead.
 */
const restore = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tasks = yield* TaskQueue
  const unit = yield* UnitOfWork
  const lostTouches = yield* unit
    .acrossAccounts(sql<{ readonly accountId: AccountId }>`
    update touch set status = 'failed', reason = 'not_written', finished_at = instant()
    where status = 'writing' and created_at < instant() - interval '1 day' and uses_test_clock(account_id)
    returning account_id as "accountId"`)
    .pipe(fromSql())
  for (const accountId of new Set(lostTouches.map(({ accountId }) => accountId))) yield* wakeDispatcher(sql, accountId)
  yield* unit.write(
    Effect.gen(function* () {
      const lost = yield* unit
        .acrossAccounts(sql<Touch>`
        select account_id as "accountId", lead_id as "leadId", touch_id as "touchId" from touch
        where status = 'writing' and created_at < instant() - interval '1 hour' and uses_test_clock(account_id)
        order by created_at limit ${atATime}`)
        .pipe(fromSql())
      yield* tasks.enqueueMany(
        composeTouch,
        lost.map((payload) => ({ payload, jobKey: `compose_touch:${payload.accountId}:${payload.touchId}` }))
      )
    })
  )
})

export const lostTouches = {
  handler: handle(restoreTouches, () => restore),
  recurring: recurring("restore_lost_touches", "*/20 * * * *", restoreTouches, {})
}
