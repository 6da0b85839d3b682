import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import type { Metrics } from "../../Services/Reports/ReportModel.ts"
import { type Calendar, dayFacts, type FigureName, type TimeRange } from "./DayFacts.ts"
import { type Coverage, coverageOf, type DayRun } from "./RolledDays.ts"

/**
 * An account, optionally one campaign, and a time in Unix milliseconds. `from` and the second of `to` are included.
 */
export interface Window extends Calendar {
  readonly campaignId: CampaignId | undefined
  readonly from: number
  readonly to: number
}

export interface FigureRow {
  /** Null for figures that are not grouped by campaign, and for leads without one. */
  readonly campaign_id: CampaignId | null
  readonly figure: FigureName
  readonly key: string
  readonly day: string | null
  readonly count: number
}

/** The days of a figure with two days: `to_day` is among them, and `from_day` is before them. */
type Bounds = DayRun

const always: Bounds = { first: "0001-01-01", last: "9999-12-31" }

const inBounds = (sql: SqlClient, { first, last }: Bounds) =>
  sql`(to_day is null or to_day between ${first}::date and ${last}::date) and (from_day is null or from_day < ${first}::date)`

/**
 * SQL condition: a row belongs to the rolled-up days. The days are written into the statement, because for a join the
 * planner expects two rows and sorts the ten thousand rows of a year.
 */
const isOfDays = (sql: SqlClient, { rolled }: Coverage): Fragment => {
  const first = rolled.at(0)
  const last = rolled.at(-1)
  if (first === undefined || last === undefined) return sql`false`
  const runs = rolled.map(({ first, last, until }) =>
    until === null
      ? sql`(day between ${first}::date and ${last}::date and until is null)`
      : sql`(day = ${first}::date and until = ${fromMillis(until)}::timestamptz)`
  )
  return sql`day between ${first.first}::date and ${last.last}::date and ${sql.or(runs)}`
}

/** Milliseconds. In a shorter period, few of all leads occur, which the planner does not know. */
const longestToLookUp = 62 * 86_400_000

/**
 * Joins facts with their leads `l`. For a short time each lead is looked up by an index. A join would read a million
 * leads for the thousand of a day.
 */
const leadsOf = (sql: SqlClient, { accountId }: Calendar, ranges: ReadonlyArray<TimeRange>): Fragment =>
  ranges.reduce((sum, { from, to }) => sum + to - from, 0) <= longestToLookUp
    ? sql`cross join lateral (
        select o.campaign_id, o.state, o.cnae, o.industry from lead o
        where o.account_id = ${accountId} and o.lead_id = f.lead_id limit 1) l`
    : sql`join lead l on l.account_id = ${accountId} and l.lead_id = f.lead_id`

/**
 * Rows of campaign_id (0: none), figure, key, day, to_day, from_day, count: facts within ranges, by the leads' present
 * campaigns.
 */
export const figuresOf = (
  sql: SqlClient,
  calendar: Calendar,
  ranges: ReadonlyArray<TimeRange>,
  names: ReadonlyArray<FigureName>
): Fragment => sql`
  select coalesce(l.campaign_id, 0) as campaign_id, f.figure, f.key, f.day, f.to_day, f.from_day, sum(f.count) as count
  from (${dayFacts(sql, calendar, ranges, names)}) f ${leadsOf(sql, calendar, ranges)}
  group by 1, 2, 3, 4, 5, 6`

/** Reads figures without campaigns, so no lead is looked up. */
const figuresOfAll: typeof figuresOf = (sql, calendar, ranges, names) => sql`
  select 0::bigint, f.figure, f.key, f.day, f.to_day, f.from_day, sum(f.count)
  from (${dayFacts(sql, calendar, ranges, names)}) f group by 2, 3, 4, 5, 6`

/**
 * Rows of campaign_id (0: none), figure, key, day, to_day, from_day, count: roll-ups, and facts for the time that they
 * do not cover.
 */
export const countedFigures = (
  sql: SqlClient,
  window: Window,
  names: ReadonlyArray<FigureName>,
  figureRows: typeof figuresOf = figuresOf
) =>
  Effect.map(
    coverageOf(sql, window, { from: window.from, to: window.to + 1000 }),
    (coverage) => sql`
      select campaign_id, figure, key, day, to_day, from_day, count from report_figure
      where account_id = ${window.accountId} and figure = any (${[...names]}::text[]) and ${isOfDays(sql, coverage)}
      union all
      ${figureRows(sql, window, coverage.raw, names)}`
  )

/**
 * Reads sums of figures, grouped by campaign, kind or day as requested. `bounds` limits figures with two days. Without
 * it, all of their days count.
 */
