import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import { ChatApp, type OutgoingChatAppMessage, type SendOutcome } from "../../Services/ChatApp/ChatApp.ts"
import { decide } from "../../Services/ChatApp/ChatAppRules.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { SendGuard } from "../../Services/Outreach/SendGuard.ts"
import { type TouchId, TouchLedger } from "../../Services/Outreach/TouchLedger.ts"
import { firstOfLeads, lockFree } from "../Leads/Sql/Schedule.ts"
import { makeGroupedTransactions } from "../Platform/Postgres/GroupedTransactions.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import type { ChatAppSettling } from "./ChatAppSettling.ts"
import { type ChatAppMessageKey, openingOf, sendRows } from "./SendRows.ts"

interface Touched {
  readonly touchId: TouchId | null
  readonly messageType: string | null
}

/** A message of a lead's that is about to be sent. */
interface BegunMessage {
  readonly leadId: LeadId
  readonly touch: Touched
  readonly message: OutgoingChatAppMessage
}

interface LeftMessage extends ChatAppMessageKey, Touched {
  readonly leadId: LeadId
  readonly providerMessageId: string
}

const mostMessages = 32

/**
 * Messages that are to leave at about the same time, begun by one transaction, and by another one written down as sent: a
 * statement for each step instead of one for each message. What is not usual about a message (it was begun before, it has
 * a file, something stops it, a cap is near, somebody holds its lead, the group failed) is to be done as if there were no groups.
 */
