import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import { ownerNoticeType } from "../../../Services/Events/OwnerNotices.ts"
import type { LeadId, LeadStatus } from "../../../Services/Leads/Ids.ts"
import type { NoticeFile } from "../../../Services/Mail/AccountNotices.ts"
import type { MailAttachment, Mailbox, OutgoingMail } from "../../../Services/Mail/Mail.ts"
import { taggedAddress, unsubscribeToken } from "../../../Services/Mail/MailTags.ts"
import { mailBody } from "../../../Services/Mail/MailText.ts"
import { stopToken } from "../../../Services/Mail/StrangerMails.ts"
import type { TouchId } from "../../../Services/Outreach/TouchLedger.ts"
import { returnPathDomain } from "../../../Services/SenderDomains/DnsRecords.ts"
import type { SenderDomainId } from "../../../Services/SenderDomains/Ids.ts"
import type { Sender } from "../../../Services/SenderDomains/SenderDomains.ts"
import { normaliseEmail } from "../../../Services/Text/ContactDetails.ts"
import { type Language, languageOf } from "../../../Services/Text/Language.ts"
import { languageOfLead } from "../../../Services/Text/LeadLanguage.ts"
import { mailedName } from "../../../Services/Text/MailedName.ts"
import { isOwnConfirmed } from "../../Accounts/Sql.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { isConfirmedRecipient, isStopped } from "../Sql.ts"

/** An outgoing message, with everything that its headers and its frame need. */
export interface OutgoingRow {
  readonly email_message_id: number
  readonly lead_id: LeadId | null
  readonly touch_id: TouchId | null
  readonly message_type: string | null
  readonly status: string
  readonly message_id: string
  readonly from_address: string
  readonly sender_domain_id: SenderDomainId | null
  readonly to_address: string
  readonly subject: string
  readonly body_text: string
  readonly in_reply_to: string | null
  readonly thread_references: ReadonlyArray<string>
  readonly invitation: string | null
  readonly attachments: ReadonlyArray<NoticeFile>
  readonly is_handed_over: boolean
  /** Seconds since the hand-over. Null before it. */
  readonly handed_over_for: number | null
  readonly sending_claim: string | null
  readonly is_address_suppressed: boolean
  /** True if the recipient has not confirmed that it expects mail of the account. */
  readonly is_to_stranger: boolean
  readonly handle: string
  readonly mail_key: Uint8Array
  readonly plan: Plan
  readonly account_email: string | null
  readonly language_key: string
  readonly sender_name: string
  readonly other_names: ReadonlyArray<string>
  readonly email_signature: string | null
  readonly owner_copy_to: string | null
  readonly lead_name: string | null
  readonly lead_status: LeadStatus | null
  readonly lead_language: Language | null
  readonly country: string | null
  readonly state: string | null
  readonly phone: string | null
}

const columns = `
  m.email_message_id, m.lead_id, m.touch_id, m.message_type, m.status, m.message_id, m.from_address,
  m.sender_domain_id, m.to_address,
  m.subject, m.body_text, m.in_reply_to, m.thread_references, m.invitation, m.attachments, m.sending_claim,
  m.handed_over_at is not null as is_handed_over,
  extract(epoch from instant() - m.handed_over_at)::float8 as handed_over_for,
  a.handle, a.mail_key, a.plan, a.email as account_email, a.language_key,
  coalesce(c.email_display_name, a.mail_display_name, a.name) as sender_name,
  array_remove(array[a.mail_display_name, a.name, c.business_name], null) as other_names,
  p.email_signature,
  l.name as lead_name, l.status as lead_status, l.language as lead_language,
  l.country, l.state, l.phone`

/** A message of an account. */
export interface MailKey {
  readonly accountId: AccountId
  readonly emailMessageId: number
}

/** The current rows of outgoing messages, in no particular order. */
export const outgoingRows = (
  sql: SqlClient,
  keys: ReadonlyArray<MailKey>
): Effect.Effect<ReadonlyArray<OutgoingRow>, Transient> =>
  sql<OutgoingRow>`
    select ${sql.literal(columns)},
      case when p.cc_on_interested_lead_emails and l.status = 'Interested' then coalesce(
        case when ${isOwnConfirmed(sql, sql`a.account_id`, sql`lower(p.notification_email)`)} then p.notification_email end,
        case when ${isOwnConfirmed(sql, sql`a.account_id`, sql`lower(a.email)`)} then a.email end) end as owner_copy_to,
      exists (select from email_suppression s where s.account_id = m.account_id and s.email = lower(m.to_address))
        or m.lead_id is null and (${isStopped(sql, sql`lower(m.to_address)`)}
          or exists (select from lead o where o.account_id = m.account_id and o.email = lower(m.to_address)))
        as is_address_suppressed,
      m.lead_id is null and not ${isConfirmedRecipient(sql, sql`m.account_id`, sql`lower(m.to_address)`)} as is_to_stranger
    from unnest(${keys.map(({ accountId }) => accountId)}::bigint[],
        ${keys.map(({ emailMessageId }) => emailMessageId)}::bigint[]) as key (account_id, email_message_id)
      join email_message m on m.account_id = key.account_id and m.email_message_id = key.email_message_id
      join account a on a.account_id = m.account_id
      join prospecting_config p on p.account_id = m.account_id
      left join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
      left join campaign c on c.account_id = l.account_id and c.campaign_id = l.campaign_id and c.archived_at is null
    where m.direction = 'outbound'`.pipe(fromSql())

