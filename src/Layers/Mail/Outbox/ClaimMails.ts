import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { MailDomain } from "../../../Services/Leads/Email/LeadEmails.ts"
import { type SendBlock, SendGuard } from "../../../Services/Outreach/SendGuard.ts"
import { TouchLedger } from "../../../Services/Outreach/TouchLedger.ts"
import { type Sender, SenderIdentity } from "../../../Services/SenderDomains/SenderDomains.ts"
import { countBlockOf } from "../../Blacklist/Sql.ts"
import { lockLeads } from "../../Leads/Sql/Schedule.ts"
import { type Locking, makeGroupedTransactions } from "../../Platform/Postgres/grouped/GroupedTransactions.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { isAutonomous, type MailKey, type OutgoingRow, outgoingRows, sentAs } from "./OutgoingMailRows.ts"

/** A message that one attempt has claimed. */
export interface MailClaim {
  readonly accountId: AccountId
  readonly row: OutgoingRow
  readonly id: string
  readonly sender: Sender
}

export type ClaimResult =
  | { readonly _tag: "Nothing" }
  /** An earlier attempt transmitted the whole message, so it may have been sent. */
  | { readonly _tag: "HandedOver"; readonly claim: MailClaim }
  | { readonly _tag: "Claimed"; readonly claim: MailClaim }
  | { readonly _tag: "Later"; readonly failure: Transient }

interface MailToClaim extends MailKey {
  readonly row: OutgoingRow
}

const platform: Sender = { _tag: "Platform" }

const nothing: ClaimResult = { _tag: "Nothing" }

const mostMails = 32

/** The message has not been sent yet, and its task should be retried. */
export const tryLater = (reason: string, seconds: number): Transient =>
  transient(reason, "The message has not been sent yet.", Math.max(1, Math.ceil(seconds)))

const isOpen = ({ status }: OutgoingRow): boolean => status === "queued" || status === "sending"

/** Ends messages that may not be sent any more. */
const makeCancelMail = Effect.gen(function* () {
  const sql = yield* SqlClient
  const ledger = yield* TouchLedger

  return (accountId: AccountId, row: OutgoingRow, block: SendBlock): Effect.Effect<void, Transient> =>
    Effect.gen(function* () {
      const rows = yield* sql`
        update email_message set status = 'cancelled', failure_reason = ${block}, sending_claim = null
        where account_id = ${accountId} and email_message_id = ${row.email_message_id}
          and status in ('queued', 'sending') and handed_over_at is null
        returning email_message_id`.pipe(fromSql())
      if (rows.length === 0) return
      if (row.touch_id !== null) {
        yield* ledger.settle([{ accountId, touchId: row.touch_id, end: "skipped", reason: block }])
      }
      if (block === "blacklisted") yield* countBlockOf(sql, accountId, { email: row.to_address })
    })
})

/** The current reason against sending each message. Locks the leads until the transaction ends. */
const makeBlocksOf = Effect.map(
  SendGuard,
  (guard) =>
    (
      mails: ReadonlyArray<{ readonly accountId: AccountId; readonly row: OutgoingRow }>
    ): Effect.Effect<ReadonlyArray<Option.Option<SendBlock>>, Transient> =>
      Effect.gen(function* () {
        const toLeads = mails.flatMap(({ accountId, row }) =>
          row.lead_id === null ? [] : [{ accountId, leadId: row.lead_id, row }]
        )
        const blocks = yield* guard.check(
          toLeads.map(({ accountId, leadId, row }) => ({
            accountId,
            leadId,
            channel: "email",
            isAutonomous: isAutonomous(row),
            touchId: row.touch_id
          }))
        )
        const blockOf = new Map(toLeads.map(({ row }, place) => [row, blocks[place]]))
        // The lead may have a different address now.
        return mails.map(({ row }) =>
          Option.orElse(blockOf.get(row) ?? Option.none(), () =>
            row.is_address_suppressed ? Option.some<SendBlock>("suppressed") : Option.none()
          )
        )
      })
)

/**
 * The sender address of each message. Domains count their mails, so accounts are processed in a fixed order to avoid
 * deadlocks.
 */
const makeSendersOf = Effect.map(
  SenderIdentity,
  (identity) => (mails: ReadonlyArray<MailToClaim>) =>
    Effect.gen(function* () {
      const withDomain = yield* identity.ofOwnDomain(mails.map(({ accountId }) => accountId))
      const senders = new Map<MailToClaim, Sender>()
      for (const mail of mails.toSorted((one, other) => one.accountId - other.accountId)) {
        const { lead_id: leadId, sender_domain_id: senderDomainId } = mail.row
        const sender =
          leadId !== null && withDomain.has(mail.accountId)
            ? yield* identity.of(mail.accountId, { leadId, senderDomainId })
            : platform
        senders.set(mail, sender)
      }
      return senders
    })
)

