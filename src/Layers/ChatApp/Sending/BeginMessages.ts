import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import {
  ChatApp,
  type ChatAppContent,
  type ChatAppNumber,
  type OutgoingChatAppMessage
} from "../../../Services/ChatApp/ChatApp.ts"
import { chatAppNoticeType } from "../../../Services/ChatApp/ChatAppNotices.ts"
import { decide } from "../../../Services/ChatApp/ChatAppRules.ts"
import { fromMillis, now, type Timestamp, toMillis } from "../../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { SendGuard } from "../../../Services/Outreach/SendGuard.ts"
import { nextContactTime } from "../../../Services/Timing/ContactTime.ts"
import { countBlockOf } from "../../Blacklist/Sql.ts"
import { lockLeads } from "../../Leads/Sql/Schedule.ts"
import { type Locking, makeGroupedTransactions } from "../../Platform/Postgres/grouped/GroupedTransactions.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { ChatAppSettling } from "./ChatAppSettling.ts"
import { type ChatAppMessageKey, openingOf, type SendRow, sendRows } from "./SendRows.ts"

/** The state of a message at the start of an attempt. */
export type BegunMessage =
  | { readonly _tag: "Ended" }
  /** Another attempt is running, or was interrupted. */
  | {
      readonly _tag: "Sending"
      readonly leadId: LeadId | null
      readonly forSeconds: number
      readonly from: ChatAppNumber
      readonly reference: string
    }
  | { readonly _tag: "Begun"; readonly leadId: LeadId | null; readonly message: OutgoingChatAppMessage }

interface SendableMessage {
  readonly row: SendRow
  readonly phone: string
  readonly content: ChatAppContent
}

const ended: BegunMessage = { _tag: "Ended" }

const mostMessages = 32

const hasLostItsLead = ({ leadId, messageType }: SendRow): boolean =>
  leadId === null && messageType !== chatAppNoticeType

const lineOf = ({ accountId, credential, lineId }: SendRow): ChatAppNumber => ({
  accountId,
  lineId: lineId ?? "",
  credential
})

const contentOf = (row: SendRow, as: "text" | "opening" | "media"): ChatAppContent => {
  switch (as) {
    case "text":
      return { _tag: "Text", body: row.body }
    case "opening":
      return openingOf(row)
    case "media":
      return {
        _tag: "Media",
        kind: row.mediaType ?? "document",
        url: row.mediaUrl ?? "",
        fileName: row.mediaName ?? undefined
      }
  }
}

/** Returns when an opening that exceeds a cap may be sent: in its lead's window on a workday, not before `until`. */
const inWindow = ({ accountTimeZone, languageKey, leadPhone, ...row }: SendRow, until: Timestamp): Timestamp =>
  fromMillis(
    nextContactTime(
      toMillis(until),
      { ...row, phone: leadPhone },
      { timeZone: accountTimeZone, language: languageKey },
      row
    )
  )

const kindOf = { Text: "text", Media: "media", Opening: "template" } as const

const makeLeadsOf = Effect.map(
  SqlClient,
  (sql) => (keys: ReadonlyArray<ChatAppMessageKey>) =>
    Effect.gen(function* () {
      const rows = yield* sql<{ readonly id: number; readonly leadId: LeadId | null }>`
          select chatapp_message_id as id, lead_id as "leadId" from chatapp_message
          where account_id = any (${[...new Set(keys.map(({ accountId }) => accountId))]}::bigint[])
            and chatapp_message_id = any (${keys.map(({ chatAppMessageId }) => chatAppMessageId)}::bigint[])`.pipe(
        fromSql()
      )
      const leadOf = new Map(rows.map(({ id, leadId }) => [id, leadId]))
      return keys.map((key) => ({ ...key, leadId: leadOf.get(key.chatAppMessageId) ?? null }))
    })
)

/** Returns what blocks each message. It is checked under the lead's lock, which an answer of the lead also takes. */
const makeBlocksOf = Effect.map(
  SendGuard,
  (guard) => (rows: ReadonlyArray<SendRow>) =>
    Effect.gen(function* () {
      const toLeads = rows.flatMap((row) => (row.leadId === null ? [] : [{ row, leadId: row.leadId }]))
      const blocks = yield* guard.check(
        toLeads.map(({ leadId, row: { accountId, messageType, touchId } }) => ({
          accountId,
          leadId,
          channel: "chatapp",
          isAutonomous: messageType !== "user_written",
          touchId
        }))
      )
      return new Map(
        toLeads.flatMap(({ row }, place) => {
          const block = blocks[place] ?? Option.none()
          return Option.isSome(block) ? [[row, block.value] as const] : []
        })
      )
    })
)

/** Decides which openings are sent now. Their price is reserved, and the others wait. */
const makeOpenings = (settling: ChatAppSettling, price: string) => {
  /** An opening that a cap delayed is sent in its lead's window, whether the time or a higher cap released it. */
  const openingsInWindow = (openings: ReadonlyArray<SendableMessage>) =>
    Effect.gen(function* () {
      const present = yield* now
      const waiting = openings.filter(({ row }) => row.isHeld && inWindow(row, present) > present)
      for (const { row } of waiting) yield* settling.withhold(row, inWindow(row, present))
      return openings.filter((opening) => !waiting.includes(opening))
    })

  /** Reserves the price of openings. Returns the day on which each counts. Openings over a cap are deferred. */
  const reserveOpenings = (openings: ReadonlyArray<SendableMessage>) =>
    Effect.gen(function* () {
      const days = new Map<SendableMessage, string>()
      const reservations = yield* settling.spend.reserve(
        openings.map(({ row }) => row.accountId),
        price
      )
      for (const [place, opening] of openings.entries()) {
        const reservation = reservations[place]
        if (reservation?._tag === "Reserved") days.set(opening, reservation.day)
        if (reservation?._tag === "AtCap") {
          yield* settling.withhold(opening.row, inWindow(opening.row, reservation.until))
        }
      }
      return days
    })

  return { openingsInWindow, reserveOpenings }
}

