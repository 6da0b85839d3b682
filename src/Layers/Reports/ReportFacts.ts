import type { SqlClient } from "@effect/sql/SqlClient"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"

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
 * Of a scope: its time, its leads, and the first time that each of them entered a status. A second more at the end: what
 * happens now counts.
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
