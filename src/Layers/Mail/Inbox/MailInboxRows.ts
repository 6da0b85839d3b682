import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import type { AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import type { InboundMail } from "../../../Services/Mail/MailInbox.ts"
import type { ReportedMessage } from "../../../Services/Mail/MailReports.ts"
import {
  claimedSubscription,
  localAddress,
  type MailKey,
  readTag,
  type TagKind
} from "../../../Services/Mail/MailTags.ts"
import type { TouchId } from "../../../Services/Outreach/TouchLedger.ts"
import { returnPathDomain } from "../../../Services/SenderDomains/DnsRecords.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

/** An account that receives the message. */
export interface InboxAccount {
  readonly accountId: AccountId
  readonly plan: Plan
  readonly handle: string
  readonly mailKey: MailKey
  /** The owner's addresses, which may have received copies. */
  readonly ownAddresses: ReadonlyArray<string>
  /** The messages that a tagged recipient address refers to. */
  readonly tags: ReadonlyArray<{ readonly kind: TagKind; readonly emailMessageId: number }>
}

/** A message that the account sent. */
export interface SentMessage {
  readonly email_message_id: number
  readonly lead_id: LeadId | null
  readonly touch_id: TouchId | null
  readonly status: string
  readonly to_address: string
}

const maximumAccounts = 10

interface AccountRow {
  readonly account_id: AccountId
  readonly plan: Plan
  readonly handle: string
  readonly mail_key: Uint8Array
  readonly email: string | null
  readonly notification_email: string | null
}

const returnPathStart = returnPathDomain("")

/**
 * Maps addresses at an account's sender domain, or at its bounce domain, to the account's address at the platform's
 * domain.
 */
const onPlatform = (
  sql: SqlClient,
  domain: string,
  recipients: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, Transient> => {
  const foreign = recipients.flatMap((address) => {
    const at = address.lastIndexOf("@")
    const addressDomain = address.slice(at + 1).toLowerCase()
    if (at < 1 || addressDomain === domain.toLowerCase()) return []
    const sender = addressDomain.startsWith(returnPathStart)
      ? addressDomain.slice(returnPathStart.length)
      : addressDomain
    return [{ tag: /\+[^@]*/.exec(address.slice(0, at))?.[0] ?? "", sender }]
  })
  if (foreign.length === 0) return Effect.succeed(recipients)
  return sql<{ readonly sender: string; readonly handle: string }>`
    select d.domain as sender, a.handle from sender_domain d join account a on a.account_id = d.account_id
    where d.domain = any (${[...new Set(foreign.map(({ sender }) => sender))]}) and d.status <> 'pending'`.pipe(
    Effect.map((rows) => {
      const handles = new Map(rows.map(({ handle, sender }) => [sender, handle]))
      const mapped = foreign.flatMap(({ sender, tag }) => {
        const handle = handles.get(sender)
        return handle === undefined ? [] : [`${handle}${tag}@${domain}`]
      })
      return [...recipients, ...mapped]
    }),
    fromSql()
  )
}

/** The accounts that have an address among `recipients`. */
export const accountsOf = (
  sql: SqlClient,
  domain: string,
  recipients: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<InboxAccount>, Transient> =>
  Effect.flatMap(onPlatform(sql, domain, recipients), (addresses) => accountsOn(sql, domain, addresses))

const accountsOn = (
  sql: SqlClient,
  domain: string,
  recipients: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<InboxAccount>, Transient> => {
  const local = recipients.flatMap((address) => Option.toArray(localAddress(address, domain)))
  const handles = [...new Set(local.map(({ handle }) => handle))]
  if (handles.length === 0) return Effect.succeed([])
  return sql<AccountRow>`
    select a.account_id, a.plan, a.handle, a.mail_key, lower(a.email) as email,
      lower(p.notification_email) as notification_email
    from account a join prospecting_config p using (account_id)
    where a.handle = any(${handles}) order by a.account_id limit ${maximumAccounts}`.pipe(
    Effect.map((rows) =>
      rows.map(({ account_id, email, handle, mail_key, notification_email, plan }) => ({
        accountId: account_id,
        plan,
        handle,
        mailKey: mail_key,
        ownAddresses: [email, notification_email].filter((address) => address !== null),
        tags: local
          .filter((address) => address.handle === handle)
          .flatMap(({ tag }) => Option.toArray(readTag(mail_key, tag)))
      }))
    ),
    fromSql()
  )
}

/** The id under which a message is stored: its Message-ID, or a hash of its content if that is missing or taken. */
export const storedId = (
  sql: SqlClient,
  accountId: AccountId,
  mail: InboundMail
): Effect.Effect<{ readonly id: string; readonly isThere: boolean }, Transient> => {
  const ofContent = `<${Buffer.from(mail.digest).toString("hex")}@content.invalid>`
  if (mail.messageId === undefined) return Effect.succeed({ id: ofContent, isThere: false })
  const { messageId } = mail
  return sql<{ readonly is_same: boolean }>`
    select direction = 'inbound' and content_digest = ${mail.digest} as is_same from email_message
    where account_id = ${accountId} and message_id = ${messageId}`.pipe(
    Effect.map(([row]) => {
      if (row === undefined) return { id: messageId, isThere: false }
      return row.is_same ? { id: messageId, isThere: true } : { id: ofContent, isThere: false }
    }),
    fromSql()
  )
}

/** The account's message that a report is about, if there is one. */
export const reportedMessage = (
  sql: SqlClient,
  account: InboxAccount,
  { messageIds }: ReportedMessage
): Effect.Effect<SentMessage | undefined, Transient> => {
  const tagged = account.tags.filter(({ kind }) => kind === "bounce").map(({ emailMessageId }) => emailMessageId)
  return sql<SentMessage>`
    select email_message_id, lead_id, touch_id, status, to_address from email_message
    where account_id = ${account.accountId} and direction = 'outbound'
      and (email_message_id = any(${tagged}) or message_id = any(${messageIds.slice(0, 100)}))
    order by email_message_id = any(${tagged}) desc, array_position(${messageIds.slice(0, 100)}, message_id) limit 1`.pipe(
    Effect.map((rows) => rows[0]),
    fromSql()
  )
}

/** Locks the lead until the transaction ends. Fails with a retryable error if the lead was just erased. */
export const lockLead = (sql: SqlClient, accountId: AccountId, leadId: LeadId): Effect.Effect<void, Transient> =>
  sql`select lead_id from lead where account_id = ${accountId} and lead_id = ${leadId} for update`.pipe(
    fromSql(),
    Effect.filterOrFail(
      (rows) => rows.length > 0,
      () => transient("lead_erased", "The lead was erased meanwhile.", 1)
    ),
    Effect.asVoid
  )

/** The lead of an unsubscribe link, if it still exists. */
export const leadOfToken = (
  sql: SqlClient,
  account: InboxAccount,
  token: string | undefined
): Effect.Effect<LeadId | undefined, Transient> => {
  const { accountId } = account
  const claimed = Option.flatMap(Option.fromNullable(token), claimedSubscription)
  if (Option.isNone(claimed)) return Effect.succeed(undefined)
  const { isGenuine, subscription } = claimed.value
  if (subscription.accountId !== accountId || !isGenuine(account.mailKey)) return Effect.succeed(undefined)
  return sql<{ readonly lead_id: LeadId }>`
    select lead_id from lead where account_id = ${accountId} and lead_id = ${subscription.leadId}`.pipe(
    Effect.map((rows) => rows[0]?.lead_id),
    fromSql()
  )
}

/**
 * Returns whether the account's owner or a member wrote. Undefined if neither did, or it is not certain. An answer to a
 * message that the account sent to the address proves the sender too, since no one else knows its id.
 */
export const personOf = (sql: SqlClient, account: InboxAccount, mail: InboundMail, isProven: boolean) =>
  sql<{ readonly role: "owner" | "member" }>`
    select person.role from (
      select 'owner' as role where ${mail.fromAddress ?? ""} = any (${account.ownAddresses}::text[])
      union all
      select 'member' from member m where m.account_id = ${account.accountId} and lower(m.email) = ${mail.fromAddress ?? ""}
    ) person
    where ${isProven} or exists (select from email_message e where e.account_id = ${account.accountId}
      and e.direction = 'outbound' and e.message_id = any (${mail.answers.slice(0, 100)}::text[])
      and lower(e.to_address) = ${mail.fromAddress ?? ""})
    order by person.role desc limit 1`.pipe(
    fromSql(),
    Effect.map((rows) => rows[0]?.role)
  )

/**
 * The lead that wrote, and whether the message replies to one that the gateway sent to it. Only the lead knows that
 * message's id and reply address.
 */
export interface Writer {
  readonly leadId: LeadId | undefined
  readonly isAnswer: boolean
}

/** Identifies the lead by the message that is answered, then by the recipient address, then by the sender's address. */
export const writerOf = (sql: SqlClient, account: InboxAccount, mail: InboundMail): Effect.Effect<Writer, Transient> =>
  Effect.gen(function* () {
    const { accountId } = account
    const answers = mail.answers.slice(0, 100)
    const tagged = account.tags.filter(({ kind }) => kind === "reply").map(({ emailMessageId }) => emailMessageId)
    if (answers.length > 0 || tagged.length > 0) {
      const [thread] = yield* sql<{ readonly leadId: LeadId; readonly isAnswer: boolean }>`
        with thread as (
          select lead_id, direction, array_position(${answers}, message_id) as place from email_message
          where account_id = ${accountId} and lead_id is not null and status <> 'unauthenticated'
            and (message_id = any(${answers}) or (direction = 'outbound' and email_message_id = any(${tagged})))
        ), nearest as (
          select lead_id from thread order by place nulls last limit 1
        )
        select lead_id as "leadId", bool_or(direction = 'outbound') as "isAnswer"
        from thread where lead_id = (select lead_id from nearest) group by lead_id`
      if (thread !== undefined) return thread
    }
    if (mail.fromAddress === undefined) return { leadId: undefined, isAnswer: false }
    const leads = yield* sql<{ readonly lead_id: LeadId }>`
      select lead_id from lead where account_id = ${accountId} and email = ${mail.fromAddress}`
    return { leadId: leads[0]?.lead_id, isAnswer: false }
  }).pipe(fromSql())
