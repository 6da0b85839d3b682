import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { startOfDay, wallClock } from "../../Services/Core/LocalTime.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { leadsWithChangedPast } from "../Leads/Sql.ts"
import { type Calendar, daysOfLeads, type TimeRange } from "./DayFacts.ts"

/** Consecutive days of an account's calendar, `YYYY-MM-DD`, both included. */
export interface DayRun {
  readonly first: string
  readonly last: string
}

/** Days with computed figures. `until` says how far an unfinished day is counted (Unix milliseconds). */
interface RolledRun extends DayRun {
  readonly until: number | null
}

/** The sources of figures for a period: roll-ups of days, and the messages themselves for the rest. */
export interface Coverage {
  readonly rolled: ReadonlyArray<RolledRun>
  readonly raw: ReadonlyArray<TimeRange>
}

/** If more leads changed, everything is counted again, because looking up their days takes longer. */
const maximumLeads = 1000

const utcOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
export const dayAfter = (day: string, days: number): string =>
  new Date(utcOf(day) + days * 86_400_000).toISOString().slice(0, 10)

export const dayOf = (millis: number, zone: string): string => {
  const { day, month, year } = wallClock(millis, zone)
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

/** The instant at which a day begins. */
export const beginningOf = (day: string, zone: string): number => {
  const date = new Date(utcOf(day))
  return startOfDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), zone)
}

/** The first day that begins within a range, and the day on which it ends. */
const daysOf = ({ from, to }: TimeRange, zone: string): DayRun => {
  const firstDay = dayOf(from, zone)
  return { first: beginningOf(firstDay, zone) === from ? firstDay : dayAfter(firstDay, 1), last: dayOf(to, zone) }
}

/** Returns the parts of a range outside the given days. */
const withoutDays = (
  { from, to }: TimeRange,
  runs: ReadonlyArray<RolledRun>,
  zone: string
): ReadonlyArray<TimeRange> => {
  const ranges: Array<TimeRange> = []
  let at = from
  for (const { first, last, until } of runs) {
    const begins = beginningOf(first, zone)
    if (begins > at) ranges.push({ from: at, to: begins })
    at = until ?? beginningOf(dayAfter(last, 1), zone)
  }
  if (to > at) ranges.push({ from: at, to })
  return ranges
}

/** Days whose roll-up is outdated: days of leads that changed in the past or were deleted. */
const staleDays = (sql: SqlClient, calendar: Calendar, accountId: AccountId) =>
  Effect.gen(function* () {
    const leads = yield* sql<{ readonly lead_id: number }>`
      select distinct lead_id from (${leadsWithChangedPast(sql, accountId, maximumLeads + 1)}) changed`
    if (leads.length > maximumLeads) return undefined
    const ids = leads.map(({ lead_id }) => lead_id)
    const ofLeads =
      ids.length === 0 ? sql`` : sql`union ${daysOfLeads(sql, calendar, sql`select unnest(${ids}::bigint[])`)}`
    return yield* sql<{ readonly day: string }>`
      select distinct d.day::text as day from (
        select day from report_stale_day where account_id = ${accountId} ${ofLeads}) d`
  })

/** Returns where to find the figures of a range. */
export const coverageOf = (sql: SqlClient, calendar: Calendar, range: TimeRange) =>
  Effect.gen(function* () {
    const { accountId, zone } = calendar
    const all: Coverage = { rolled: [], raw: range.to > range.from ? [range] : [] }
    const days = daysOf(range, zone)
    if (days.first > days.last) return all
    const stale = yield* staleDays(sql, calendar, accountId)
    if (stale === undefined) return all
    const rolled = yield* sql<RolledRun>`
      select min(day)::text as first, max(day)::text as last, (extract(epoch from until) * 1000)::float8 as until from (
        select day, until, day - (row_number() over (order by day))::int as run from report_day
        where account_id = ${accountId} and zone = ${zone} and day >= ${days.first}::date
          and (day < ${days.last}::date or day = ${days.last}::date and until <= ${fromMillis(range.to)})
          and day <> all (${stale.map(({ day }) => day)}::date[])
      ) days group by run, until order by 1`
    return { rolled, raw: withoutDays(range, rolled, zone) } satisfies Coverage
  })
