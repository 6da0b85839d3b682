import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { erasureLock } from "../Leads/Sql.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { type Calendar, figureNames } from "./DayFacts.ts"
import { figuresOf, groupColumnList, groupsOf, sums } from "./Figures.ts"
import { beginningOf, dayAfter, dayOf } from "./RolledDays.ts"

/**
 * Messages of these last minutes are counted directly. Changes older than an hour are recorded by `recordPastChange`.
 * The other ten minutes are for transactions that began earlier.
 */
const uncountedMinutes = 70

interface CountedDay {
  readonly until: number | null
  readonly is_stale: boolean
}

/** Continues the count of a day until an instant. Starts again if the earlier count is outdated. */
const continueCount = (calendar: Calendar, day: string, until: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId, zone } = calendar
    yield* erasureLock(sql, accountId, "shared")
    yield* lockAccount(sql, accountId, "reports")
    // The marks are deleted first, so that later marks are not lost.
    const stale = yield* sql`
      delete from report_stale_day s where s.account_id = ${accountId} and s.day = ${day}::date and not exists (
        select from report_day d where d.account_id = ${accountId} and d.day = s.day and d.until is null)
      returning s.day`
    const [countedDay] = yield* sql<CountedDay>`
      select (extract(epoch from until) * 1000)::float8 as until, zone <> ${zone} as is_stale from report_day
      where account_id = ${accountId} and day = ${day}::date`
    const isCurrent = countedDay !== undefined && !countedDay.is_stale && stale.length === 0
    if (isCurrent && (countedDay.until === null || countedDay.until >= until)) return
    const before = isCurrent ? countedDay.until : null
    const version = (millis: number | null) => sql`${millis === null ? null : fromMillis(millis)}::timestamptz`
    const ranges = [{ from: before ?? beginningOf(day, zone), to: until }]
    const figure = sql`figure = any (${[...figureNames]}::text[])`
    // A report that began before this commit still reads the previous figures, so only older ones are deleted.
    const isOver = sql`account_id = ${accountId} and day between ${dayAfter(day, -1)}::date and ${day}::date
      and (until < ${version(countedDay?.until ?? null)} or day = ${day}::date and until >= ${version(until)})`
    yield* sql`delete from report_figure where ${isOver} and ${figure}`
    yield* sql`delete from report_group where ${isOver}`
    yield* sql`
      insert into report_figure (account_id, figure, day, campaign_id, key, to_day, from_day, count, until)
      select ${accountId}, figure, day, campaign_id, key, to_day, from_day, sum(count), ${version(until)}
      from (
        select figure, day, campaign_id, key, to_day, from_day, count from report_figure
        where account_id = ${accountId} and day = ${day}::date and ${figure} and until = ${version(before)}
        union all
        select f.figure, f.day, f.campaign_id, f.key, f.to_day, f.from_day, f.count
        from (${figuresOf(sql, calendar, ranges, figureNames)}) f
      ) f group by 2, 3, 4, 5, 6, 7`
    yield* sql`
      insert into report_group (account_id, day, dimension, campaign_id, state, cnae, industry, from_day,
        ${sql.literal(groupColumnList)}, until)
      select ${accountId}, day, dimension, campaign_id, state, cnae, industry, from_day, ${sql.literal(sums("g"))},
        ${version(until)}
      from (
        select day, dimension, campaign_id, state, cnae, industry, from_day, ${sql.literal(groupColumnList)}
        from report_group where account_id = ${accountId} and day = ${day}::date and until = ${version(before)}
        union all
        select g.day, g.dimension, g.campaign_id, g.state, g.cnae, g.industry, g.from_day, ${sql.literal(groupColumnList)}
        from (${groupsOf(sql, calendar, ranges)}) g
      ) g group by 2, 3, 4, 5, 6, 7, 8`
    yield* sql`
      insert into report_day (account_id, day, zone, until, made_at)
      values (${accountId}, ${day}::date, ${zone}, ${version(until)}, instant())
      on conflict (account_id, day) do update
      set zone = excluded.zone, until = excluded.until, made_at = excluded.made_at`
  }).pipe(fromSql())

/** Updates the counts of the present day, and of the previous one until it is finished. */
export const countRunningDays = (calendar: Calendar, now: number) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const { zone } = calendar
    const until = now - uncountedMinutes * 60_000
    const today = dayOf(until, zone)
    for (const day of [dayAfter(today, -1), today]) {
      yield* unit.write(continueCount(calendar, day, Math.min(until, beginningOf(dayAfter(day, 1), zone))))
    }
  })
