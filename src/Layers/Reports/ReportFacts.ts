import type { SqlClient } from "@effect/sql/SqlClient"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { answeredMail } from "../Mail/Sql.ts"

/** Whose figures, of which campaign, and of which time (Unix milliseconds; `from` included, `to` not). */
export interface Scope {
  readonly accountId: AccountId
  readonly campaignId: CampaignId | undefined
  readonly from: number
  readonly to: number
}

/** Every time there is. */
export const allTime = { from: Date.UTC(2000, 0, 1), to: Date.UTC(9999, 0, 1) }

/**
 * What reports count, each fact defined once: sent mail, replies to it, messages of the messaging app in both directions,
 * and the first time that a lead entered a status. A second more at the end: what happens now counts.
 */
export const makeFacts = (sql: SqlClient, { accountId, campaignId, from, to }: Scope) => {
  const within = (column: string) => sql`
    ${sql.literal(column)} >= ${fromMillis(from)}::timestamptz and ${sql.literal(column)} < ${fromMillis(to + 1000)}::timestamptz`
  const ofCampaign = (alias: string) =>
    campaignId === undefined
      ? sql`true`
      : sql`exists (select from lead c where c.account_id = ${accountId} and c.lead_id = ${sql.literal(alias)}.lead_id
          and c.campaign_id = ${campaignId})`
  const ofLead =
    campaignId === undefined
      ? sql`l.account_id = ${accountId}`
      : sql`l.account_id = ${accountId} and l.campaign_id = ${campaignId}`

  return {
    within,
    ofLead,
    /** email_message s: mail that went out to leads. */
    sent: sql`s.account_id = ${accountId} and s.direction = 'outbound' and s.status = 'sent' and s.lead_id is not null
      and ${within("s.occurred_at")} and ${ofCampaign("s")}`,
    /** email_message r: what leads wrote themselves. */
    replies: sql`r.account_id = ${accountId} and r.direction = 'inbound' and not r.is_auto_reply and r.lead_id is not null
      and ${within("r.occurred_at")} and ${ofCampaign("r")}`,
    /** The sent mail that each reply since `from` answers: the one it names, else the last one before it. */
    answered: answeredMail(sql, accountId, from, ofCampaign("r")),
    /** chatapp_message s: messages that went out to leads. */
    chatSent: sql`s.account_id = ${accountId} and s.direction = 'outbound' and s.status in ('sent', 'delivered', 'read')
      and s.lead_id is not null and ${within("s.occurred_at")} and ${ofCampaign("s")}`,
    chatReplies: sql`r.account_id = ${accountId} and r.direction = 'inbound' and r.lead_id is not null
      and ${within("r.occurred_at")} and ${ofCampaign("r")}`,
    /** lead_id, stage, at: when leads first entered a stage, of entries in the window. */
    entries: sql`
      select e.lead_id, e.stage, e.created_at as at from (
        select e.account_id, e.lead_id, e.lead_lifecycle_event_id, e.created_at, ${sql.literal(stageOf("e"))} as stage
        from lead_lifecycle_event e
        where e.account_id = ${accountId} and e.event_type in (${sql.literal(stageEvents)})
          and ${within("e.created_at")} and ${ofCampaign("e")}
      ) e
      where e.stage is not null and not exists (
        select from lead_lifecycle_event b where b.account_id = ${accountId} and b.lead_id = e.lead_id
          and b.event_type in (${sql.literal(stageEvents)}) and b.lead_lifecycle_event_id < e.lead_lifecycle_event_id
          and ${sql.literal(stageOf("b"))} = e.stage)`
  }
}

/** The events that lead to a stage. */
export const stageEvents =
  "'status_changed', 'registered', 'taken_over', 'outcome_won', 'outcome_lost', 'outcome_gave_up'"

/** The stage that an event leads to; a final outcome closes, as the status Closed does. */
export const stageOf = (alias: string): string => `case
  when ${alias}.event_type = 'taken_over' then 'taken_over'
  when ${alias}.event_type like 'outcome%' or ${alias}.data ->> 'to_status' = 'Closed' then 'closed'
  else lower(coalesce(${alias}.data ->> 'to_status', ${alias}.data ->> 'status')) end`

/** email_message: mail that went out to a lead. */
export const mailWasSent = (alias: string): string =>
  `${alias}.direction = 'outbound' and ${alias}.status = 'sent' and ${alias}.lead_id is not null`

/** email_message: what a lead wrote itself. */
export const mailIsReply = (alias: string): string =>
  `${alias}.direction = 'inbound' and not ${alias}.is_auto_reply and ${alias}.lead_id is not null`

/** chatapp_message: what went out to a lead. */
export const chatWasSent = (alias: string): string =>
  `${alias}.direction = 'outbound' and ${alias}.status in ('sent', 'delivered', 'read') and ${alias}.lead_id is not null`
