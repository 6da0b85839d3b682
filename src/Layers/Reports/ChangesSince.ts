import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import type { ChangesSince } from "../../Services/Reports/ReportModel.ts"
import { percent } from "../../Services/Reports/ReportWindow.ts"
import { single } from "../Platform/Postgres/Sql.ts"
import type { Calendar, FigureName } from "./DayFacts.ts"
import { countedFigures, figures, sumOf } from "./Figures.ts"
import { optimizationPage } from "./OptimizationRuns.ts"
import { isFirstOfStage, ledToInterest, makeFacts } from "./ReportFacts.ts"
import { beginningOf, dayOf } from "./RolledDays.ts"

const maximumItems = 100
const maximumAdjustments = 500
/** The smallest change of a reply rate that is reported, in percentage points, and the minimum number of messages. */
const minimumChange = 3
const minimumSent = 50
const comparedDays = 30

type Blocks = Omit<
  ChangesSince,
  "since" | "until" | "support_answered" | "campaign_performance_changes" | "optimizer_adjustments"
>

interface Counts {
  readonly won_count: number
  readonly lost_count: number
  readonly gave_up_count: number
  readonly total_deal_value_brl: number
  readonly booked: number
  readonly cancelled: number
  readonly held: number
  readonly no_show: number
  readonly reviews: number
}

/** The events that set or clear a lead's final outcome. */
const outcomeChanges = "'outcome_won', 'outcome_lost', 'outcome_gave_up', 'recovered'"

