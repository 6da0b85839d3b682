import { Context, Effect, Layer, Option, Schedule } from "effect"
import { transient } from "../../../Errors.ts"
import { ChatApp, type SendOutcome } from "../../../Services/ChatApp/ChatApp.ts"
import { ChatAppOutbox } from "../../../Services/ChatApp/ChatAppMessages.ts"
import { type Locking, makeGroupedTransactions } from "../../Platform/Postgres/grouped/GroupedTransactions.ts"
import { uninterruptibleDaemon } from "../../Platform/UninterruptibleDaemon.ts"
import { type BegunMessage, makeBeginMessages } from "./BeginMessages.ts"
import { type ChatAppSettling, type HeldMessage, type MessageOfLead, makeChatAppSettling } from "./ChatAppSettling.ts"

/** Time limits. Tests use shorter ones. */
export class ChatAppTiming extends Context.Reference<ChatAppTiming>()("ChatAppTiming", {
  defaultValue: () => ({
    /** Seconds after which an unfinished send belongs to a dead process. The longest send takes 15. */
    abandonedAfter: 60
  })
}) {}

/** The retries of storing an outcome. Until it is stored, only this process knows it. */
const untilStored = Schedule.exponential("200 millis").pipe(Schedule.upTo("8 seconds"))

interface AttemptOutcome extends MessageOfLead {
  readonly outcome: SendOutcome
  readonly isLast: boolean
}

const mostMessages = 32

const stillSending = (forSeconds: number, abandonedAfter: number) =>
  transient("chatapp_send_under_way", "The message is being sent.", Math.max(1, Math.ceil(abandonedAfter - forSeconds)))

/** Stores the outcomes of attempts, a batch in one transaction. The provider's own report may have come first. */
const makeSettleAttempts = (settling: ChatAppSettling) => {
  const settleUnaccepted = (
    message: HeldMessage,
    outcome: Exclude<SendOutcome, { readonly _tag: "Accepted" }>,
    isLast: boolean
  ) => {
    if (message.status !== "sending") return Effect.void
    switch (outcome._tag) {
      case "Rejected":
        return settling.ended(message, "failed", outcome.reason, { isUnreachable: outcome.isUnreachable })
      case "Postponed":
        return isLast
          ? settling.ended(message, "failed", outcome.reason)
          : settling.putBack(message, outcome.reason, outcome.health)
      case "Unknown":
        return settling.lost(message)
    }
  }

  /**
   * Whether the message may become sent. If a failure was reported with another id, it belongs to an earlier attempt.
   */
  const mayLeave = ({ providerMessageId, status }: HeldMessage, acceptedId: string) =>
    status === "sending" || status === "unknown" || (status === "failed" && providerMessageId !== acceptedId)

  const settleAll = (attempts: ReadonlyArray<AttemptOutcome>, locking: Locking) =>
    Effect.gen(function* () {
      const heldMessages = yield* settling.hold(attempts, locking)
      const settled = attempts.flatMap((attempt, place) => {
        const message = Option.getOrUndefined(heldMessages[place] ?? Option.none())
        return message === undefined ? [] : [{ ...attempt, message }]
      })
      yield* settling.left(
        settled.flatMap(({ message, outcome }) =>
          outcome._tag === "Accepted" && mayLeave(message, outcome.providerMessageId)
            ? [{ message, status: "sent" as const, providerMessageId: outcome.providerMessageId }]
            : []
        )
      )
      for (const { isLast, message, outcome } of settled) {
        if (outcome._tag !== "Accepted") yield* settleUnaccepted(message, outcome, isLast)
      }
      return heldMessages.map(Option.as(true))
    })

  return makeGroupedTransactions({
    name: "chatapp_outcomes",
    mostItems: mostMessages,
    keyOf: ({ chatAppMessageId, leadId }: AttemptOutcome) =>
      leadId === null ? `message:${chatAppMessageId}` : `lead:${leadId}`,
    write: settleAll
  })
}

const make = Effect.gen(function* () {
  const provider = yield* ChatApp
  const settling = yield* makeChatAppSettling
  const begin = yield* makeBeginMessages(settling)
  const settle = yield* makeSettleAttempts(settling)
  const { abandonedAfter } = yield* ChatAppTiming

  /** An interrupted send is only repeated if the provider confirms that it did not happen. */
  const findOutcome = (
    sending: Extract<BegunMessage, { _tag: "Sending" }>
  ): Effect.Effect<SendOutcome, ReturnType<typeof transient>> => {
    if (sending.forSeconds < abandonedAfter) return Effect.fail(stillSending(sending.forSeconds, abandonedAfter))
    return Effect.map(provider.lookUp(sending.from, sending.reference), (sent): SendOutcome => {
      switch (sent._tag) {
        case "Sent":
          return { _tag: "Accepted", providerMessageId: sent.providerMessageId }
        case "NotSent":
          return { _tag: "Postponed", reason: "chatapp_send_broken_off", retryAfterSeconds: 1 }
        case "Unknowable":
          return { _tag: "Unknown" }
      }
    })
  }

  return ChatAppOutbox.of({
    deliver: Effect.fn("ChatAppOutbox.deliver")(({ accountId, chatAppMessageId }, { isLast }) =>
      // Not interruptible, because a message that was begun in a batch would otherwise count as lost.
      uninterruptibleDaemon(
        Effect.gen(function* () {
          const begunMessage = yield* begin({ accountId, chatAppMessageId })
          if (begunMessage._tag === "Ended") return
          const outcome = yield* begunMessage._tag === "Sending"
            ? findOutcome(begunMessage)
            : provider.send(begunMessage.message)
          yield* settle({ accountId, chatAppMessageId, leadId: begunMessage.leadId, outcome, isLast }).pipe(
            Effect.retry(untilStored)
          )
          if (outcome._tag !== "Postponed" || isLast) return
          return yield* transient(
            outcome.reason,
            "The messaging app's provider did not take the message.",
            outcome.retryAfterSeconds
          )
        })
      )
    )
  })
})

export const ChatAppOutboxPostgres = Layer.effect(ChatAppOutbox, make)