/** Checks messages for the last time and marks them as being sent, a batch in one transaction. */
export const makeBeginMessages = (settling: ChatAppSettling) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const leadsOf = yield* makeLeadsOf
    const blocksOf = yield* makeBlocksOf
    const provider = yield* ChatApp
    const price = provider.prices[provider.opening.category]
    const { openingsInWindow, reserveOpenings } = makeOpenings(settling, price)

    /** The messages that may be sent now, and in which form. The others end here or wait. */
    const decideAll = (rows: ReadonlyArray<SendRow>) =>
      Effect.gen(function* () {
        const blockOf = yield* blocksOf(rows)
        const sendable: Array<SendableMessage> = []
        for (const row of rows) {
          const decision = decide({ ...row, block: blockOf.get(row), leader: row.leader ?? undefined })
          if (blockOf.get(row) === "blacklisted") yield* countBlockOf(sql, row.accountId, { phone: row.phone })
          if (decision._tag === "Withhold") yield* settling.ended(row, decision.status, decision.reason)
          else if (decision._tag === "Send" && row.phone === null) yield* settling.ended(row, "cancelled", "no_contact")
          else if (decision._tag === "Send" && row.phone !== null) {
            sendable.push({ row, phone: row.phone, content: contentOf(row, decision.as) })
          }
        }
        return sendable
      })

    const markSending = (messages: ReadonlyArray<SendableMessage>, days: ReadonlyMap<SendableMessage, string>) => {
      const openings = messages.map(({ content }) => (content._tag === "Opening" ? content : undefined))
      return sql`
        update chatapp_message m set status = 'sending', failure_reason = null, sending_at = instant(),
          deferred_until = null, kind = b.kind, phone = b.phone, body = b.body, template_name = b.template,
          template_language = b.language, cost_brl = b.price, spend_day = b.day, price_category = b.category
        from unnest(${messages.map(({ row }) => row.accountId)}::bigint[],
          ${messages.map(({ row }) => row.chatAppMessageId)}::bigint[],
          ${messages.map(({ content }) => kindOf[content._tag])}::text[],
          ${messages.map(({ phone }) => phone)}::text[],
          ${messages.map(({ row }, place) => openings[place]?.body ?? row.body)}::text[],
          ${openings.map((opening) => (opening === undefined ? null : provider.opening.template))}::text[],
          ${openings.map((opening) => opening?.language ?? null)}::text[],
          ${openings.map((opening) => (opening === undefined ? "0" : price))}::numeric[],
          ${messages.map((message) => days.get(message) ?? null)}::date[],
          ${openings.map((opening) => (opening === undefined ? null : provider.opening.category))}::text[])
          as b (account_id, chatapp_message_id, kind, phone, body, template, language, price, day, category)
        where m.account_id = b.account_id and m.chatapp_message_id = b.chatapp_message_id`.pipe(fromSql())
    }

    const beginQueued = (rows: ReadonlyArray<SendRow>) =>
      Effect.gen(function* () {
        const sendable = yield* decideAll(rows)
        const openings = sendable.filter(({ content }) => content._tag === "Opening")
        const days = yield* reserveOpenings(yield* openingsInWindow(openings))
        const messagesToSend = sendable.filter((message) => message.content._tag !== "Opening" || days.has(message))
        if (messagesToSend.length > 0) yield* markSending(messagesToSend, days)
        return new Map(
          messagesToSend.map(({ content, phone, row }): readonly [SendRow, BegunMessage] => [
            row,
            {
              _tag: "Begun",
              leadId: row.leadId,
              message: { from: lineOf(row), to: phone, reference: row.reference, content }
            }
          ])
        )
      })

    /** Locks the leads before the messages, and the messages before the budgets. */
    const beginAll = (keys: ReadonlyArray<ChatAppMessageKey>, locking: Locking) =>
      Effect.gen(function* () {
        const areLocked = yield* lockLeads(sql, yield* leadsOf(keys), locking)
        const lockedKeys = keys.filter((_, place) => areLocked[place])
        const rows = lockedKeys.length === 0 ? [] : yield* sendRows(sql, provider.mode, lockedKeys)
        const unsent = rows.filter(({ status }) => status === "queued" || status === "sending")
        for (const row of unsent.filter(hasLostItsLead)) yield* settling.ended(row, "failed", "lead_not_found")
        const begunMessages = yield* beginQueued(
          unsent.filter((row) => row.status === "queued" && !hasLostItsLead(row))
        )
        const stateOf = (row: SendRow): BegunMessage =>
          row.status === "sending" && !hasLostItsLead(row)
            ? {
                _tag: "Sending",
                leadId: row.leadId,
                forSeconds: row.sendingSeconds ?? 0,
                from: lineOf(row),
                reference: row.reference
              }
            : (begunMessages.get(row) ?? ended)
        const states = new Map(rows.map((row) => [row.chatAppMessageId, stateOf(row)]))
        return keys.map(({ chatAppMessageId }, place) =>
          areLocked[place] === true ? Option.some(states.get(chatAppMessageId) ?? ended) : Option.none()
        )
      })

    return yield* makeGroupedTransactions({
      name: "chatapp_begins",
      mostItems: mostMessages,
      keyOf: ({ chatAppMessageId }: ChatAppMessageKey) => chatAppMessageId,
      write: beginAll
    })
  })
