import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { isOwnConfirmed } from "../Accounts/Sql.ts"

/**
 * SQL for the sent mail that a reply, email_message r, answers: the one it refers to, or else the last one before it.
 */
export const answeredMailId = (sql: SqlClient, accountId: AccountId): Fragment => sql`coalesce(
    (select o.email_message_id from email_message o where o.account_id = ${accountId}
      and o.message_id = r.in_reply_to and o.direction = 'outbound' and o.lead_id = r.lead_id and o.status = 'sent'),
    (select o.email_message_id from email_message o where o.account_id = ${accountId} and o.lead_id = r.lead_id
      and o.direction = 'outbound' and o.status = 'sent' and o.occurred_at <= r.occurred_at
      order by o.occurred_at desc, o.email_message_id desc limit 1))`

/**
 * The sent mail that each reply since `from` (Unix milliseconds) answers. `which` filters the replies, email_message r.
 */
export const answeredMail = (sql: SqlClient, accountId: AccountId, from: number, which: Fragment): Fragment => sql`
  select ${answeredMailId(sql, accountId)} as sent_id
  from email_message r
  where r.account_id = ${accountId} and r.direction = 'inbound' and not r.is_auto_reply and r.lead_id is not null
    and r.occurred_at >= ${fromMillis(from)}::timestamptz and ${which}`

/** SQL condition: the address has confirmed to the account that it expects mail, or the operator entered it. */
export const isConfirmedRecipient = (sql: SqlClient, accountId: Fragment, address: Fragment): Fragment => sql`(
    ${isOwnConfirmed(sql, accountId, address)}
    or exists (select from member b join member_welcome w on w.account_id = b.account_id and w.member_id = b.member_id
        join email_message e on e.account_id = w.account_id and e.email_message_id = w.email_message_id
      where b.account_id = ${accountId} and w.account_id = ${accountId} and e.account_id = ${accountId}
        and lower(b.email) = ${address} and lower(e.to_address) = ${address} and w.opened_at is not null))`

/** The normalised mailbox of an address, as `mailboxOf` computes it. */
const mailboxIn = (sql: SqlClient, address: Fragment): Fragment => sql`
  case when ${address} ~ '^[^+@]+([+][^@]*)?@(gmail|googlemail)[.]com$'
    then replace(regexp_replace(${address}, '[+@].*$', ''), '.', '') || '@gmail.com'
    else regexp_replace(${address}, '^([^+@]+)[+][^@]*@([^@]+)$', '\\1@\\2') end`

/** SQL condition: the reader of an address has stopped all mail of accounts. */
export const isStopped = (sql: SqlClient, address: Fragment): Fragment => sql`
  exists (select from mail_recipient r
    where r.address_digest = sha256(convert_to(${mailboxIn(sql, address)}, 'UTF8')) and r.stopped_at is not null)`
