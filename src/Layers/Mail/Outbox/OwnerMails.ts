import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import {
  type NewsFacts,
  OwnerMails,
  type OwnerNoticeKind,
  ownerNotice,
  ownerNoticeType
} from "../../../Services/Events/OwnerNotices.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { leadPageDays, leadPagePath, leadPageToken } from "../../../Services/Leads/LeadPageLink.ts"
import { AccountNotices } from "../../../Services/Mail/AccountNotices.ts"
import { languageOf } from "../../../Services/Text/Language.ts"
import { isOwnConfirmed } from "../../Accounts/Sql.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"
import { isConfirmedRecipient } from "../Sql.ts"

/** The notices that members of the account get copies of. */
const copiedToMembers: ReadonlySet<OwnerNoticeKind> = new Set(["lead_became_interested", "lead_confirmed"])

// Notices go to the confirmed address of the preferences, else to the account's list, else, without a list, to the
// account's address. No address gets anything before it is confirmed.

/** After a permanent failure, the address gets no notices for this many days. A corrected address gets the next one. */
const daysAfterFailure = 7

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const notices = yield* AccountNotices

  const { baseUrl } = yield* Settings

  /** The addresses for an account's notices. Members get copies of some. */
  const recipientsOf = (accountId: AccountId, withMembers: boolean) =>
    sql<{ readonly address: string; readonly language: string; readonly key: Uint8Array }>`
      select r.address, a.language_key as language, a.mail_key as key
      from account a join prospecting_config p using (account_id)
        cross join lateral (
          select case when ${isOwnConfirmed(sql, sql`${accountId}`, sql`lower(p.notification_email)`)}
            then lower(p.notification_email) end as address) named
        cross join lateral (
          select named.address where named.address is not null
          union select n.email from notification_address n
            where n.account_id = a.account_id and n.confirmed_at is not null and named.address is null
          union select lower(a.email) where named.address is null
            and not exists (select from notification_address n where n.account_id = a.account_id)
          union select m.email from member m
            where m.account_id = a.account_id and m.email is not null and ${withMembers}) r
      where a.account_id = ${accountId} and r.address is not null
        and ${isConfirmedRecipient(sql, sql`${accountId}`, sql`r.address`)}
        and not exists (select from email_message m where m.account_id = a.account_id and m.to_address = r.address
          and m.lead_id is null and m.direction = 'outbound' and m.message_type = ${ownerNoticeType} and m.failure_reason in ('hard_bounce', 'recipient_rejected')
          and m.created_at > instant() - make_interval(days => ${daysAfterFailure}))`.pipe(fromSql())

  const send = Effect.fnUntraced(function* (
    accountId: AccountId,
    kind: OwnerNoticeKind,
    leadId: LeadId,
    facts: NewsFacts
  ) {
    const recipients = yield* recipientsOf(accountId, copiedToMembers.has(kind))
    const expiresAt = (yield* Clock.currentTimeMillis) + leadPageDays * 86_400_000
    for (const { address, key, language } of recipients) {
      const link = `${baseUrl}${leadPagePath(leadId)}${leadPageToken(key, { accountId, leadId, expiresAt })}`
      yield* notices.queue(accountId, { to: address, ...ownerNotice(kind, link, facts, languageOf(language)) })
    }
  })

  const tell = Effect.fnUntraced(function* (
    accountId: AccountId,
    notice: { readonly subject: string; readonly text: string }
  ) {
    for (const { address } of yield* recipientsOf(accountId, false)) {
      yield* notices.queue(accountId, { to: address, ...notice })
    }
  })
  return OwnerMails.of({ send, tell })
})

export const OwnerMailsPostgres = Layer.effect(OwnerMails, make)