/** True if the platform wrote the message on its own initiative. */
export const isAutonomous = ({ message_type }: OutgoingRow): boolean => message_type !== "user_written"

const replySubject = /^(?:(?:re|res|enc|fwd?|rv|aw)\s*:\s*)+/i

interface Thread {
  readonly message_id: string
  readonly thread_references: ReadonlyArray<string>
}

/**
 * The lead's latest message that this subject continues. A person who writes `Re: Offer` means that thread, but mail
 * programs go by the headers.
 */
export const threadOf = (
  sql: SqlClient,
  accountId: AccountId,
  row: OutgoingRow
): Effect.Effect<Thread | undefined, Transient> => {
  const base = row.subject.replace(replySubject, "").trim()
  if (row.lead_id === null || row.in_reply_to !== null || base === row.subject.trim()) return Effect.succeed(undefined)
  return sql<Thread & { readonly subject: string }>`
    select message_id, thread_references, subject from email_message
    where account_id = ${accountId} and lead_id = ${row.lead_id} and email_message_id <> ${row.email_message_id}
      and status in ('sent', 'received')
    order by coalesce(occurred_at, created_at) desc, email_message_id desc limit 20`.pipe(
    Effect.map((rows) => rows.find(({ subject }) => subject.replace(replySubject, "").trim() === base)),
    fromSql()
  )
}

const ownerCopy = ({ owner_copy_to, to_address }: OutgoingRow): Mailbox | undefined => {
  if (owner_copy_to === null) return undefined
  const address = normaliseEmail(owner_copy_to)
  return Either.isRight(address) && address.right !== to_address ? { address: address.right } : undefined
}

/** The message with its sender address. A message without a sender domain stays as it was written. */
export const sentAs = (row: OutgoingRow, sender: Exclude<Sender, { readonly _tag: "Hold" }>, mailDomain: string) => {
  if (sender._tag === "Platform" && row.sender_domain_id === null) return row
  const domain = sender._tag === "Domain" ? sender.domain : mailDomain
  return {
    ...row,
    sender_domain_id: sender._tag === "Domain" ? sender.senderDomainId : null,
    from_address: sender._tag === "Domain" ? sender.address : `${row.handle}@${mailDomain}`,
    message_id: row.message_id.replace(/@[^@>]*>$/, `@${domain}>`)
  }
}

/** The mail for a row. Every attempt produces the same one, except for the date. */
export const outgoingMail = (
  row: OutgoingRow,
  options: {
    readonly accountId: AccountId
    readonly domain: string
    readonly baseUrl: string
    readonly now: number
    readonly thread: Thread | undefined
    readonly sender: Sender
    readonly attachments: ReadonlyArray<MailAttachment>
  }
): OutgoingMail => {
  const { accountId, attachments, baseUrl, domain, now, sender, thread } = options
  const account = { handle: row.handle, mailKey: row.mail_key, domain }
  const isProspecting = row.lead_id !== null && isAutonomous(row)
  const unsubscribeUrl =
    isProspecting && row.lead_id !== null
      ? `${baseUrl}/u/${unsubscribeToken(row.mail_key, { accountId, leadId: row.lead_id })}`
      : undefined
  const stopUrl = row.is_to_stranger
    ? `${baseUrl}/not-me/${stopToken(row.mail_key, accountId, row.to_address)}`
    : undefined
  const body = mailBody(
    row.body_text,
    row.lead_id === null
      ? languageOf(row.language_key)
      : languageOfLead(
          { language: row.lead_language, country: row.country, state: row.state, phone: row.phone },
          row.language_key
        ),
    isProspecting
      ? { signature: row.email_signature, senderName: row.sender_name, otherNames: row.other_names, unsubscribeUrl }
      : undefined,
    stopUrl,
    row.message_type === ownerNoticeType ? row.subject : undefined
  )
  return {
    emailMessageId: row.email_message_id,
    messageId: row.message_id,
    envelopeFrom: taggedAddress(
      sender._tag === "Domain" ? { ...account, domain: returnPathDomain(sender.domain) } : account,
      "bounce",
      row.email_message_id
    ),
    from: { name: row.lead_id === null ? mailedName(row.sender_name) : row.sender_name, address: row.from_address },
    to: { name: row.lead_name ?? undefined, address: row.to_address },
    cc: ownerCopy(row),
    replyTo: taggedAddress(account, "reply", row.email_message_id),
    subject: row.subject,
    text: body.text,
    html: body.html,
    inReplyTo: row.in_reply_to ?? thread?.message_id,
    references:
      row.in_reply_to === null && thread !== undefined
        ? [...thread.thread_references, thread.message_id]
        : row.thread_references,
    unsubscribeUrl: unsubscribeUrl ?? stopUrl,
    isNotice: row.message_type === ownerNoticeType,
    attachments,
    ...(row.invitation === null
      ? {}
      : {
          invitation: {
            method: /^METHOD:CANCEL\r?$/m.test(row.invitation) ? ("CANCEL" as const) : ("REQUEST" as const),
            text: row.invitation
          }
        }),
    ...(sender._tag === "Domain" ? { signing: sender.signing } : {}),
    date: now
  }
}
