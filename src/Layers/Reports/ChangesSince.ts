import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import type { ChangesSince } from "../../Services/Reports/ReportModel.ts"
import { single } from "../Platform/Postgres/Sql.ts"
import { messagePerformance } from "./MessageReports.ts"
import { optimizationPage } from "./OptimizationRuns.ts"
import { makeFacts } from "./ReportFacts.ts"

const maximumItems = 100
const maximumAdjustments = 500
/** Points of percent by which a reply rate has to move to be told of, and messages that a rate needs behind it. */
const leastMove = 3
const leastSent = 50
const comparedDays = 30

type Blocks = Omit<
  ChangesSince,
  "since" | "until" | "support_answered" | "campaign_performance_changes" | "optimizer_adjustments"
>

interface Counts {
  readonly new_leads: number
  readonly emails_sent: number
  readonly email_replies: number
  readonly chatapp_sent: number
  readonly chatapp_replies: number
  readonly reached_confirmed: number
  readonly became_interested: number
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

/** Everything between two instants but what other parts of the report fetch. */
export const changedBlocks = (sql: SqlClient, accountId: AccountId, from: number, to: number) =>
  Effect.gen(function* () {
    const facts = makeFacts(sql, { accountId, campaignId: undefined, from, to })
    const { within } = facts
    // The last outcome of its kind counts: one that was registered again only corrects its value.
    const outcomes = sql`
      select distinct on (o.lead_id, o.event_type) o.lead_id, o.event_type, o.created_at,
        (o.data ->> 'deal_value_brl')::float8 as deal_value
      from lead_lifecycle_event o
      where o.account_id = ${accountId} and o.event_type in ('outcome_won', 'outcome_lost', 'outcome_gave_up')
        and ${within("o.created_at")}
      order by o.lead_id, o.event_type, o.lead_lifecycle_event_id desc`
    const counts = single(
      yield* sql<Counts>`
        with entered as materialized (${facts.entries}), outcome as materialized (${outcomes})
        select
          (select count(*) from lead l where ${facts.ofLead} and ${within("l.created_at")}) as new_leads,
          (select count(*) from email_message s where ${facts.sent}) as emails_sent,
          (select count(*) from email_message r where ${facts.replies}) as email_replies,
          (select count(*) from chatapp_message s where ${facts.chatSent}) as chatapp_sent,
          (select count(*) from chatapp_message r where ${facts.chatReplies}) as chatapp_replies,
          (select count(*) from entered where stage = 'confirmed') as reached_confirmed,
          (select count(*) from entered where stage = 'interested') as became_interested,
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
    const named = sql`l.lead_id, l.name, l.company, (select c.name from campaign c
      where c.account_id = ${accountId} and c.campaign_id = l.campaign_id) as campaign_name`
    const interested = yield* sql<Blocks["new_interested_leads"]["items"][number]>`
      select ${named}, entered.at as became_interested_at from (${facts.entries}) entered
        join lead l on l.account_id = ${accountId} and l.lead_id = entered.lead_id
      where entered.stage = 'interested' order by entered.at desc, l.lead_id desc limit ${maximumItems}`
    const won = yield* sql<Blocks["outcomes"]["won_items"][number]>`
      select ${named}, o.deal_value as deal_value_brl, o.created_at as won_at from (${outcomes}) o
        join lead l on l.account_id = ${accountId} and l.lead_id = o.lead_id
      where o.event_type = 'outcome_won' order by o.created_at desc, l.lead_id desc limit ${maximumItems}`
    const meetings = yield* sql<Blocks["meetings"]["items"][number]>`
      select m.meeting_id, m.lead_id, l.name as lead_name, m.status, m.starts_at from meeting m
        join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
      where m.account_id = ${accountId} and (${within("m.created_at")} or ${within("m.cancelled_at")}
        or (m.status in ('held', 'no_show') and ${within("m.starts_at")}))
      order by m.starts_at desc, m.meeting_id desc limit ${maximumItems}`
    const reviews = yield* sql<Blocks["pending_human_review"]["items"][number]>`
      select ${named}, l.review_reason as reason, l.review_requested_at from lead l
      where l.account_id = ${accountId} and l.pipeline_state = 'pending_review'
      order by l.review_requested_at, l.lead_id limit ${maximumItems}`
    const { became_interested, booked, cancelled, held, no_show, reached_confirmed, reviews: waiting, ...rest } = counts
    const { gave_up_count, lost_count, total_deal_value_brl, won_count, ...activity } = rest
    return {
      activity_summary: activity,
      funnel_progress: { reached_confirmed, became_interested },
      new_interested_leads: { total_count: became_interested, items: interested },
      outcomes: { won_count, lost_count, gave_up_count, total_deal_value_brl, won_items: won },
      meetings: { booked, cancelled, held, no_show, items: meetings },
      pending_human_review: { total_count: waiting, items: reviews }
    } satisfies Blocks
  })

interface CampaignRate {
  readonly campaign_name: string | null
  readonly sent: number
  readonly replied: number
  readonly reply_rate_pct: number
}

/** Campaigns whose reply rate moved: the 30 days before the date against the time since. */
export const performanceChanges = (sql: SqlClient, accountId: AccountId, since: number, to: number) =>
  Effect.gen(function* () {
    const rates = (from: number, until: number) =>
      messagePerformance(
        sql,
        // A second less: the first second of one window is not the last of the other.
        { accountId, campaignId: undefined, from, to: until },
        { days: comparedDays, groupBy: "campaign" }
      ).pipe(
        Effect.map(
          ({ breakdown }) =>
            new Map<CampaignId | null, CampaignRate>(
              breakdown.flatMap(({ campaign_id, campaign_name, replied, reply_rate_pct, sent }) =>
                sent < leastSent || reply_rate_pct === null
                  ? []
                  : [[campaign_id, { campaign_name, sent, replied, reply_rate_pct }] as const]
              )
            )
        )
      )
    const before = yield* rates(since - comparedDays * 86_400_000, since - 1000)
    const after = yield* rates(since, to)
    return [...after]
      .flatMap(([campaign_id, now]) => {
        const earlier = before.get(campaign_id)
        if (earlier === undefined) return []
        const change = Math.round((now.reply_rate_pct - earlier.reply_rate_pct) * 10) / 10
        if (Math.abs(change) < leastMove) return []
        const figures = ({ replied, reply_rate_pct, sent }: CampaignRate) => ({ sent, replied, reply_rate_pct })
        return [
          {
            campaign_id,
            campaign_name: now.campaign_name,
            before: figures(earlier),
            after: figures(now),
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
