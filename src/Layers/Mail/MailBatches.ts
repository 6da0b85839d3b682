import { randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { SendGuard } from "../../Services/Outreach/SendGuard.ts"
import { TouchLedger } from "../../Services/Outreach/TouchLedger.ts"
import { SenderIdentity } from "../../Services/SenderDomains/SenderDomains.ts"
import { firstOfLeads, lockFree } from "../Leads/Sql/Schedule.ts"
import { makeGroupedTransactions } from "../Platform/Postgres/GroupedTransactions.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { isAutonomous, type MailKey, type OutgoingRow, outgoingRows } from "./OutgoingMailRows.ts"

/** A message that an attempt holds. */
export interface HeldMail {
  readonly accountId: AccountId
  readonly row: OutgoingRow
  readonly id: string
}

interface SentMail extends HeldMail {
  readonly response: string | undefined
}

const mostMails = 32

/**
 * Messages that are to leave at about the same time, taken by one transaction, and by another one written down as sent:
 * a statement for each step instead of one for each message. What is not usual about a message (it was tried before, it
 * leaves under a domain of the account's, something stops it, somebody holds its lead, the group failed) is answered with nothing, and is
 * to be done as if there were no groups.
 */
export const makeMailBatches = Effect.gen(function* () {
  const sql = yield* SqlClient
  const guard = yield* SendGuard
  const ledger = yield* TouchLedger
  const identity = yield* SenderIdentity

  /** The leads before the messages: whoever stops a lead locks in this order too. */
  const claimAll = (asked: ReadonlyArray<MailKey>) =>
    Effect.gen(function* () {
      const found = new Map((yield* outgoingRows(sql, asked)).map((row) => [row.email_message_id, row]))
      const others = yield* identity.ofOwnDomain(asked.map(({ accountId }) => accountId))
      const usual = asked.flatMap(({ accountId, emailMessageId }) => {
        const row = found.get(emailMessageId)
        if (row === undefined || row.lead_id === null || row.status !== "queued" || row.is_handed_over) return []
        if (row.is_address_suppressed || row.sender_domain_id !== null || others.has(accountId)) return []
        return [{ accountId, row, leadId: row.lead_id, id: randomUUID() }]
      })
      if (usual.length === 0) return []
      const blocks = yield* guard.checkFree(
        usual.map(({ accountId, leadId, row }) => ({
          accountId,
          leadId,
          channel: "email",
          isAutonomous: isAutonomous(row),
          touchId: row.touch_id
        }))
      )
      const free = usual.filter((_, place) => {
        const block = blocks[place]
        return block !== undefined && Option.isNone(block)
      })
      const taken = yield* sql<{ readonly id: string }>`
        update email_message m set status = 'sending', sending_at = instant(), sending_claim = claim.id,
          failure_reason = null
        from unnest(${free.map(({ accountId }) => accountId)}::bigint[],
          ${free.map(({ row }) => row.email_message_id)}::bigint[], ${free.map(({ id }) => id)}::uuid[])
          as claim (account_id, email_message_id, id)
        where m.account_id = claim.account_id and m.email_message_id = claim.email_message_id
          and m.status = 'queued' and m.handed_over_at is null
        returning m.sending_claim as id`.pipe(fromSql())
      const claims = new Set(taken.map(({ id }) => id))
      return free.filter(({ id }) => claims.has(id))
    })

  /** Answers those that are written down now. One that went out is `sent`, whoever thought what. */
  const recordAll = (asked: ReadonlyArray<SentMail & { readonly leadId: LeadId }>) =>
    Effect.gen(function* () {
      const held = new Set(yield* lockFree(sql, asked))
      const free = asked.filter((_, place) => held.has(place))
      const open = yield* sql<{ readonly id: number }>`
        update email_message m set status = 'sent', failure_reason = null, sending_claim = null, sent_at = instant(),
          occurred_at = instant(), provider_response = coalesce(sent.response, m.provider_response)
        from unnest(${free.map(({ accountId }) => accountId)}::bigint[],
          ${free.map(({ row }) => row.email_message_id)}::bigint[], ${free.map(({ response }) => response ?? null)}::text[])
          as sent (account_id, email_message_id, response)
        where m.account_id = sent.account_id and m.email_message_id = sent.email_message_id
          and m.status in ('queued', 'sending', 'unknown', 'cancelled')
        returning m.email_message_id as id`.pipe(fromSql())
      const opened = new Set(open.map(({ id }) => id))
      const news = free.filter(({ row }) => opened.has(row.email_message_id))
      yield* ledger.allSent(
        news.map(({ accountId, leadId, row }) => ({
          accountId,
          leadId,
          touchId: row.touch_id,
          channel: "email",
          kind: row.message_type
        }))
      )
      return { free: new Set(free), news: new Set(news) }
    })

  const claim = yield* makeGroupedTransactions({
    mostItems: mostMails,
    keyOf: ({ emailMessageId }: MailKey) => emailMessageId,
    usual: (asked) => asked,
    write: (asked) =>
      Effect.map(claimAll(asked), (claims) => claims.map((held) => [held.row.email_message_id, held] as const)),
    isTakenOnce: true
  })

  const record = yield* makeGroupedTransactions({
    mostItems: mostMails,
    keyOf: (mail: SentMail) => mail,
    usual: (asked) => firstOfLeads(asked.map((mail) => ({ ...mail, mail, leadId: mail.row.lead_id }))),
    write: (asked) =>
      Effect.map(recordAll(asked), ({ free, news }) =>
        asked.flatMap((item) => (free.has(item) ? [[item.mail, news.has(item)] as const] : []))
      )
  })

  return {
    /** An attempt's hold on a message that is usual. */
    claim: (mail: MailKey): Effect.Effect<Option.Option<HeldMail>> => claim(mail),
    /** Writes a message down as sent; answers whether it was still open, and nothing where it is to be written down alone. */
    sent: (mail: SentMail): Effect.Effect<Option.Option<boolean>> => record(mail)
  }
})
