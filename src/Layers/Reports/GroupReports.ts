import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import { type FunnelRow, industryFunnel, metricsByGroup } from "../../Services/Reports/GroupFigures.ts"
import type {
  IndustryFunnel,
  Metrics,
  MetricsByStateAndIndustry,
  ProspectingReport
} from "../../Services/Reports/ReportModel.ts"
import { percent } from "../../Services/Reports/ReportWindow.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { allTime, makeFacts, type Scope } from "./ReportFacts.ts"

type GroupRow = Metrics & {
  readonly state: string | null
  readonly cnae: string | null
  readonly industry: string | null
}

/** Figures by the leads' states and sectors: a lead is in one group of each, so that sums count nobody twice. */
export const metricsByStateAndIndustry = (
  sql: SqlClient,
  scope: Scope,
  days: number
): Effect.Effect<MetricsByStateAndIndustry, Transient> => {
  const facts = makeFacts(sql, scope)
  const { accountId } = scope
  return sql<GroupRow>`
    with facts as (
      select l.lead_id, 1 as new_leads, (l.referred_by_lead_id is not null)::int as referrals, 0 as emails_sent,
        0 as responses, 0 as chatapp_sent, 0 as chatapp_responses, 0 as aware, 0 as interested, 0 as reached,
        0 as booked, 0 as cancelled, 0 as held, 0 as no_show
      from lead l where ${facts.ofLead} and ${facts.within("l.created_at")}
      union all
      select s.lead_id, 0, 0, count(*), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 from email_message s where ${facts.sent} group by 1
      union all
      select r.lead_id, 0, 0, 0, count(*), 0, 0, 0, 0, 0, 0, 0, 0, 0 from email_message r where ${facts.replies} group by 1
      union all
      select s.lead_id, 0, 0, 0, 0, count(*), 0, 0, 0, 0, 0, 0, 0, 0 from chatapp_message s
      where ${facts.chatSent} group by 1
      union all
      select r.lead_id, 0, 0, 0, 0, 0, count(*), 0, 0, 0, 0, 0, 0, 0 from chatapp_message r
      where ${facts.chatReplies} group by 1
      union all
      select lead_id, 0, 0, 0, 0, 0, 0, bool_or(stage = 'aware')::int, bool_or(stage = 'interested')::int,
        bool_or(stage in ('confirmed', 'aware', 'interested', 'taken_over'))::int, 0, 0, 0, 0
      from (${facts.entries}) entered group by 1
      union all
      select m.lead_id, 0, 0, 0, 0, 0, 0, 0, 0, 0, (${facts.within("m.created_at")})::int,
        (m.cancelled_at is not null and ${facts.within("m.cancelled_at")})::int,
        (m.status = 'held' and ${facts.within("m.starts_at")})::int,
        (m.status = 'no_show' and ${facts.within("m.starts_at")})::int
      from meeting m join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
      where m.account_id = ${accountId} and ${facts.ofLead}
    ), of_lead as (
      select lead_id, sum(new_leads) as new_leads, sum(referrals) as referrals, sum(emails_sent) as emails_sent,
        sum(responses) as responses, sum(chatapp_sent) as chatapp_sent, sum(chatapp_responses) as chatapp_responses,
        sum(aware) as aware, sum(interested) as interested, sum(reached) as reached, sum(booked) as booked,
        sum(cancelled) as cancelled, sum(held) as held, sum(no_show) as no_show
      from facts group by 1
    )
    select upper(nullif(trim(l.state), '')) as state, nullif(trim(l.cnae), '') as cnae, nullif(trim(l.industry), '') as industry,
      sum(new_leads) as new_leads, sum(emails_sent) as emails_sent, sum(responses) as responses,
      sum(chatapp_sent) as chatapp_sent, sum(chatapp_responses) as chatapp_responses, sum(aware) as aware,
      sum(interested) as interested, sum(reached) as confirmed_aware_interested_or_taken_over, sum(referrals) as referrals,
      sum(booked) as meetings_booked, sum(cancelled) as meetings_cancelled, sum(held) as meetings_held,
      sum(no_show) as meetings_no_show
    from of_lead join lead l on l.account_id = ${accountId} and l.lead_id = of_lead.lead_id
    group by 1, 2, 3`.pipe(
    fromSql(),
    Effect.map((rows) => metricsByGroup(rows, days))
  )
}