export const makeChatAppGroups = (settling: ChatAppSettling) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const guard = yield* SendGuard
    const ledger = yield* TouchLedger
    const provider = yield* ChatApp

    const accountsOf = (keys: ReadonlyArray<ChatAppMessageKey>) => [...new Set(keys.map(({ accountId }) => accountId))]
    const idsOf = (keys: ReadonlyArray<ChatAppMessageKey>) => keys.map(({ chatAppMessageId }) => chatAppMessageId)

    /** The leads before the messages, and these before the budgets. */
    const beginAll = (asked: ReadonlyArray<ChatAppMessageKey>) =>
      Effect.gen(function* () {
        const queued = yield* sql<Touched & ChatAppMessageKey & { readonly leadId: LeadId | null }>`
          select m.account_id as "accountId", m.chatapp_message_id as "chatAppMessageId", m.lead_id as "leadId",
            m.touch_id as "touchId", m.message_type as "messageType"
          from chatapp_message m
          where m.account_id = any (${accountsOf(asked)}::bigint[])
            and m.chatapp_message_id = any (${idsOf(asked)}::bigint[])
            and m.direction = 'outbound' and m.status = 'queued' and m.kind = 'text'`.pipe(fromSql())
        const ofLeads = firstOfLeads(queued)
        if (ofLeads.length === 0) return []
        // Looked at under the leads' locks, which answers of theirs take too.
        const blocks = yield* guard.checkFree(
          ofLeads.map(({ accountId, leadId, messageType, touchId }) => ({
            accountId,
            leadId,
            channel: "chatapp",
            isAutonomous: messageType !== "user_written",
            touchId
          }))
        )
        const free = ofLeads.filter((_, place) => {
          const block = blocks[place]
          return block !== undefined && Option.isNone(block)
        })
        if (free.length === 0) return []
        const rows = new Map((yield* sendRows(sql, provider.mode, free)).map((row) => [row.chatAppMessageId, row]))
        const usual = free.flatMap((key) => {
          const row = rows.get(key.chatAppMessageId)
          if (row === undefined || row.status !== "queued" || row.phone === null) return []
          const decision = decide({ ...row, block: undefined, leader: row.leader ?? undefined })
          if (decision._tag !== "Send" || decision.as === "media") return []
          return [{ key, row, phone: row.phone, opening: decision.as === "opening" ? openingOf(row) : undefined }]
        })
        const price = provider.prices[provider.opening.category]
        const days = yield* settling.spend.reserveAll(
          usual.flatMap(({ key, opening }) => (opening === undefined ? [] : [key.accountId])),
          price
        )
        const begun = usual.filter(({ key, opening }) => opening === undefined || days.has(key.accountId))
        if (begun.length === 0) return []
        yield* sql`
          update chatapp_message m set status = 'sending', failure_reason = null, sending_at = instant(),
            deferred_until = null, kind = b.kind, phone = b.phone, body = b.body, template_name = b.template,
            template_language = b.language, cost_brl = b.price, spend_day = b.day, price_category = b.category
          from unnest(${begun.map(({ key }) => key.accountId)}::bigint[],
            ${begun.map(({ key }) => key.chatAppMessageId)}::bigint[],
            ${begun.map(({ opening }) => (opening === undefined ? "text" : "template"))}::text[],
            ${begun.map(({ phone }) => phone)}::text[],
            ${begun.map(({ opening, row }) => opening?.body ?? row.body)}::text[],
            ${begun.map(({ opening }) => (opening === undefined ? null : provider.opening.template))}::text[],
            ${begun.map(({ opening }) => opening?.language ?? null)}::text[],
            ${begun.map(({ opening }) => (opening === undefined ? "0" : price))}::numeric[],
            ${begun.map(({ key, opening }) => (opening === undefined ? null : (days.get(key.accountId) ?? null)))}::date[],
            ${begun.map(({ opening }) => (opening === undefined ? null : provider.opening.category))}::text[])
            as b (account_id, chatapp_message_id, kind, phone, body, template, language, price, day, category)
          where m.account_id = b.account_id and m.chatapp_message_id = b.chatapp_message_id`.pipe(fromSql())
        return begun.map(({ key, opening, phone, row }): ChatAppMessageKey & BegunMessage => ({
          ...key,
          touch: { touchId: key.touchId, messageType: key.messageType },
          message: {
            from: { accountId: key.accountId, lineId: row.lineId ?? "", credential: row.credential },
            to: phone,
            reference: row.reference,
            content: opening ?? { _tag: "Text", body: row.body }
          }
        }))
      })

    /** Answers which are written down now; those that the provider told of before are not. */
    const leaveAll = (asked: ReadonlyArray<LeftMessage>) =>
      Effect.gen(function* () {
        const held = new Set(yield* lockFree(sql, asked))
        const free = asked.filter((_, place) => held.has(place))
        const open = yield* sql<{ readonly id: number }>`
          update chatapp_message m set status = 'sent', provider_message_id = sent.id, failure_reason = null,
            deferred_until = null, occurred_at = coalesce(m.occurred_at, instant())
          from unnest(${free.map(({ accountId }) => accountId)}::bigint[], ${idsOf(free)}::bigint[],
            ${free.map(({ providerMessageId }) => providerMessageId)}::text[]) as sent (account_id, chatapp_message_id, id)
          where m.account_id = sent.account_id and m.chatapp_message_id = sent.chatapp_message_id
            and m.direction = 'outbound' and m.status in ('sending', 'unknown')
          returning m.chatapp_message_id as id`.pipe(fromSql())
        const opened = new Set(open.map(({ id }) => id))
        const left = free.filter(({ chatAppMessageId }) => opened.has(chatAppMessageId))
        if (left.length === 0) return left
        yield* ledger.allSent(left.map((message) => ({ ...message, channel: "chatapp", kind: message.messageType })))
        yield* settling.followAll(left)
        return left
      })

    const begin = yield* makeGroupedTransactions({
      mostItems: mostMessages,
      keyOf: ({ chatAppMessageId }: ChatAppMessageKey) => chatAppMessageId,
      usual: (asked) => asked,
      write: (asked) =>
        Effect.map(beginAll(asked), (begun) => begun.map((message) => [message.chatAppMessageId, message] as const)),
      isTakenOnce: true
    })

    const leave = yield* makeGroupedTransactions({
      mostItems: mostMessages,
      keyOf: ({ chatAppMessageId }: LeftMessage) => chatAppMessageId,
      usual: (asked) => firstOfLeads(asked),
      write: (asked) =>
        Effect.map(leaveAll(asked), (left) => left.map(({ chatAppMessageId }) => [chatAppMessageId, true] as const))
    })

    return {
      /** Marks a message that is usual as being sent. */
      begin: (key: ChatAppMessageKey): Effect.Effect<Option.Option<BegunMessage>> => begin(key),
      /** Writes a message down as sent, if that is what came of it; answers whether nothing is left to be done. */
      left: (message: Omit<LeftMessage, "providerMessageId">, came: SendOutcome): Effect.Effect<boolean> =>
        came._tag === "Accepted"
          ? Effect.map(leave({ ...message, providerMessageId: came.providerMessageId }), Option.isSome)
          : Effect.succeed(false)
    }
  })