/** Reads everything that happened between two times, except what other parts of the report read. */
export const changedBlocks = (sql: SqlClient, calendar: Calendar, from: number, to: number) =>
  Effect.gen(function* () {
    const { accountId } = calendar
    const figureRows = yield* figures(
      sql,
      { ...calendar, campaignId: undefined, from, to },
      [
        "leads_generated",
        "leads_added",
        "emails_sent",
        "replies_received",
        "chatapp_sent",
        "chatapp_replies_received",
        "stage"
      ],
      {}
    )
    const { within } = makeFacts(sql, { accountId, campaignId: undefined, from, to })
    // The condition on outcomes. Only a lead's latest outcome counts, at the time of its first registration and with
    // its last value. Another outcome or a recovery replaces it. The same outcome again only corrects the deal value.
    const outcomesOf = (types: string) => sql`
      select o.lead_id, o.event_type, o.created_at, (
        select (v.data ->> 'deal_value_brl')::float8 from lead_lifecycle_event v
        where v.account_id = ${accountId} and v.lead_id = o.lead_id and v.event_type = o.event_type
        order by v.lead_lifecycle_event_id desc limit 1) as deal_value
      from lead_lifecycle_event o
        join lead l on l.account_id = ${accountId} and l.lead_id = o.lead_id and o.event_type = 'outcome_' || l.final_outcome
      where o.account_id = ${accountId} and o.event_type in (${sql.literal(types)}) and ${within("o.created_at")}
        and not exists (select from lead_lifecycle_event c where c.account_id = ${accountId} and c.lead_id = o.lead_id
          and c.lead_lifecycle_event_id > o.lead_lifecycle_event_id and c.event_type <> o.event_type
          and c.event_type in (${sql.literal(outcomeChanges)}))
        and not exists (select from lead_lifecycle_event b where b.account_id = ${accountId} and b.lead_id = o.lead_id
          and b.lead_lifecycle_event_id < o.lead_lifecycle_event_id and b.event_type = o.event_type
          and not exists (select from lead_lifecycle_event c where c.account_id = ${accountId} and c.lead_id = o.lead_id
            and c.lead_lifecycle_event_id > b.lead_lifecycle_event_id
            and c.lead_lifecycle_event_id < o.lead_lifecycle_event_id and c.event_type <> o.event_type
            and c.event_type in (${sql.literal(outcomeChanges)})))`
    const counts = single(
      yield* sql<Counts>`
        with outcome as materialized (${outcomesOf("'outcome_won', 'outcome_lost', 'outcome_gave_up'")})
        select
          (select count(*) from outcome where event_type = 'outcome_won') as won_count,
          (select count(*) from outcome where event_type = 'outcome_lost') as lost_count,
          (select count(*) from outcome where event_type = 'outcome_gave_up') as gave_up_count,
          (select coalesce(sum(deal_value), 0) from outcome where event_type = 'outcome_won') as total_deal_value_brl,
          (select count(*) from meeting m where m.account_id = ${accountId} and ${within("m.created_at")}) as booked,
          (select count(*) from meeting m where m.account_id = ${accountId} and ${within("m.cancelled_at")}) as cancelled,
          (select count(*) from meeting m where m.account_id = ${accountId} and m.status = 'held'
            and ${within("m.starts_at")}) as held,
          (select count(*) from meeting m where m.account_id = ${accountId} and m.status = 'no_show'
            and ${within("m.starts_at")}) as no_show,
          (select count(*) from lead l where l.account_id = ${accountId} and l.pipeline_state = 'pending_review') as reviews`
    )
    const listedLeads = sql`l.lead_id, l.name, l.company, (select c.name from campaign c
      where c.account_id = ${accountId} and c.campaign_id = l.campaign_id) as campaign_name`
    const interested = yield* sql<Blocks["new_interested_leads"]["items"][number]>`
      select ${listedLeads}, entered.at as became_interested_at from (
        select e.lead_id, e.created_at as at from lead_lifecycle_event e
        where e.account_id = ${accountId} and ${sql.literal(ledToInterest("e"))} and ${within("e.created_at")}
          and ${isFirstOfStage(sql, accountId, "e", "'interested'")}
        order by e.created_at desc, e.lead_id desc limit ${maximumItems}
      ) entered join lead l on l.account_id = ${accountId} and l.lead_id = entered.lead_id
      order by entered.at desc, l.lead_id desc`
    // Only listed items need their leads, because most events are only counted.
    const won = yield* sql<Blocks["outcomes"]["won_items"][number]>`
      select ${listedLeads}, o.deal_value as deal_value_brl, o.created_at as won_at from (
        select * from (${outcomesOf("'outcome_won'")}) w order by w.created_at desc, w.lead_id desc limit ${maximumItems}
      ) o join lead l on l.account_id = ${accountId} and l.lead_id = o.lead_id
      order by o.created_at desc, l.lead_id desc`
    const meetings = yield* sql<Blocks["meetings"]["items"][number]>`
      select m.meeting_id, m.lead_id, l.name as lead_name, m.status, m.starts_at from (
        select * from meeting m where m.account_id = ${accountId} and (${within("m.created_at")}
          or ${within("m.cancelled_at")} or (m.status in ('held', 'no_show') and ${within("m.starts_at")}))
        order by m.starts_at desc, m.meeting_id desc limit ${maximumItems}
      ) m join lead l on l.account_id = ${accountId} and l.lead_id = m.lead_id
      order by m.starts_at desc, m.meeting_id desc`
    const reviews = yield* sql<Blocks["pending_human_review"]["items"][number]>`
      select ${listedLeads}, l.review_reason as reason, l.review_requested_at from lead l
      where l.account_id = ${accountId} and l.pipeline_state = 'pending_review'
      order by l.review_requested_at, l.lead_id limit ${maximumItems}`
    const { booked, cancelled, held, no_show, reviews: waiting, ...outcome } = counts
    const entered = (stage: string) => sumOf(figureRows, "stage", ({ key }) => key === stage)
    const became_interested = entered("interested")
    const reached_confirmed = entered("confirmed")
    return {
      activity_summary: {
        new_leads: sumOf(figureRows, "leads_generated") + sumOf(figureRows, "leads_added"),
        emails_sent: sumOf(figureRows, "emails_sent"),
        email_replies: sumOf(figureRows, "replies_received"),
        chatapp_sent: sumOf(figureRows, "chatapp_sent"),
        chatapp_replies: sumOf(figureRows, "chatapp_replies_received")
      },
      funnel_progress: { reached_confirmed, became_interested },
      new_interested_leads: { total_count: became_interested, items: interested },
      outcomes: { ...outcome, won_items: won },
      meetings: { booked, cancelled, held, no_show, items: meetings },
      pending_human_review: { total_count: waiting, items: reviews }
    } satisfies Blocks
  })