export const funnelByIndustry = (
  sql: SqlClient,
  scope: Scope,
  isBrazilian: boolean
): Effect.Effect<IndustryFunnel, Transient> => {
  const { ofLead } = makeFacts(sql, scope)
  return sql<FunnelRow>`
    select ${isBrazilian ? sql`left(regexp_replace(l.cnae, '[^0-9]', '', 'g'), 2)` : sql`null`} as cnae,
      ${isBrazilian ? sql`null` : sql`nullif(trim(l.industry), '')`} as industry, count(*) as total,
      count(*) filter (where l.last_outbound_at is not null) as contacted,
      count(*) filter (where l.last_inbound_at is not null) as replied,
      count(*) filter (where l.status = 'Interested' or l.final_outcome = 'won') as interested,
      count(*) filter (where l.status = 'Closed' or l.final_outcome is not null) as closed,
      count(*) filter (where l.final_outcome = 'won') as won
    from lead l where ${ofLead} group by 1, 2`.pipe(
    fromSql(),
    Effect.map((rows) => industryFunnel(rows, isBrazilian))
  )
}

interface SummaryRow {
  readonly contacted: number
  readonly replied: number
  readonly won: number
  readonly lost: number
  readonly gave_up: number
  readonly emails_sent: number
  readonly emails_replied: number
  readonly chatapp_sent: number
  readonly chatapp_responses: number
  readonly talked_to: number
}

interface StateRow {
  readonly status: ProspectingReport["leads_by_status"][number]["status"]
  readonly state: ProspectingReport["pipeline"]["states"][number]["state"]
  readonly count: number
}

const grouped = <K extends string>(rows: ReadonlyArray<readonly [K, number]>): ReadonlyArray<readonly [K, number]> => {
  const sums = new Map<K, number>()
  for (const [key, count] of rows) sums.set(key, (sums.get(key) ?? 0) + count)
  return [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}

export const prospectingReport = (
  sql: SqlClient,
  scope: Omit<Scope, "from" | "to">
): Effect.Effect<ProspectingReport, Transient> =>
  Effect.gen(function* () {
    const facts = makeFacts(sql, { ...scope, ...allTime })
    const states = yield* sql<StateRow>`
      select l.status, l.pipeline_state as state, count(*) as count from lead l where ${facts.ofLead} group by 1, 2`
    const rows = yield* sql<SummaryRow>`
      select count(*) filter (where l.last_outbound_at is not null) as contacted,
        count(*) filter (where l.last_inbound_at is not null) as replied,
        count(*) filter (where l.final_outcome = 'won') as won, count(*) filter (where l.final_outcome = 'lost') as lost,
        count(*) filter (where l.final_outcome = 'gave_up') as gave_up,
        (select count(*) from email_message s where ${facts.sent}) as emails_sent,
        (select count(distinct answered.sent_id) from (${facts.answered}) answered) as emails_replied,
        (select count(*) from chatapp_message s where ${facts.chatSent}) as chatapp_sent,
        (select count(*) from chatapp_message r where ${facts.chatReplies}) as chatapp_responses,
        (select count(distinct r.lead_id) from chatapp_message r where ${facts.chatReplies}) as talked_to
      from lead l where ${facts.ofLead}`
    const { contacted, emails_replied, emails_sent, gave_up, lost, replied, talked_to, won, ...chat } = single(rows)
    return {
      total_leads: states.reduce((sum, { count }) => sum + count, 0),
      leads_by_status: grouped(states.map(({ count, status }) => [status, count])).map(([status, count]) => ({
        status,
        count
      })),
      pipeline: {
        states: grouped(states.map(({ count, state }) => [state, count])).map(([state, count]) => ({ state, count })),
        contacted,
        replied,
        won,
        lost,
        gave_up
      },
      emails_sent,
      emails_replied,
      reply_rate_pct: percent(emails_replied, emails_sent),
      ...chat,
      leads_talked_to_on_chatapp: talked_to
    }
  }).pipe(fromSql())
