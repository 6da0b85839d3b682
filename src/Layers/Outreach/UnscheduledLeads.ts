import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { maximumTouches } from "../../Services/Outreach/Cadence.ts"
import { scheduleUnscheduled } from "../Leads/Sql/Schedule.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher, wakeDispatcherForAll } from "../Prospecting/Sql.ts"

const reportUnscheduled = Task.make("report_unscheduled_leads", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Leads that one run handles. The next night handles more. */
const atATime = 1_000

/**
 * A gauge of leads in the pipeline without a next touch and without an open one, although their cadence has not ended
 * or an owner's answer waits for them. Such leads only exist after a bug. Pauses, a paused campaign or disabled
 * prospecting do not cause this, because they leave the next touch in place.
 */
export const unscheduledLeads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  return yield* unit
    .acrossAccounts(sql<{ readonly account_id: AccountId; readonly lead_id: LeadId }>`
    select l.account_id, l.lead_id from lead l
    where l.pipeline_state = 'in_pipeline' and l.next_touch_at is null and l.unsubscribed_at is null
      and (l.touch_count < ${sql.literal(String(maximumTouches))} or exists (
        select from lead_answer_delivery d join lead_answer a on a.account_id = d.account_id and a.answer_id = d.answer_id
        where d.account_id = l.account_id and d.lead_id = l.lead_id and d.status = 'queued'
          and (a.valid_until is null or a.valid_until > instant())))
      and not exists (select from touch t where t.account_id = l.account_id and t.lead_id = l.lead_id
        and t.status in ('writing', 'queued') and t.meeting_id is null)
      and uses_test_clock(l.account_id)
    order by l.account_id, l.lead_id limit ${atATime}`)
    .pipe(fromSql())
})

const accountsAtATime = 200

/**
 * Adds accounts with leads due today that the dispatch queue lacks, and returns how many. Nearly all are in it, so many
 * accounts are checked at once, also on a cluster.
 */
export const restoreDirectory = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const isOverdue = sql`l.pipeline_state = 'in_pipeline' and l.paused_at is null and l.unsubscribed_at is null
    and l.next_touch_at < instant() - interval '10 minutes'`
  let entered = 0
  let after = 0
  while (true) {
    const page = yield* sql<{ readonly accountId: AccountId; readonly isActive: boolean }>`
      select account_id as "accountId", is_prospecting_active as "isActive" from account
      where account_id > ${after} and clock is not distinct from test_clock()
      order by account_id limit ${accountsAtATime}`.pipe(fromSql())
    const last = page.at(-1)?.accountId
    if (last === undefined) return entered
    const active = page.filter(({ isActive }) => isActive).map(({ accountId }) => accountId)
    const forgotten = yield* unit
      .acrossAccounts(sql<{ readonly accountId: AccountId }>`
      select p.account_id as "accountId" from prospecting_config p
      where p.account_id = any (${active}::bigint[])
        and (exists (select from lead l where l.account_id = p.account_id and coalesce(l.campaign_id, 0) = 0 and ${isOverdue})
          or exists (select from campaign c
            join lead l on l.account_id = c.account_id and coalesce(l.campaign_id, 0) = c.campaign_id and ${isOverdue}
            where c.account_id = p.account_id and c.is_active and c.archived_at is null))
        and not exists (select from dispatch_queue d where d.account_id = p.account_id and d.due_at <= instant()
          + interval '2 minutes')`)
      .pipe(fromSql())
    yield* wakeDispatcherForAll(
      sql,
      unit,
      forgotten.map(({ accountId }) => ({ accountId, at: null }))
    )
    entered += forgotten.length
    after = last
  }
})

/** Reports every account with such leads to the operator, and makes the leads due again. */
const report = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unscheduled = yield* unscheduledLeads
  const byAccount = new Map<AccountId, Array<LeadId>>()
  for (const { account_id, lead_id } of unscheduled) {
    const leads = byAccount.get(account_id) ?? []
    byAccount.set(account_id, [...leads, lead_id])
  }
  for (const [accountId, leadIds] of byAccount) {
    yield* Effect.logError("leads in the pipeline were not scheduled").pipe(
      Effect.annotateLogs({ account_id: accountId, count: leadIds.length, lead_ids: leadIds.slice(0, 20) })
    )
    yield* scheduleUnscheduled(sql, accountId, leadIds)
    yield* wakeDispatcher(sql, accountId)
  }
  const unknown = yield* restoreDirectory
  if (unknown > 0) {
    yield* Effect.annotateLogs(Effect.logError("accounts with due leads were not in the directory"), "count", unknown)
  }
})

export const unscheduledLeadsReport = {
  handler: handle(reportUnscheduled, () => report),
  recurring: recurring("report_unscheduled_leads", "41 2 * * *", reportUnscheduled, {})
}
