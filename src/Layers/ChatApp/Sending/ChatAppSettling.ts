import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { ChatAppHealth } from "../../../Services/ChatApp/ChatApp.ts"
import { withParkedMessage } from "../../../Services/ChatApp/ChatAppParking.ts"
import type { MessageState } from "../../../Services/ChatApp/ChatAppRules.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { chatAppSendKey, sendChatAppMessage } from "../../../Services/Outreach/OutreachTasks.ts"
import { type TouchEnd, type TouchId, TouchLedger } from "../../../Services/Outreach/TouchLedger.ts"
import { lockLeads, setInstructions } from "../../Leads/Sql/Schedule.ts"
import { chatAppFailed } from "../../Leads/Sql/State.ts"
import type { Locking } from "../../Platform/Postgres/grouped/GroupedTransactions.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { makeChatAppSpend } from "./ChatAppSpend.ts"
import type { ChatAppMessageKey } from "./SendRows.ts"

export interface MessageOfLead extends ChatAppMessageKey {
  readonly leadId: LeadId | null
}

interface TouchMessage extends MessageOfLead {
  readonly touchId: TouchId | null
}

/** An outbound message that the transaction has locked, together with its lead. */
export interface HeldMessage extends TouchMessage {
  readonly status: MessageState
  readonly messageType: string | null
  readonly providerMessageId: string | null
  readonly costBrl: number
  readonly priceCategory: string | null
}

interface LeftMessage {
  readonly message: HeldMessage
  readonly status: "sent" | "delivered" | "read"
  readonly providerMessageId: string
  readonly occurredAt?: Timestamp | undefined
}

/** Reasons after which the lead gets no more messages. */
const forGood: ReadonlySet<string> = new Set([
  "lead_not_found",
  "unsubscribed",
  "blacklisted",
  "no_contact",
  "finished",
  "lead_finished"
])

const makeSettlingServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tasks = yield* TaskQueue
  const ledger = yield* TouchLedger
  const spend = yield* makeChatAppSpend
  return { ledger, spend, sql, tasks }
})
type SettlingServices = Effect.Effect.Success<typeof makeSettlingServices>

