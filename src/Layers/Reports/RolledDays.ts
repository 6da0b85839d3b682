import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { startOfDay, wallClock } from "../../Services/Core/LocalTime.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { leadsWithChangedPast } from "../Leads/Sql.ts"
import { type Calendar, daysOfLeads, type TimeRange } from "./DayFacts.ts"

/** Days of an account's calendar, `YYYY-MM-DD`, both included. */
export interface DayRun {
  readonly first: string
  readonly last: string
}

/** Days whose figures were made; of a day that is not over until when (Unix milliseconds). */
interface RolledRun extends DayRun {
  readonly until: number | null
}

/** Where the figures of a time are: in roll-ups of days, and for the rest in what they are made of. */
export interface Coverage {
  readonly rolled: ReadonlyArray<RolledRun>
  readonly raw: ReadonlyArray<TimeRange>
}

/** More leads whose past was changed than this: all is counted anew rather than their days looked for. */
const mostLeads = 1000

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

/** The first day that begins within a time, and the one on which it ends. */
const daysOf = ({ from, to }: TimeRange, zone: string): DayRun => {
  const begun = dayOf(from, zone)
  return { first: beginningOf(begun, zone) === from ? begun : dayAfter(begun, 1), last: dayOf(to, zone) }
}

/** What is left of a time once days are taken out of it. */
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

/** Days whose roll-up no longer holds: of leads whose past was changed, or that are not there any more. */
const staleDays = (sql: SqlClient, calendar: Calendar, accountId: AccountId) =>
  Effect.gen(function* () {
    const leads = yield* sql<{ readonly lead_id: number }>`
      select distinct lead_id from (${leadsWithChangedPast(sql, accountId, mostLeads + 1)}) changed`
    if (leads.length > mostLeads) return undefined
    const ids = leads.map(({ lead_id }) => lead_id)
    const ofLeads =
      ids.length === 0 ? sql`` : sql`union ${daysOfLeads(sql, calendar, sql`select unnest(${ids}::bigint[])`)}`
    return yield* sql<{ readonly day: string }>`
      select distinct d.day::text as day from (
        select day from report_stale_day where account_id = ${accountId} ${ofLeads}) d`
  })

/** Tells where to look for the figures of a time. */
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
