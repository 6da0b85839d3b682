import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { type FunnelRow, industryFunnel, metricsByGroup, noMetrics } from "../../Services/Reports/GroupFigures.ts"
import type {
  IndustryFunnel,
  Metrics,
  MetricsByStateAndIndustry,
  ProspectingReport
} from "../../Services/Reports/ReportModel.ts"
import { percent } from "../../Services/Reports/ReportWindow.ts"
import type { Language } from "../../Services/Text/Language.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { figures, type GroupRow, groupKeys, groups, sumOf, type Window } from "./Figures.ts"
import { makeFacts } from "./ReportFacts.ts"

interface MeetingRow extends Pick<Metrics, `meetings_${keyof MeetingCounts}`> {
  readonly state: string | null
  readonly cnae: string | null
  readonly industry: string | null
}

interface MeetingCounts {
  readonly booked: number
  readonly cancelled: number
  readonly held: number
  readonly no_show: number
}

/** Meetings in the window. They are counted directly, because there are few and attendance is recorded days later. */
const meetingsOf = (sql: SqlClient, window: Window) => {
  const { ofLead, within } = makeFacts(sql, window)
  return sql<MeetingRow>`
    select ${sql.literal(groupKeys.state)} as state, ${sql.literal(groupKeys.cnae)} as cnae,
      ${sql.literal(groupKeys.industry)} as industry,
      count(*) filter (where ${within("m.created_at")}) as meetings_booked,
      count(*) filter (where ${within("m.cancelled_at")}) as meetings_cancelled,
      count(*) filter (where m.status = 'held' and ${within("m.starts_at")}) as meetings_held,
      count(*) filter (where m.status = 'no_show' and ${within("m.starts_at")}) as meetings_no_show
    from (
      select lead_id, created_at, cancelled_at, starts_at, status from meeting
      where account_id = ${window.accountId} and ${within("created_at")}
      union
      select lead_id, created_at, cancelled_at, starts_at, status from meeting
      where account_id = ${window.accountId} and ${within("starts_at")}
      union
      select lead_id, created_at, cancelled_at, starts_at, status from meeting
      where account_id = ${window.accountId} and ${within("cancelled_at")}
    ) m cross join lateral (
      select o.account_id, o.campaign_id, o.state, o.cnae, o.industry from lead o
      where o.account_id = ${window.accountId} and o.lead_id = m.lead_id limit 1) l
    where ${ofLead} group by 1, 2, 3`
}

/** Figures by the leads' states and sectors. Each lead belongs to one state and one sector, so sums count it once. */
export const metricsByStateAndIndustry = (
  sql: SqlClient,
  window: Window,
  { days, firstDay, language }: { readonly days: number; readonly firstDay: string; readonly language: Language }
): Effect.Effect<MetricsByStateAndIndustry, Transient> =>
  Effect.gen(function* () {
    const rows = (yield* groups(sql, window, firstDay)).map(({ reached, ...row }) => ({
      ...noMetrics,
      ...row,
      confirmed_aware_interested_or_taken_over: reached
    }))
    const meetings = (yield* meetingsOf(sql, window)).map((row) => ({ ...noMetrics, ...row }))
    const of = (requestedDimension: GroupRow["dimension"]) => [
      ...rows.filter(({ dimension }) => dimension === requestedDimension),
      ...meetings
    ]
    return metricsByGroup(of("state"), of("sector"), { days, language })
  }).pipe(fromSql())

/** Leads as they are now, from the counters of leads. */
const presentLeads = (sql: SqlClient, accountId: AccountId, campaignId: CampaignId | undefined) =>
  sql`c.account_id = ${accountId} and ${campaignId === undefined ? sql`true` : sql`c.campaign_id = ${campaignId}`}`

