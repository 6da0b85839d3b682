import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
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

/** What a statement has to say of a time to read the indexes that are made for reading by time. */
export const byTime = (column: string): string => `${column} > '-infinity'`

/** Of a scope: its time, and its leads. A second more at the end: what happens now counts. */
export const makeFacts = (sql: SqlClient, { accountId, campaignId, from, to }: Scope) => ({
  within: (column: string) => sql`
    ${sql.literal(column)} >= ${fromMillis(from)}::timestamptz and ${sql.literal(column)} < ${fromMillis(to + 1000)}::timestamptz
    and ${sql.literal(byTime(column))}`,
  ofLead:
    campaignId === undefined
      ? sql`l.account_id = ${accountId}`
      : sql`l.account_id = ${accountId} and l.campaign_id = ${campaignId}`
})

/** The events that lead to a stage. */
export const stageEvents =
  "'status_changed', 'registered', 'taken_over', 'outcome_won', 'outcome_lost', 'outcome_gave_up'"

/** The stage that an event leads to; a final outcome closes, as the status Closed does. */
export const stageOf = (alias: string): string => `case
  when ${alias}.event_type = 'taken_over' then 'taken_over'
  when ${alias}.event_type like 'outcome%' or ${alias}.data ->> 'to_status' = 'Closed' then 'closed'
  else lower(coalesce(${alias}.data ->> 'to_status', ${alias}.data ->> 'status')) end`

/** Events that lead to the stage `interested`, as an index has them. */
export const ledToInterest = (alias: string): string =>
  `${alias}.event_type in ('status_changed', 'registered')
    and lower(coalesce(${alias}.data ->> 'to_status', ${alias}.data ->> 'status')) = 'interested'`

/**
 * Whether lead_lifecycle_event `alias` is the first of its lead that led to its stage. Asked lead by lead (that is what the offset
 * is for), since without figures of the table all events would be held against all.
 */
export const isFirstOfStage = (sql: SqlClient, accountId: AccountId, alias: string): Fragment => sql`not exists (
    select from lead_lifecycle_event b where b.account_id = ${accountId} and b.lead_id = ${sql.literal(alias)}.lead_id
      and b.event_type in (${sql.literal(stageEvents)})
      and b.lead_lifecycle_event_id < ${sql.literal(alias)}.lead_lifecycle_event_id
      and ${sql.literal(stageOf("b"))} = ${sql.literal(stageOf(alias))} offset 0)`

/** email_message: mail that went out to a lead. */
export const mailWasSent = (alias: string): string =>
  `${alias}.direction = 'outbound' and ${alias}.status = 'sent' and ${alias}.lead_id is not null`

/** email_message: what a lead wrote itself. */
export const mailIsReply = (alias: string): string =>
  `${alias}.direction = 'inbound' and not ${alias}.is_auto_reply and ${alias}.lead_id is not null`

/** chatapp_message: what went out to a lead. */
export const chatWasSent = (alias: string): string =>
  `${alias}.direction = 'outbound' and ${alias}.status in ('sent', 'delivered', 'read') and ${alias}.lead_id is not null`