const makeSettlingRows = ({ ledger, sql, tasks }: SettlingServices) => {
  const thisRow = ({ accountId, chatAppMessageId }: ChatAppMessageKey) =>
    sql`account_id = ${accountId} and chatapp_message_id = ${chatAppMessageId}`

  /** Locks messages after their leads. Returns them in order. `None` if another transaction holds the lead. */
  const hold = Effect.fnUntraced(function* (messages: ReadonlyArray<MessageOfLead>, locking: Locking) {
    const areLocked = yield* lockLeads(sql, messages, locking)
    const lockedMessages = messages.filter((_, place) => areLocked[place])
    const rows = yield* sql<HeldMessage>`
      select account_id as "accountId", chatapp_message_id as "chatAppMessageId", lead_id as "leadId",
        touch_id as "touchId", status, message_type as "messageType", provider_message_id as "providerMessageId",
        cost_brl as "costBrl", price_category as "priceCategory"
      from chatapp_message
      where account_id = any (${[...new Set(lockedMessages.map(({ accountId }) => accountId))]}::bigint[])
        and chatapp_message_id = any (${lockedMessages.map(({ chatAppMessageId }) => chatAppMessageId)}::bigint[])
        and direction = 'outbound' for update`.pipe(fromSql())
    const rowOf = new Map(rows.map((row) => [row.chatAppMessageId, row]))
    return messages.map(({ chatAppMessageId }, place) =>
      areLocked[place] === true ? Option.some(rowOf.get(chatAppMessageId)) : Option.none()
    )
  })

  const settleTouch = ({ accountId, touchId }: TouchMessage, end: TouchEnd, reason: string) =>
    touchId === null ? Effect.void : ledger.settle([{ accountId, touchId, end, reason }])

  const enqueue = (accountId: AccountId, chatAppMessageId: number, runAt?: Timestamp) =>
    tasks.enqueue(
      sendChatAppMessage,
      { accountId, chatAppMessageId },
      { jobKey: chatAppSendKey(accountId, chatAppMessageId), runAt }
    )

  /** A message of the owner for the lead's next touch, which this touch could not send, waits for the next one. */
  const parkAgain = Effect.fnUntraced(function* (message: MessageOfLead) {
    const { accountId, chatAppMessageId, leadId } = message
    const parkedMessages = yield* sql<{ readonly text: string; readonly attachmentUrl: string | null }>`
      select m.body as text, (select f.media_url from chatapp_message f where f.account_id = m.account_id
        and f.follows_message_id = m.chatapp_message_id and f.kind = 'media') as "attachmentUrl"
      from chatapp_message m
      where m.account_id = ${accountId} and m.is_verbatim and m.kind <> 'media' and m.status = 'queued'
        and (m.chatapp_message_id = ${chatAppMessageId} or m.follows_message_id = ${chatAppMessageId})
      order by m.chatapp_message_id`.pipe(fromSql())
    if (parkedMessages.length === 0 || leadId === null) return
    const isLead = sql`account_id = ${accountId} and lead_id = ${leadId}`
    const leads = yield* sql<{ readonly instructions: string | null }>`
      select next_touch_instructions as instructions from lead where ${isLead}`.pipe(fromSql())
    const instructions = parkedMessages.reduce<string | null>(
      (before, { attachmentUrl, text }) =>
        withParkedMessage(before, { text, attachmentUrl: attachmentUrl ?? undefined }),
      leads[0]?.instructions ?? null
    )
    yield* setInstructions(sql, { accountId, leadId }, instructions)
  })

  /** Marks lines whose messages were sent as healthy, and queues the messages that follow these. */
  const followAll = Effect.fnUntraced(function* (left: ReadonlyArray<ChatAppMessageKey>) {
    const accounts = [...new Set(left.map(({ accountId }) => accountId))]
    const followers = yield* sql<ChatAppMessageKey>`
      with healed as (
        update chatapp_line set health_issue = null, health_fix = null
        where account_id = any (${accounts}::bigint[]) and health_issue is not null
      )
      select account_id as "accountId", chatapp_message_id as "chatAppMessageId" from chatapp_message
      where account_id = any (${accounts}::bigint[])
        and follows_message_id = any (${left.map(({ chatAppMessageId }) => chatAppMessageId)}::bigint[])
        and status = 'queued'`.pipe(fromSql())
    for (const { accountId, chatAppMessageId } of followers) yield* enqueue(accountId, chatAppMessageId)
  })

  return { thisRow, hold, settleTouch, enqueue, parkAgain, followAll }
}
type SettlingRows = ReturnType<typeof makeSettlingRows>

const messagesThatLeft = ({ ledger, sql }: SettlingServices, { followAll }: SettlingRows) => ({
  /** Records that messages were sent. `status` is the state that each one reached. */
  left: Effect.fnUntraced(function* (messages: ReadonlyArray<LeftMessage>) {
    if (messages.length === 0) return
    yield* sql`
      update chatapp_message m set status = l.status, provider_message_id = l.provider_message_id,
        failure_reason = null, deferred_until = null,
        occurred_at = coalesce(m.occurred_at, l.occurred_at, instant())
      from unnest(${messages.map(({ message }) => message.accountId)}::bigint[],
        ${messages.map(({ message }) => message.chatAppMessageId)}::bigint[],
        ${messages.map(({ status }) => status)}::text[],
        ${messages.map(({ providerMessageId }) => providerMessageId)}::text[],
        ${messages.map(({ occurredAt = null }) => occurredAt)}::timestamptz[])
        as l (account_id, chatapp_message_id, status, provider_message_id, occurred_at)
      where m.account_id = l.account_id and m.chatapp_message_id = l.chatapp_message_id`.pipe(fromSql())
    yield* ledger.sent(
      messages.flatMap(({ message: { accountId, leadId, messageType, touchId } }) =>
        leadId === null ? [] : [{ accountId, leadId, touchId, channel: "chatapp" as const, kind: messageType }]
      )
    )
    yield* followAll(messages.map(({ message }) => message))
  })
})