/** Claims messages for the attempts that send them, a batch in one transaction. */
export const makeMailClaims = Effect.gen(function* () {
  const sql = yield* SqlClient
  const blocksOf = yield* makeBlocksOf
  const sendersOf = yield* makeSendersOf
  const domain = yield* MailDomain
  const cancel = yield* makeCancelMail

  /** Also claims messages that an earlier attempt did not hand over, because those were not sent. */
  const reserve = (claims: ReadonlyArray<MailClaim>) =>
    sql<{ readonly id: string }>`
      update email_message m set status = 'sending', sending_at = instant(), sending_claim = claim.id,
        failure_reason = null, sender_domain_id = claim.sender_domain_id, message_id = claim.message_id,
        from_address = claim.from_address
      from unnest(${claims.map(({ accountId }) => accountId)}::bigint[],
        ${claims.map(({ row }) => row.email_message_id)}::bigint[], ${claims.map(({ id }) => id)}::uuid[],
        ${claims.map(({ row }) => row.sender_domain_id)}::bigint[], ${claims.map(({ row }) => row.message_id)}::text[],
        ${claims.map(({ row }) => row.from_address)}::text[])
        as claim (account_id, email_message_id, id, sender_domain_id, message_id, from_address)
      where m.account_id = claim.account_id and m.email_message_id = claim.email_message_id
        and m.status in ('queued', 'sending') and m.handed_over_at is null
      returning m.sending_claim as id`.pipe(
      Effect.map((rows) => new Set(rows.map(({ id }) => id))),
      fromSql()
    )

  const claimUnblocked = (mails: ReadonlyArray<MailToClaim>) =>
    Effect.gen(function* () {
      const results = new Map<MailToClaim, ClaimResult>()
      const claims = new Map<MailToClaim, MailClaim>()
      for (const [mail, sender] of yield* sendersOf(mails)) {
        if (sender._tag === "Hold") {
          results.set(mail, { _tag: "Later", failure: tryLater("sender_domain_paused", sender.seconds) })
        } else {
          const row = sentAs(mail.row, sender, domain)
          claims.set(mail, { accountId: mail.accountId, row, id: randomUUID(), sender })
        }
      }
      if (claims.size === 0) return results
      const reserved = yield* reserve([...claims.values()])
      for (const [mail, claim] of claims) {
        results.set(
          mail,
          reserved.has(claim.id)
            ? { _tag: "Claimed", claim }
            : { _tag: "Later", failure: tryLater("mail_in_flight", 5) }
        )
      }
      return results
    })

  /** Locks the leads before the messages. Changes that stop a lead lock in the same order. */
  const claimAll = (keys: ReadonlyArray<MailKey>, locking: Locking) =>
    Effect.gen(function* () {
      const rowOf = new Map((yield* outgoingRows(sql, keys)).map((row) => [row.email_message_id, row]))
      const mails = keys.map((key) => ({ ...key, row: rowOf.get(key.emailMessageId) }))
      const results = new Map<number, ClaimResult>()
      const unsent: Array<MailToClaim> = []
      for (const { accountId, emailMessageId, row } of mails) {
        if (row === undefined || !isOpen(row)) results.set(emailMessageId, nothing)
        else if (row.is_handed_over) {
          const claim = { accountId, row, id: row.sending_claim ?? "", sender: platform }
          results.set(emailMessageId, { _tag: "HandedOver", claim })
        } else unsent.push({ accountId, emailMessageId, row })
      }
      const areLocked = yield* lockLeads(
        sql,
        unsent.map(({ accountId, row }) => ({ accountId, leadId: row.lead_id })),
        locking
      )
      const lockedMails = unsent.filter((_, place) => areLocked[place])
      const blocks = yield* blocksOf(lockedMails)
      const unblocked: Array<MailToClaim> = []
      for (const [place, mail] of lockedMails.entries()) {
        const block = blocks[place] ?? Option.none()
        if (Option.isNone(block)) unblocked.push(mail)
        else {
          yield* cancel(mail.accountId, mail.row, block.value)
          results.set(mail.emailMessageId, nothing)
        }
      }
      if (unblocked.length > 0) {
        for (const [{ emailMessageId }, result] of yield* claimUnblocked(unblocked)) results.set(emailMessageId, result)
      }
      return keys.map(({ emailMessageId }) => Option.fromNullable(results.get(emailMessageId)))
    })

  const claim = yield* makeGroupedTransactions({
    name: "mail_claims",
    mostItems: mostMails,
    keyOf: ({ emailMessageId }: MailKey) => emailMessageId,
    write: claimAll
  })

  return {
    claim,
    cancel,
    /** The current reason against sending the message. Locks its lead until the transaction ends. */
    blockOf: (claim: MailClaim) => Effect.map(blocksOf([claim]), ([block = Option.none()]) => block)
  }
})
