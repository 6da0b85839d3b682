import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { passedBy, progressStatuses } from "../../Services/Leads/LeadProgress.ts"
import { isOwnersStart } from "../Leads/Sql/Progress.ts"

/** An account, optionally one of its campaigns, and a time (Unix milliseconds; `from` is included, `to` is not). */
export interface Scope {
  readonly accountId: AccountId
  readonly campaignId: CampaignId | undefined
  readonly from: number
  readonly to: number
}

/** A range that includes every time. */
export const allTime = { from: Date.UTC(2000, 0, 1), to: Date.UTC(9999, 0, 1) }

/** A condition that lets a statement use the indexes for reading by time. */
export const byTime = (column: string): string => `${column} > '-infinity'`

/**
 * Conditions of a scope: on its time, and on its leads. The time is a second longer at the end, so that present events
 * count.
 */
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

/**
 * The stages that an event passes. A final outcome closes the lead, like the status Closed. A lead that becomes
 * interested passes `confirmed` and `aware` too.
 */
const stagesOf = (alias: string): string => `case
  when ${alias}.event_type = 'taken_over' then array['taken_over']
  when ${alias}.event_type like 'outcome%' or ${alias}.data ->> 'to_status' = 'Closed' then array['closed']
  ${progressStatuses
    .toReversed()
    .map(
      (status) => `when coalesce(${alias}.data ->> 'to_status', ${alias}.data ->> 'status') = '${status}'
    then array[${passedBy(status)
      .map((passed) => `'${passed.toLowerCase()}'`)
      .join(", ")}]`
    )
    .join("\n  ")}
  else array[lower(coalesce(${alias}.data ->> 'to_status', ${alias}.data ->> 'status'))] end`

const progressStages = progressStatuses.map((status) => `'${status.toLowerCase()}'`).join(", ")

/**
 * A join with the stages `s.stage` of the event `alias`. The status with which the owner adds a lead is no progress.
 */
export const withStages = (alias: string): string =>
  `cross join lateral (select stage from unnest(${stagesOf(alias)}) stage
    where not (${isOwnersStart(alias)} and stage in (${progressStages}))) s`

/** Events that lead to the stage `interested`, written as in an index. */
export const ledToInterest = (alias: string): string =>
  `${alias}.event_type in ('status_changed', 'registered')
    and lower(coalesce(${alias}.data ->> 'to_status', ${alias}.data ->> 'status')) = 'interested'
    and not ${isOwnersStart(alias)}`

/**
 * SQL condition: no earlier event of the lead passed the stage. The offset makes it look up each lead. Without
 * statistics of the table, the planner would compare all events with all.
 */
export const isFirstOfStage = (
  sql: SqlClient,
  accountId: AccountId,
  alias: string,
  stage: string
): Fragment => sql`not exists (
    select from lead_lifecycle_event b where b.account_id = ${accountId} and b.lead_id = ${sql.literal(alias)}.lead_id
      and b.event_type in (${sql.literal(stageEvents)})
      and b.lead_lifecycle_event_id < ${sql.literal(alias)}.lead_lifecycle_event_id
      and ${sql.literal(stage)} = any (${sql.literal(stagesOf("b"))}) offset 0)`

/** SQL condition: the email_message `alias` was sent to a lead. */
export const mailWasSent = (alias: string): string =>
  `${alias}.direction = 'outbound' and ${alias}.status = 'sent' and ${alias}.lead_id is not null`

/** SQL condition: a lead wrote the email_message `alias`. */
export const mailIsReply = (alias: string): string =>
  `${alias}.direction = 'inbound' and not ${alias}.is_auto_reply and ${alias}.lead_id is not null`

/** SQL condition: the chatapp_message `alias` was sent to a lead. */
export const chatWasSent = (alias: string): string =>
  `${alias}.direction = 'outbound' and ${alias}.status in ('sent', 'delivered', 'read') and ${alias}.lead_id is not null`