interface CampaignRate {
  readonly sent: number
  readonly replied: number
  readonly reply_rate_pct: number
}

interface RateChangeRow {
  readonly campaign_id: CampaignId | null
  readonly campaign_name: string | null
  readonly sent_before: number
  readonly replied_before: number
  readonly sent_since: number
  readonly replied_since: number
}

const rateOf = (sent: number, replied: number): CampaignRate | undefined => {
  const reply_rate_pct = percent(replied, sent)
  return sent < minimumSent || reply_rate_pct === null ? undefined : { sent, replied, reply_rate_pct }
}

const dateOf = (millis: number): string => dayOf(millis, "UTC")

/**
 * Reads the campaigns whose reply rate changed: mail of the 30 days before a date, compared with mail since. `since` is
 * the beginning of a UTC date, because mail is grouped by these dates.
 */
export const performanceChanges = (sql: SqlClient, calendar: Calendar, since: number, now: number) =>
  Effect.gen(function* () {
    const { accountId, zone } = calendar
    const before = since - comparedDays * 86_400_000
    const window = { ...calendar, campaignId: undefined, from: beginningOf(dayOf(before, zone), zone), to: now }
    const sum = (figure: FigureName, isSince: boolean) => sql`
      coalesce(sum(f.count) filter (where f.figure = ${figure}
        and f.to_day ${sql.literal(isSince ? ">=" : "<")} ${dateOf(since)}::date), 0)::bigint`
    const rows = yield* sql<RateChangeRow>`
      select nullif(f.campaign_id, 0) as campaign_id, c.name as campaign_name,
        ${sum("emails_sent_by_date", false)} as sent_before, ${sum("emails_answered_by_date", false)} as replied_before,
        ${sum("emails_sent_by_date", true)} as sent_since, ${sum("emails_answered_by_date", true)} as replied_since
      from (${yield* countedFigures(sql, window, ["emails_sent_by_date", "emails_answered_by_date"])}) f
        left join campaign c on c.account_id = ${accountId} and c.campaign_id = f.campaign_id
      where f.to_day >= ${dateOf(before)}::date group by 1, 2`
    return rows
      .flatMap(({ campaign_id, campaign_name, ...counts }) => {
        const before = rateOf(counts.sent_before, counts.replied_before)
        const after = rateOf(counts.sent_since, counts.replied_since)
        if (before === undefined || after === undefined) return []
        const change = Math.round((after.reply_rate_pct - before.reply_rate_pct) * 10) / 10
        if (Math.abs(change) < minimumChange) return []
        return [
          {
            campaign_id,
            campaign_name,
            reply_rate_base: "emails_sent" as const,
            before,
            after,
            change_percentage_points: change
          }
        ]
      })
      .toSorted((a, b) => Math.abs(b.change_percentage_points) - Math.abs(a.change_percentage_points))
  })

export const adjustmentsSince = (sql: SqlClient, accountId: AccountId, from: number) =>
  Effect.map(
    optimizationPage(
      sql,
      { accountId, campaignId: undefined, since: fromMillis(from), changesOnly: true },
      {
        page: 0,
        pageSize: maximumAdjustments
      }
    ),
    ({ runs, total }) => ({
      total_count: total,
      returned_count: runs.length,
      truncated: total > runs.length,
      items: runs
    })
  )