export const funnelByIndustry = (
  sql: SqlClient,
  { accountId, campaignId }: { readonly accountId: AccountId; readonly campaignId: CampaignId | undefined },
  languageOptions: { readonly isBrazilian: boolean; readonly language: Language }
): Effect.Effect<IndustryFunnel, Transient> => {
  const sum = (passes: string) => sql.literal(`coalesce(sum(c.change) filter (where ${passes}), 0)::bigint`)
  return sql<FunnelRow>`
    select ${sql.literal(languageOptions.isBrazilian ? "c.division" : "null")} as cnae,
      ${sql.literal(languageOptions.isBrazilian ? "null" : "c.industry")} as industry, ${sum("true")} as total,
      ${sum("c.is_contacted")} as contacted, ${sum("c.has_written")} as replied,
      ${sum("c.is_contacted and c.has_written")} as contacted_replied, ${sum("c.was_interested")} as interested,
      ${sum("c.is_contacted and c.was_interested")} as contacted_interested,
      ${sum("c.status = 'Closed' or c.final_outcome is not null")} as closed, ${sum("c.final_outcome = 'won'")} as won
    from sector_counter c where ${presentLeads(sql, accountId, campaignId)} group by 1, 2 having sum(c.change) <> 0`.pipe(
    fromSql(),
    Effect.map((rows) => industryFunnel(rows, languageOptions))
  )
}

interface PresentLeadsRow {
  readonly status: ProspectingReport["leads_by_status"][number]["status"]
  readonly state: ProspectingReport["pipeline"]["states"][number]["state"]
  readonly outcome: "won" | "lost" | "gave_up" | null
  readonly is_contacted: boolean
  readonly has_written: boolean
  readonly count: number
}

const grouped = <K extends string>(rows: ReadonlyArray<readonly [K, number]>): ReadonlyArray<readonly [K, number]> => {
  const sums = new Map<K, number>()
  for (const [key, count] of rows) sums.set(key, (sums.get(key) ?? 0) + count)
  return [...sums].filter(([, count]) => count > 0).toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}

export const prospectingReport = (sql: SqlClient, window: Window): Effect.Effect<ProspectingReport, Transient> =>
  Effect.gen(function* () {
    const leads = yield* sql<PresentLeadsRow>`
      select c.status, c.pipeline_state as state, c.final_outcome as outcome, c.is_contacted, c.has_written,
        sum(c.change)::bigint as count
      from sector_counter c where ${presentLeads(sql, window.accountId, window.campaignId)} group by 1, 2, 3, 4, 5`
    const messages = yield* figures(
      sql,
      window,
      ["emails_sent", "emails_answered", "chatapp_sent", "chatapp_replies_received", "chatapp_talked_to"],
      {}
    )
    const count = (passes: (row: PresentLeadsRow) => boolean): number =>
      leads.reduce((sum, row) => (passes(row) ? sum + row.count : sum), 0)
    const emails_sent = sumOf(messages, "emails_sent")
    const emails_replied = sumOf(messages, "emails_answered")
    return {
      total_leads: count(() => true),
      leads_by_status: grouped(leads.map(({ count, status }) => [status, count])).map(([status, count]) => ({
        status,
        count
      })),
      pipeline: {
        states: grouped(leads.map(({ count, state }) => [state, count])).map(([state, count]) => ({ state, count })),
        contacted: count(({ is_contacted }) => is_contacted),
        replied: count(({ has_written }) => has_written),
        won: count(({ outcome }) => outcome === "won"),
        lost: count(({ outcome }) => outcome === "lost"),
        gave_up: count(({ outcome }) => outcome === "gave_up")
      },
      emails_sent,
      emails_replied,
      reply_rate_pct: percent(emails_replied, emails_sent),
      reply_rate_base: "emails_sent" as const,
      chatapp_sent: sumOf(messages, "chatapp_sent"),
      chatapp_responses: sumOf(messages, "chatapp_replies_received"),
      leads_talked_to_on_chatapp: sumOf(messages, "chatapp_talked_to")
    }
  }).pipe(fromSql())