const messagesNotSent = (
  { spend, sql }: SettlingServices,
  { enqueue, parkAgain, settleTouch, thisRow }: SettlingRows
) => ({
  /** Records that the message will not be sent, and releases its reserved price. */
  ended: Effect.fnUntraced(function* (
    message: TouchMessage,
    status: "cancelled" | "failed",
    reason: string,
    options: { readonly isUnreachable?: boolean; readonly providerMessageId?: string } = {}
  ) {
    const { accountId, chatAppMessageId, leadId } = message
    yield* spend.correct(accountId, chatAppMessageId, "0")
    if (status === "cancelled" && !forGood.has(reason)) yield* parkAgain(message)
    yield* sql`
      update chatapp_message set status = ${status}, failure_reason = ${reason}, deferred_until = null,
        provider_message_id = coalesce(${options.providerMessageId ?? null}, provider_message_id)
      where ${thisRow(message)}`.pipe(fromSql())
    yield* settleTouch(message, status === "cancelled" ? "skipped" : "failed", reason)
    if (options.isUnreachable === true && leadId !== null) {
      yield* chatAppFailed(sql, { accountId, leadId })
    }
    yield* sql`
      update chatapp_message set status = 'cancelled', failure_reason = 'text_not_sent'
      where account_id = ${accountId} and follows_message_id = ${chatAppMessageId} and status = 'queued'`.pipe(
      fromSql()
    )
  }),

  /** Records an unknown outcome. The message may have been sent, so its price stays counted. */
  lost: Effect.fnUntraced(function* (message: HeldMessage) {
    yield* sql`
      update chatapp_message set status = 'unknown', failure_reason = 'outcome_unknown'
      where ${thisRow(message)}`.pipe(fromSql())
    yield* settleTouch(message, "unknown", "outcome_unknown")
  }),

  /** The message was certainly not sent. It waits for the next attempt, and this one does not count. */
  putBack: Effect.fnUntraced(function* (message: HeldMessage, reason: string, health: ChatAppHealth | undefined) {
    const { accountId, chatAppMessageId } = message
    yield* spend.correct(accountId, chatAppMessageId, "0")
    yield* sql`
      update chatapp_message set status = 'queued', failure_reason = ${reason}, sending_at = null, spend_day = null
      where ${thisRow(message)}`.pipe(fromSql())
    if (health === undefined) return
    yield* sql`
      update chatapp_line set health_issue = ${health.issue}, health_fix = ${health.fix}
      where account_id = ${accountId}`.pipe(fromSql())
  }),

  withhold: (message: ChatAppMessageKey, until: Timestamp) =>
    Effect.zipRight(
      sql`update chatapp_message set deferred_until = ${until} where ${thisRow(message)}`.pipe(fromSql()),
      enqueue(message.accountId, message.chatAppMessageId, until)
    )
})

/**
 * Applies the outcomes of outbound messages, whether they come from the answer to the request or from a later report.
 * Call it in a transaction that began with `hold`. Every change locks the lead, then the message, then the budget.
 */
export const makeChatAppSettling = Effect.gen(function* () {
  const services = yield* makeSettlingServices
  const { spend } = services
  const settlingRows = makeSettlingRows(services)
  const { enqueue, followAll, hold } = settlingRows

  return {
    ...messagesThatLeft(services, settlingRows),
    ...messagesNotSent(services, settlingRows),
    hold,
    enqueue,
    followAll,
    spend
  }
})

export type ChatAppSettling = Effect.Effect.Success<typeof makeChatAppSettling>