export const figures = (
  sql: SqlClient,
  window: Window,
  names: ReadonlyArray<FigureName>,
  by: { readonly campaign?: boolean; readonly day?: boolean },
  bounds: Bounds = always
) =>
  Effect.gen(function* () {
    const { campaignId } = window
    const ofCampaign = campaignId === undefined ? sql`true` : sql`campaign_id = ${campaignId}`
    const counted = campaignId === undefined && by.campaign !== true ? figuresOfAll : figuresOf
    return yield* sql<FigureRow>`
      select ${sql.literal(by.campaign === true ? "nullif(campaign_id, 0)" : "null::bigint")} as campaign_id, figure, key,
        ${sql.literal(by.day === true ? "day::text" : "null::text")} as day, sum(count)::bigint as count
      from (
        ${yield* countedFigures(sql, window, names, counted)}
      ) f
      where figure = any (${[...names]}::text[]) and ${ofCampaign} and ${inBounds(sql, bounds)}
      group by 1, 2, 3, 4`
  })

/** The sum of the figures that pass the filter. */
export const sumOf = (
  rows: ReadonlyArray<FigureRow>,
  figure: FigureName,
  passes: (row: FigureRow) => boolean = () => true
): number => rows.reduce((sum, row) => (row.figure === figure && passes(row) ? sum + row.count : sum), 0)

/** The figures by which groups of leads are compared. */
const groupFigureNames = [
  "leads_generated",
  "leads_added",
  "emails_sent",
  "replies_received",
  "chatapp_sent",
  "chatapp_replies_received",
  "stage",
  "reached"
] as const satisfies ReadonlyArray<FigureName>

const groupColumns = [
  "new_leads",
  "referrals",
  "emails_sent",
  "responses",
  "chatapp_sent",
  "chatapp_responses",
  "aware",
  "interested",
  "reached"
] as const

export const groupColumnList: string = groupColumns.join(", ")
export const sums = (alias: string): string =>
  groupColumns.map((name) => `sum(${alias}.${name})::bigint as ${name}`).join(", ")

/** The groups of a lead: its state, and its sector. */
export const groupKeys = {
  state: "upper(nullif(trim(l.state), ''))",
  cnae: "nullif(trim(l.cnae), '')",
  industry: "nullif(trim(l.industry), '')"
}

/**
 * Rows of dimension (`state` or `sector`), campaign_id (0: none), state, cnae, industry, day, from_day and the figures
 * of groups.
 */
export const groupsOf = (sql: SqlClient, calendar: Calendar, ranges: ReadonlyArray<TimeRange>): Fragment => sql`
  select case when grouping(${sql.literal(groupKeys.state)}) = 0 then 'state' else 'sector' end as dimension,
    coalesce(l.campaign_id, 0) as campaign_id, ${sql.literal(groupKeys.state)} as state,
    ${sql.literal(groupKeys.cnae)} as cnae, ${sql.literal(groupKeys.industry)} as industry, f.day, f.from_day,
    ${sql.literal(sums("f"))}
  from (
    select lead_id, day, from_day,
      coalesce(sum(count) filter (where figure in ('leads_generated', 'leads_added')), 0) as new_leads,
      coalesce(sum(count) filter (where key = 'referred'), 0) as referrals,
      coalesce(sum(count) filter (where figure = 'emails_sent'), 0) as emails_sent,
      coalesce(sum(count) filter (where figure = 'replies_received'), 0) as responses,
      coalesce(sum(count) filter (where figure = 'chatapp_sent'), 0) as chatapp_sent,
      coalesce(sum(count) filter (where figure = 'chatapp_replies_received'), 0) as chatapp_responses,
      coalesce(sum(count) filter (where figure = 'stage' and key = 'aware'), 0) as aware,
      coalesce(sum(count) filter (where figure = 'stage' and key = 'interested'), 0) as interested,
      coalesce(sum(count) filter (where figure = 'reached'), 0) as reached
    from (${dayFacts(sql, calendar, ranges, groupFigureNames)}) fact group by 1, 2, 3
  ) f ${leadsOf(sql, calendar, ranges)}
  group by grouping sets (
    (coalesce(l.campaign_id, 0), ${sql.literal(groupKeys.state)}, f.day, f.from_day),
    (coalesce(l.campaign_id, 0), ${sql.literal(groupKeys.cnae)}, ${sql.literal(groupKeys.industry)}, f.day, f.from_day)
  )`

export interface GroupRow extends Omit<Metrics, `meetings_${string}` | "confirmed_aware_interested_or_taken_over"> {
  readonly dimension: "state" | "sector"
  readonly state: string | null
  readonly cnae: string | null
  readonly industry: string | null
  readonly reached: number
}

/** Figures by state and by sector. `from` is the beginning of a day. */
export const groups = (sql: SqlClient, window: Window, firstDay: string) =>
  Effect.gen(function* () {
    const { accountId, campaignId } = window
    const coverage = yield* coverageOf(sql, window, { from: window.from, to: window.to + 1000 })
    return yield* sql<GroupRow>`
      select dimension, state, cnae, industry, ${sql.literal(sums("g"))}
      from (
        select dimension, campaign_id, state, cnae, industry, day, from_day, ${sql.literal(groupColumnList)}
        from report_group where account_id = ${accountId} and ${isOfDays(sql, coverage)}
        union all
        ${groupsOf(sql, window, coverage.raw)}
      ) g
      where ${campaignId === undefined ? sql`true` : sql`campaign_id = ${campaignId}`}
        and (from_day is null or from_day < ${firstDay}::date)
      group by 1, 2, 3, 4`
  })
