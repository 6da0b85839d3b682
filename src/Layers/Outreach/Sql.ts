import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { TouchId } from "../../Services/Outreach/TouchLedger.ts"
import { makeDueUnlessScheduled } from "../Leads/Sql/Schedule.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"

/** Queued messages of the platform to a lead, except meeting notices. */
export const isQueuedUnanswered = (sql: SqlClient, accountId: AccountId, leadId: LeadId) =>
  sql`account_id = ${accountId} and lead_id = ${leadId} and direction = 'outbound' and status = 'queued'
    and message_type is distinct from 'user_written' and (touch_id is null or touch_id not in (
      select n.touch_id from touch n
      where n.account_id = ${accountId} and n.lead_id = ${leadId} and n.meeting_id is not null))`

/** The rows that one statement stored for different touches, in the order of the items. */
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

/** Beyond this number, leads wait for their regular check, within a day. */
const mostRechecked = 10_000

/**
 * Makes leads due now that were skipped within the last two days because no channel was open or because the account was
 * passive. Call it after a channel was opened or the mode changed.
 */
export const recheckSkipped = (sql: SqlClient, accountId: AccountId): Effect.Effect<void, Transient> =>
  Effect.zipRight(
    makeDueUnlessScheduled(
      sql,
      accountId,
      sql`
        select t.lead_id from touch t
        where t.account_id = ${accountId} and t.created_at > instant() - interval '2 days' and t.status = 'skipped'
          and t.reason in ('no_open_channel', 'passive_mode') and not exists (select from touch later
            where later.account_id = ${accountId} and later.lead_id = t.lead_id and later.touch_id > t.touch_id)
        order by t.created_at desc limit ${mostRechecked}`
    ),
    wakeDispatcher(sql, accountId)
  )
