import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { AccountId } from "../../Services/Accounts/Ids.ts"
import { daysOfVerdict } from "../../Services/Companies/EmailCheck.ts"
import { LeadGeneration } from "../../Services/Companies/LeadGeneration.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { instantOf, wallClock } from "../../Services/Core/LocalTime.ts"
import { fromMillis, now, toMillis } from "../../Services/Core/Timestamp.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const acquireLeads = Task.make("acquire_leads", {
  payload: Schema.Struct({ accountId: AccountId }),
  pool: "long",
  maxAttempts: 5,
  timeout: "20 minutes"
})

const findAccounts = Task.make("find_accounts_to_acquire_for", { payload: Schema.Struct({}), maxAttempts: 3 })

/** The number of accounts that are queued by one run. The next run finds the rest. */
const atATime = 500

/** Local hours in which new leads arrive, so that they are contacted in the same day's send window. */
const firstHour = 5
const spreadMinutes = 120

/** Returns a time on the next morning. The minute differs between accounts. */
const nextMorning = (accountId: AccountId, millis: number, zone: string): number => {
  const { day, month, year } = wallClock(millis, zone)
  const minute = (accountId * 37) % spreadMinutes
  return instantOf(year, month, day + 1, firstHour, minute, zone)
}

/** Whether the targeting of `t` names companies, by the same rule as `namesCompanies`. */
const namesCompanies = `(cardinality(t.cnae_filter) + cardinality(t.uf_filter) + cardinality(t.city_filter)
  + cardinality(t.company_size_filter) + cardinality(t.company_audience_filter) > 0
  or num_nonnulls(t.min_employee_count, t.max_employee_count, t.min_annual_revenue, t.max_annual_revenue,
    t.min_founding_date, t.max_founding_date) > 0)`

/** Queues accounts that are due. An account without new companies is tried again within the hour. */
export const queueAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const queue = yield* TaskQueue
  const unit = yield* UnitOfWork
  yield* unit.write(
    Effect.gen(function* () {
      const due = yield* unit
        .acrossAccounts(sql<{ readonly accountId: AccountId }>`
        select a.account_id as "accountId" from prospecting_config p join account a on a.account_id = p.account_id
        left join lead_generation_run r on r.account_id = p.account_id
        where a.is_prospecting_active and a.clock is not distinct from test_clock()
          and coalesce(r.next_at, '-infinity') <= instant()
          and p.mode = 'Active'
          -- Most accounts say nothing of which companies they want: for them nothing more is asked.
          and (exists (select from prospecting_config t where t.account_id = p.account_id and ${sql.literal(namesCompanies)})
            or exists (select from campaign t where t.account_id = p.account_id and t.archived_at is null
              and t.is_active and t.lead_generation_active and ${sql.literal(namesCompanies)}))
        order by r.next_at nulls first, a.account_id limit ${atATime}`)
        .pipe(fromSql())
      if (due.length === 0) return
      const accountIds = due.map(({ accountId }) => accountId)
      yield* sql`
        insert into lead_generation_run (account_id, next_at)
        select account_id, instant() + interval '1 hour' from unnest(${accountIds}::bigint[]) as account_id
        on conflict (account_id) do update set next_at = excluded.next_at`.pipe(fromSql())
      yield* queue.enqueueMany(
        acquireLeads,
        accountIds.map((accountId) => ({ payload: { accountId }, jobKey: `acquire_leads:${accountId}` }))
      )
    })
  )
  yield* sql`
    delete from mail_domain where checked_at < instant() - make_interval(days => ${2 * daysOfVerdict.takes_mail})`.pipe(
    fromSql()
  )
}).pipe(Effect.withSpan("LeadGeneration.queueAccounts"))

/** Acquires the day's leads. The account is due again the next morning. */
export const acquireFor = Effect.fnUntraced(function* (accountId: AccountId) {
  const sql = yield* SqlClient
  const generation = yield* LeadGeneration
  const acquired = yield* generation.acquire(accountId)
  if (acquired === 0) return
  const rows = yield* sql<{ readonly zone: string }>`
    select time_zone as zone from account where account_id = ${accountId}`.pipe(fromSql())
  const nextAt = fromMillis(nextMorning(accountId, toMillis(yield* now), single(rows).zone))
  yield* sql`
    update lead_generation_run set next_at = ${nextAt}::timestamptz where account_id = ${accountId}`.pipe(fromSql())
})

export const generationTasks = [
  handle(findAccounts, () => queueAccounts),
  handle(acquireLeads, ({ accountId }) => acquireFor(accountId))
]
export const generationRecurring = [recurring("find_accounts_to_acquire_for", "*/10 * * * *", findAccounts, {})]
