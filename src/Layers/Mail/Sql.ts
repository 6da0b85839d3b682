import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"

/** The sent mail that a reply, email_message r, answers: the one it names, else the last one before it. */
export const answeredMailId = (sql: SqlClient, accountId: AccountId): Fragment => sql`coalesce(
    (select o.email_message_id from email_message o where o.account_id = ${accountId}
      and o.message_id = r.in_reply_to and o.direction = 'outbound' and o.lead_id = r.lead_id and o.status = 'sent'),
    (select o.email_message_id from email_message o where o.account_id = ${accountId} and o.lead_id = r.lead_id
      and o.direction = 'outbound' and o.status = 'sent' and o.occurred_at <= r.occurred_at
      order by o.occurred_at desc, o.email_message_id desc limit 1))`

/**
 * The sent mail that each reply since `from` (Unix milliseconds) answers.
 * `which` chooses among the replies, email_message r.
 */
export const answeredMail = (sql: SqlClient, accountId: AccountId, from: number, which: Fragment): Fragment => sql`
  select ${answeredMailId(sql, accountId)} as sent_id
  from email_message r
  where r.account_id = ${accountId} and r.direction = 'inbound' and not r.is_auto_reply and r.lead_id is not null
    and r.occurred_at >= ${fromMillis(from)}::timestamptz and ${which}`
