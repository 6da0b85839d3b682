import type { SqlClient } from "@effect/sql/SqlClient"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { TouchId } from "../../Services/Outreach/TouchLedger.ts"

/** Messages that the platform wrote to a lead and that wait to be sent, but for notices of meetings. */
export const isQueuedUnanswered = (sql: SqlClient, accountId: AccountId, leadId: LeadId) =>
  sql`account_id = ${accountId} and lead_id = ${leadId} and direction = 'outbound' and status = 'queued'
    and message_type is distinct from 'user_written' and (touch_id is null or touch_id not in (
      select n.touch_id from touch n
      where n.account_id = ${accountId} and n.lead_id = ${leadId} and n.meeting_id is not null))`

/** The ids of rows that a statement wrote for several touches, in the order of what was asked for. */
export const inOrderOf =
  (asked: ReadonlyArray<{ readonly touchId: TouchId }>) =>
  <Id>(rows: ReadonlyArray<{ readonly touchId: TouchId; readonly id: Id }>): ReadonlyArray<Id> => {
    const ids = new Map(rows.map(({ id, touchId }) => [touchId, id]))
    return asked.flatMap(({ touchId }) => ids.get(touchId) ?? [])
  }
