import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import type {
  ChatAppPerformance,
  Grouping,
  MessagePerformance,
  messageTypes
} from "../../Services/Reports/ReportModel.ts"
import { percent } from "../../Services/Reports/ReportWindow.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { makeFacts, type Scope } from "./ReportFacts.ts"

interface GroupRow {
  readonly campaign_id: CampaignId | null
  readonly campaign_name: string | null
  readonly message_type: (typeof messageTypes)[number] | null
}

interface MailRow extends GroupRow {
  readonly sent: number
  readonly replied: number
}

const keysOf = (groupBy: Grouping) => ({
  campaign: groupBy === "type" ? "null::bigint" : "l.campaign_id",
  type: groupBy === "campaign" ? "null::text" : "s.message_type"
})

const nameOfCampaign = (sql: SqlClient, { accountId }: Scope) =>
  sql`(select c.name from campaign c where c.account_id = ${accountId} and c.campaign_id = g.campaign_id)`

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** Sent mail and how much of it was answered, by campaign and kind. */
export const messagePerformance = (
  sql: SqlClient,
  scope: Scope,
  { days, groupBy }: { readonly days: number; readonly groupBy: Grouping }
): Effect.Effect<MessagePerformance, Transient> => {
  const facts = makeFacts(sql, scope)
  const { campaign, type } = keysOf(groupBy)
  return sql<MailRow>`
    with answered as materialized (${facts.answered}), g as (
      select ${sql.literal(campaign)} as campaign_id, ${sql.literal(type)} as message_type, count(*) as sent,
        count(*) filter (where s.email_message_id in (select sent_id from answered)) as replied
      from email_message s join lead l on l.account_id = ${scope.accountId} and l.lead_id = s.lead_id
      where ${facts.sent} group by 1, 2
    )
    select g.*, ${nameOfCampaign(sql, scope)} as campaign_name from g
    order by sent desc, campaign_id nulls last, message_type nulls last`.pipe(
    fromSql(),
    Effect.map((rows) => {
      const sent = sum(rows.map((row) => row.sent))
      const replied = sum(rows.map((row) => row.replied))
      return {
        days,
        group_by: groupBy,
        total_sent: sent,
        replied,
        reply_rate_pct: percent(replied, sent),
        breakdown: rows.map((row) => ({
          campaign_id: row.campaign_id,
          campaign_name: row.campaign_name,
          message_type: row.message_type,
          sent: row.sent,
          replied: row.replied,
          reply_rate_pct: percent(row.replied, row.sent)
        }))
      }
    })
  )
}

interface ChatRow extends GroupRow {
  /** Null for the whole: the sum of groups would count a lead for each of them. */
  readonly is_total: boolean
  readonly sent: number
  readonly leads_messaged: number
  readonly leads_replied: number
}

/** Messages of the messaging app, the leads that got them and those of them who wrote afterwards. */
export const chatAppPerformance = (
  sql: SqlClient,
  scope: Scope,
  { days, groupBy }: { readonly days: number; readonly groupBy: Grouping }
): Effect.Effect<ChatAppPerformance, Transient> => {
  const facts = makeFacts(sql, scope)
  const { campaign, type } = keysOf(groupBy)
  return sql<ChatRow>`
    with sent as materialized (
      select s.lead_id, ${sql.literal(campaign)} as campaign_id, ${sql.literal(type)} as message_type, count(*) as sent,
        min(s.occurred_at) as first_at
      from chatapp_message s join lead l on l.account_id = ${scope.accountId} and l.lead_id = s.lead_id
      where ${facts.chatSent} group by 1, 2, 3
    ), wrote as materialized (
      select r.lead_id, max(r.occurred_at) as last_at from chatapp_message r where ${facts.chatReplies} group by 1
    ), g as (
      select false as is_total, campaign_id, message_type, sum(sent)::bigint as sent, count(*) as leads_messaged,
        count(*) filter (where w.last_at >= sent.first_at) as leads_replied
      from sent left join wrote w using (lead_id) group by 2, 3
      union all
      select true, null, null, coalesce(sum(sent), 0)::bigint, count(*), count(*) filter (where w.last_at >= first_at) from (
        select lead_id, sum(sent) as sent, min(first_at) as first_at from sent group by 1
      ) of_lead left join wrote w using (lead_id)
    )
    select g.*, ${nameOfCampaign(sql, scope)} as campaign_name from g
    order by sent desc, campaign_id nulls last, message_type nulls last`.pipe(
    fromSql(),
    Effect.map((rows) => {
      const total = rows.find((row) => row.is_total)
      return {
        days,
        group_by: groupBy,
        sent: total?.sent ?? 0,
        leads_messaged: total?.leads_messaged ?? 0,
        leads_replied: total?.leads_replied ?? 0,
        lead_reply_rate_pct: percent(total?.leads_replied ?? 0, total?.leads_messaged ?? 0),
        breakdown: rows.flatMap(({ is_total, ...row }) =>
          is_total ? [] : [{ ...row, lead_reply_rate_pct: percent(row.leads_replied, row.leads_messaged) }]
        )
      }
    })
  )
}
