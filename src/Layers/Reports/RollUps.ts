import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Clock, Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { queueRollUps, queueRunningDays, rollUpReports } from "../../Services/Reports/RollUpTasks.ts"
import { erasureLock, followPast, isPastFollowed, takeLeadsWithChangedPast } from "../Leads/Sql.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { type Calendar, daysOfLeads, figureNames } from "./DayFacts.ts"
import { figuresOf, groupColumnList, groupsOf } from "./Figures.ts"
import { byTime, stageEvents } from "./ReportFacts.ts"
import { beginningOf, dayAfter, dayOf } from "./RolledDays.ts"
import { countRunningDays } from "./RunningDay.ts"

/** Accounts with fewer leads are counted from their messages in milliseconds. */
const minimumLeads = 1000
/** Hours after which transactions that began before the end of a day have committed. */
const hoursToFinish = 2
/** A day is counted again this many days later, in case a change was not recorded. */
const daysToSettle = [3, 14]
const marksAtOnce = 2000
/** Accounts with this many leads have the present day counted every ten minutes instead of every hour. */
const manyLeads = 20_000

/** Days per transaction, so that each takes about a second. */
const daysAtOnce = (leads: number): number => (leads > 400_000 ? 1 : leads > 100_000 ? 2 : leads > 10_000 ? 10 : 60)

/**
 * Computes the roll-ups of days in a separate transaction. Changes in the meantime mark the days as outdated again.
 */
const rollUpDays = (calendar: Calendar, days: ReadonlyArray<string>, now: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId, zone } = calendar
    const ofDays = (column: string) => sql`${sql.literal(column)} = any (${[...days]}::date[])`
    yield* erasureLock(sql, accountId, "shared")
    yield* lockAccount(sql, accountId, "reports")
    // The marks are deleted first, so that later marks are not lost. Their changes may not be visible to the statements
    // below.
    yield* sql`delete from report_stale_day where account_id = ${accountId} and ${ofDays("day")}`
    // Partial counts of the day are kept for a while, for reports that already chose to use them.
    const isOver = sql`${ofDays("day")} and (until is null or until < ${fromMillis(now - 86_400_000)}::timestamptz)`
    yield* sql`
      delete from report_figure where account_id = ${accountId} and figure = any (${[...figureNames]}::text[]) and ${isOver}`
    yield* sql`delete from report_group where account_id = ${accountId} and ${isOver}`
    const ranges = days.map((day) => ({ from: beginningOf(day, zone), to: beginningOf(dayAfter(day, 1), zone) }))
    yield* sql`
      insert into report_figure (account_id, figure, day, campaign_id, key, to_day, from_day, count)
      select ${accountId}, f.figure, f.day, f.campaign_id, f.key, f.to_day, f.from_day, f.count
      from (${figuresOf(sql, calendar, ranges, figureNames)}) f`
    yield* sql`
      insert into report_group (account_id, day, dimension, campaign_id, state, cnae, industry, from_day,
        ${sql.literal(groupColumnList)})
      select ${accountId}, g.day, g.dimension, g.campaign_id, g.state, g.cnae, g.industry, g.from_day,
        ${sql.literal(groupColumnList)}
      from (${groupsOf(sql, calendar, ranges)}) g`
    yield* sql`
      insert into report_day (account_id, day, zone, made_at)
      select ${accountId}, d.day, ${zone}, instant() from unnest(${[...days]}::date[]) d (day)
      on conflict (account_id, day) do update set zone = excluded.zone, until = null, made_at = excluded.made_at`
  }).pipe(fromSql())

/** Marks the days of changed leads as outdated. */
const markDays = (calendar: Calendar) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = calendar
    const leads = yield* takeLeadsWithChangedPast(sql, accountId, marksAtOnce)
    if (leads.length > 0) {
      yield* sql`
        insert into report_stale_day (account_id, day)
        select ${accountId}, d.day from (${daysOfLeads(sql, calendar, sql`select unnest(${leads}::bigint[])`)}) d`
    }
    return leads.length
  }).pipe(fromSql())

/**
 * Computes missing and outdated roll-ups of finished days, and updates the present day. Returns how many finished days
 * it computed.
 */
