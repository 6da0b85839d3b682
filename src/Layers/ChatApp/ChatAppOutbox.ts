import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Option, Schedule } from "effect"
import { transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import {
  ChatApp,
  type ChatAppContent,
  type ChatAppNumber,
  type OutgoingChatAppMessage,
  type SendOutcome
} from "../../Services/ChatApp/ChatApp.ts"
import { ChatAppOutbox } from "../../Services/ChatApp/ChatAppMessages.ts"
import { chatAppNoticeType } from "../../Services/ChatApp/ChatAppNotices.ts"
import { decide } from "../../Services/ChatApp/ChatAppRules.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { SendGuard } from "../../Services/Outreach/SendGuard.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { uninterruptibleDaemon } from "../Platform/UninterruptibleDaemon.ts"
import { makeChatAppGroups } from "./ChatAppGroups.ts"
import { type HeldMessage, makeChatAppSettling } from "./ChatAppSettling.ts"
import { type ChatAppMessageKey, openingOf, sendRows } from "./SendRows.ts"

/** How long things may take; tests are less patient. */
export class ChatAppTiming extends Context.Reference<ChatAppTiming>()("ChatAppTiming", {
  defaultValue: () => ({
    /** A send that has not ended after so many seconds was given up by a process that died; the longest takes 15. */
    abandonedAfter: 60
  })
}) {}

/** What came of an attempt is known here alone until it is written down. */
const whileAway = Schedule.exponential("200 millis").pipe(Schedule.upTo("8 seconds"))

/** What an attempt finds the message to be. */
type Begun =
  | { readonly _tag: "Ended" }
  /** Another attempt is under way, or was broken off. */
  | { readonly _tag: "Sending"; readonly forSeconds: number; readonly from: ChatAppNumber; readonly reference: string }
  | { readonly _tag: "Begun"; readonly message: OutgoingChatAppMessage }

const ended: Begun = { _tag: "Ended" }

const stillSending = (forSeconds: number, abandonedAfter: number) =>
  transient("chatapp_send_under_way", "The message is being sent.", Math.max(1, Math.ceil(abandonedAfter - forSeconds)))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const guard = yield* SendGuard
  const provider = yield* ChatApp
  const settling = yield* makeChatAppSettling
  const groups = yield* makeChatAppGroups(settling)
  const { abandonedAfter } = yield* ChatAppTiming

  const markSending = (
    { accountId, chatAppMessageId }: HeldMessage,
    as: { readonly kind: string; readonly phone: string; readonly body: string },
    opening?: { readonly template: string; readonly language: string; readonly price: string; readonly day: string }
  ) =>
    sql`
      update chatapp_message set status = 'sending', failure_reason = null, sending_at = instant(), deferred_until = null,
        kind = ${as.kind}, phone = ${as.phone}, body = ${as.body}, template_name = ${opening?.template ?? null},
        template_language = ${opening?.language ?? null}, cost_brl = ${opening?.price ?? "0"}::numeric,
        spend_day = ${opening?.day ?? null}::date,
        price_category = ${opening === undefined ? null : provider.opening.category}
      where account_id = ${accountId} and chatapp_message_id = ${chatAppMessageId}`.pipe(fromSql())

  /** The last look, and the mark that the message is being sent: in one transaction. */
  const begin = Effect.fnUntraced(function* (accountId: AccountId, chatAppMessageId: number) {
    const held = yield* settling.hold(accountId, chatAppMessageId)
    if (held === undefined) return ended
    if (held.status !== "queued" && held.status !== "sending") return ended
    if (held.leadId === null && held.messageType !== chatAppNoticeType) {
      yield* settling.ended(held, "failed", "lead_not_found")
      return ended
    }
    // Looked at under the lead's lock, which an answer of the lead's takes too.
    const block =
      held.status === "sending" || held.leadId === null
        ? Option.none()
        : yield* guard.check({
            accountId,
            leadId: held.leadId,
            channel: "chatapp",
            isAutonomous: held.messageType !== "user_written",
            touchId: held.touchId
          })
    const row = single(yield* sendRows(sql, provider.mode, [{ accountId, chatAppMessageId }]))
    const from: ChatAppNumber = { accountId, lineId: row.lineId ?? "", credential: row.credential }
    if (held.status === "sending") {
      return { _tag: "Sending" as const, forSeconds: row.sendingSeconds ?? 0, from, reference: row.reference }
    }

    const decision = decide({
      ...row,
      messageType: held.messageType,
      block: Option.getOrUndefined(block),
      leader: row.leader ?? undefined
    })
    if (decision._tag === "Wait") return ended
    if (decision._tag === "Withhold") {
      yield* settling.ended(held, decision.status, decision.reason)
      return ended
    }
    const { phone } = row
    if (phone === null) {
      yield* settling.ended(held, "cancelled", "no_contact")
      return ended
    }
    const begun = (content: ChatAppContent): Begun => ({
      _tag: "Begun",
      message: { from, to: phone, reference: row.reference, content }
    })
    if (decision.as === "media") {
      yield* markSending(held, { kind: "media", phone, body: row.body })
      return begun({
        _tag: "Media",
        kind: row.mediaType ?? "document",
        url: row.mediaUrl ?? "",
        fileName: row.mediaName ?? undefined
      })
    }
    if (decision.as === "text") {
      yield* markSending(held, { kind: "text", phone, body: row.body })
      return begun({ _tag: "Text", body: row.body })
    }

    const price = provider.prices[provider.opening.category]
    const reservation = yield* settling.spend.reserve(accountId, price)
    if (reservation._tag === "AtCap") {
      yield* settling.withhold(held, reservation.until)
      return ended
    }
    const opening = openingOf(row)
    yield* markSending(
      held,
      { kind: "template", phone, body: opening.body },
      { template: provider.opening.template, language: opening.language, price, day: reservation.day }
    )
    return begun(opening)
  })

  /** What came of an attempt, unless the provider's own word was there before. */
  const settle = Effect.fnUntraced(function* (
    accountId: AccountId,
    chatAppMessageId: number,
    outcome: SendOutcome,
    isLast: boolean
  ) {
    const held = yield* settling.hold(accountId, chatAppMessageId)
    if (held === undefined) return
    const isOpen = held.status === "sending" || held.status === "unknown"
    switch (outcome._tag) {
      case "Accepted": {
        // A failure heard of under another id was that of an earlier attempt.
        const isOthersFailure = held.status === "failed" && held.providerMessageId !== outcome.providerMessageId
        if (isOpen || isOthersFailure) yield* settling.left(held, "sent", outcome.providerMessageId)
        return
      }
      case "Rejected":
        if (held.status !== "sending") return
        return yield* settling.ended(held, "failed", outcome.reason, { isUnreachable: outcome.isUnreachable })
      case "Postponed":
        if (held.status !== "sending") return
        return yield* isLast
          ? settling.ended(held, "failed", outcome.reason)
          : settling.putBack(held, outcome.reason, outcome.health)
      case "Unknown":
        if (held.status === "sending") yield* settling.lost(held)
    }
  })

  const afterwards = (outcome: SendOutcome, isLast: boolean) =>
    outcome._tag === "Postponed" && !isLast
      ? Effect.fail(
          transient(outcome.reason, "The messaging app's provider did not take the message.", outcome.retryAfterSeconds)
        )
      : Effect.void

  /** A send that was broken off: never repeated unless the provider knows that it was not done. */
  const clearUp = (
    sending: Extract<Begun, { _tag: "Sending" }>
  ): Effect.Effect<SendOutcome, ReturnType<typeof transient>> => {
    if (sending.forSeconds < abandonedAfter) return Effect.fail(stillSending(sending.forSeconds, abandonedAfter))
    return Effect.map(provider.lookUp(sending.from, sending.reference), (found): SendOutcome => {
      switch (found._tag) {
        case "Sent":
          return { _tag: "Accepted", providerMessageId: found.providerMessageId }
        case "NotSent":
          return { _tag: "Postponed", reason: "chatapp_send_broken_off", retryAfterSeconds: 1 }
        case "Unknowable":
          return { _tag: "Unknown" }
      }
    })
  }

  const settleWhole = (accountId: AccountId, chatAppMessageId: number, came: SendOutcome, isLast: boolean) =>
    unit.write(settle(accountId, chatAppMessageId, came, isLast)).pipe(Effect.retry(whileAway))

  /** One that was begun with others goes on to its end, or it would count as lost. */
  const deliverUsual = (key: ChatAppMessageKey, isLast: boolean) =>
    uninterruptibleDaemon(
      Effect.flatMap(groups.begin(key), (begun) =>
        Effect.transposeMapOption(begun, ({ leadId, message, touch }) =>
          Effect.tap(provider.send(message), (came) =>
            Effect.flatMap(groups.left({ ...key, ...touch, leadId }, came), (isSettled) =>
              isSettled ? Effect.void : settleWhole(key.accountId, key.chatAppMessageId, came, isLast)
            )
          )
        )
      )
    )

  return ChatAppOutbox.of({
    deliver: Effect.fn("ChatAppOutbox.deliver")(function* ({ accountId, chatAppMessageId }, { isLast }) {
      const came = yield* deliverUsual({ accountId, chatAppMessageId }, isLast)
      if (Option.isSome(came)) return yield* afterwards(came.value, isLast)
      const begun = yield* unit.write(begin(accountId, chatAppMessageId))
      if (begun._tag === "Ended") return
      const attempt = Effect.tap(begun._tag === "Sending" ? clearUp(begun) : provider.send(begun.message), (came) =>
        settleWhole(accountId, chatAppMessageId, came, isLast)
      )
      const outcome = yield* uninterruptibleDaemon(attempt)
      yield* afterwards(outcome, isLast)
    })
  })
})

export const ChatAppOutboxPostgres = Layer.effect(ChatAppOutbox, make)
