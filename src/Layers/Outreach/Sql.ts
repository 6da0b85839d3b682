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

/** The rows that one statement stored for items of different touches, in the order of the items. */
export const inOrderOf =
  (items: ReadonlyArray<{ readonly touchId?: TouchId | null }>) =>
  <Row extends { readonly touchId: TouchId | null }>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
    const rowOf = new Map(rows.map((row) => [row.touchId, row]))
    return items.map(({ touchId = null }) => {
      const row = rowOf.get(touchId)
      if (row === undefined) throw new Error("A statement did not store a row for each item.")
      return row
    })
  }