export const rollUp = (accountId: AccountId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const accounts = yield* sql<{ readonly zone: string; readonly isNew: boolean; readonly leads: number }>`
      select a.time_zone as zone, not ${isPastFollowed(sql, accountId)} as "isNew",
        (select coalesce(sum(c.change), 0)::bigint from lead_counter c where c.account_id = ${accountId}) as leads
      from account a where a.account_id = ${accountId}`.pipe(fromSql())
    const account = accounts[0]
    if (account === undefined) return 0
    const calendar: Calendar = { accountId, zone: account.zone }
    // Changes are recorded from now on. Transactions in progress do not record them yet, so the days wait for the next
    // run.
    if (account.isNew) {
      yield* unit.write(followPast(sql, accountId))
      return 0
    }
    while ((yield* unit.write(markDays(calendar))) === marksAtOnce);
    const now = yield* Clock.currentTimeMillis
    const last = dayAfter(dayOf(now - hoursToFinish * 3_600_000, calendar.zone), -1)
    const due = yield* sql<{ readonly day: string }>`
      select d.day::date::text as day
      from generate_series((
          select least(
            (select min(created_at) from lead where account_id = ${accountId}),
            (select min(occurred_at) from email_message where account_id = ${accountId}),
            (select min(occurred_at) from chatapp_message where account_id = ${accountId}),
            (select min(created_at) from lead_lifecycle_event where account_id = ${accountId}
              and event_type in (${sql.literal(stageEvents)}) and ${sql.literal(byTime("created_at"))})
          ) at time zone ${calendar.zone})::date, ${last}::date, interval '1 day') d (day)
        left join report_day r on r.account_id = ${accountId} and r.day = d.day::date
      where r.day is null or r.until is not null or r.zone <> ${calendar.zone}
        or exists (select from report_stale_day s where s.account_id = ${accountId} and s.day = r.day)
        or exists (select from unnest(${daysToSettle}::int[]) after (days)
          where r.made_at < (r.day + 1 + after.days) and instant() >= (r.day + 1 + after.days))
      order by 1 desc limit 4000`.pipe(fromSql())
    for (const days of Array.chunksOf(due, daysAtOnce(account.leads))) {
      yield* unit.write(
        rollUpDays(
          calendar,
          days.map(({ day }) => day),
          now
        )
      )
    }
    yield* countRunningDays(calendar, now)
    return due.length
  }).pipe(Effect.withSpan("Reports.rollUp", { attributes: { accountId } }))

/** Queues the roll-ups of large accounts. With `ofAll` false, only of those that have roll-ups. */
const queueDue = (ofAll: boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const tasks = yield* TaskQueue
    const due = yield* unit
      .acrossAccounts(sql<{ readonly accountId: AccountId }>`
      select a.account_id as "accountId" from ${sql.literal(ofAll ? "prospecting_config" : "lead_past_follower")} a
      where uses_test_clock(a.account_id) and (
        select coalesce(sum(c.change), 0) from lead_counter c where c.account_id = a.account_id
      ) >= ${ofAll ? minimumLeads : manyLeads}
      order by a.account_id`)
      .pipe(fromSql())
    yield* tasks.enqueueMany(
      rollUpReports,
      due.map((payload) => ({ payload, jobKey: `roll_up_reports:${payload.accountId}` }))
    )
  })

/** Deletes all roll-ups, so that they are computed again. Until then, reports count messages directly. */
export const deleteRollUps = (accountId: AccountId | undefined) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tasks = yield* TaskQueue
    const accounts = yield* sql<{ readonly accountId: AccountId }>`
      select p.account_id as "accountId" from prospecting_config p
      where ${accountId === undefined ? sql`exists (select from report_day d where d.account_id = p.account_id)` : sql`p.account_id = ${accountId}`}
      order by 1`.pipe(fromSql())
    for (const { accountId } of accounts) {
      yield* sql`delete from report_day where account_id = ${accountId}`.pipe(fromSql())
    }
    yield* tasks.enqueueMany(
      rollUpReports,
      accounts.map((payload) => ({ payload, jobKey: `roll_up_reports:${payload.accountId}` }))
    )
    return accounts.length
  })

export const rollUpTasks = [
  handle(queueRollUps, () => queueDue(true)),
  handle(queueRunningDays, () => queueDue(false)),
  handle(rollUpReports, ({ accountId }) => rollUp(accountId))
]

export const rollUpRecurring = [
  recurring("queue_roll_ups", "35 * * * *", queueRollUps, {}),
  recurring("queue_running_days", "*/10 * * * *", queueRunningDays, {})
]
