import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { erasureLock } from "../Leads/Sql.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { type Calendar, figureNames } from "./DayFacts.ts"
import { figuresOf, groupColumnList, groupsOf, sums } from "./Figures.ts"
import { beginningOf, dayAfter, dayOf } from "./RolledDays.ts"

/**
 * What is younger is counted from its messages. Who changes what is older than an hour tells of it (`tellOfPast`); the rest
 * is for transactions that began before.
 */
const minutesLeftOut = 70

interface MadeDay {
  readonly until: number | null
  readonly is_stale: boolean
}

/** Counts a day on until an instant, or from its beginning where what was counted no longer holds. */
const countOn = (calendar: Calendar, day: string, until: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId, zone } = calendar
    yield* erasureLock(sql, accountId, "shared")
    yield* lockAccount(sql, accountId, "reports")
    // First, so that a mark which is written after this is not lost.
    const stale = yield* sql`
      delete from report_stale_day s where s.account_id = ${accountId} and s.day = ${day}::date and not exists (
        select from report_day d where d.account_id = ${accountId} and d.day = s.day and d.until is null)
      returning s.day`
    const [made] = yield* sql<MadeDay>`
      select (extract(epoch from until) * 1000)::float8 as until, zone <> ${zone} as is_stale from report_day
      where account_id = ${accountId} and day = ${day}::date`
    const holds = made !== undefined && !made.is_stale && stale.length === 0
    if (holds && (made.until === null || made.until >= until)) return
    const before = holds ? made.until : null
    const version = (millis: number | null) => sql`${millis === null ? null : fromMillis(millis)}::timestamptz`
    const ranges = [{ from: before ?? beginningOf(day, zone), to: until }]
    const figure = sql`figure = any (${[...figureNames]}::text[])`
    // A report that began before this one is committed reads the figures of the last time: only older ones go.
    const isOver = sql`account_id = ${accountId} and day between ${dayAfter(day, -1)}::date and ${day}::date
      and (until < ${version(made?.until ?? null)} or day = ${day}::date and until >= ${version(until)})`
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

/** Counts the day that is not over on, and the one before it as long as that is not finished. */
export const countRunningDays = (calendar: Calendar, now: number) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const { zone } = calendar
    const until = now - minutesLeftOut * 60_000
    const today = dayOf(until, zone)
    for (const day of [dayAfter(today, -1), today]) {
      yield* unit.write(countOn(calendar, day, Math.min(until, beginningOf(dayAfter(day, 1), zone))))
    }
  })
