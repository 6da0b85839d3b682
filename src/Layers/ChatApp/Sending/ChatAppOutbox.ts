import { Context, Effect, Layer, Option, Schedule } from "effect"
import { transient } from "../../../Errors.ts"
import { ChatApp, type SendOutcome } from "../../../Services/ChatApp/ChatApp.ts"
import { ChatAppOutbox } from "../../../Services/ChatApp/ChatAppMessages.ts"
import { type Locking, makeGroupedTransactions } from "../../Platform/Postgres/GroupedTransactions.ts"
import { uninterruptibleDaemon } from "../../Platform/UninterruptibleDaemon.ts"
import { type BegunMessage, makeBeginMessages } from "./BeginMessages.ts"
import { type ChatAppSettling, type HeldMessage, type MessageOfLead, makeChatAppSettling } from "./ChatAppSettling.ts"

/** How long things may take; tests are less patient. */
export class ChatAppTiming extends Context.Reference<ChatAppTiming>()("ChatAppTiming", {
  defaultValue: () => ({
    /** A send that has not ended after so many seconds was given up by a process that died; the longest takes 15. */
    abandonedAfter: 60
  })
}) {}

/** Only this process knows the outcome of an attempt until it is stored. */
const untilStored = Schedule.exponential("200 millis").pipe(Schedule.upTo("8 seconds"))

interface AttemptOutcome extends MessageOfLead {
  readonly outcome: SendOutcome
  readonly isLast: boolean
}

const mostMessages = 32

const stillSending = (forSeconds: number, abandonedAfter: number) =>
  transient("chatapp_send_under_way", "The message is being sent.", Math.max(1, Math.ceil(abandonedAfter - forSeconds)))

/** Stores how attempts ended, a batch in one transaction; the provider's own report may have come first. */
const makeSettleAttempts = (settling: ChatAppSettling) => {
  const settleUnaccepted = (
    held: HeldMessage,
    outcome: Exclude<SendOutcome, { readonly _tag: "Accepted" }>,
    isLast: boolean
  ) => {
    if (held.status !== "sending") return Effect.void
    switch (outcome._tag) {
      case "Rejected":
        return settling.ended(held, "failed", outcome.reason, { isUnreachable: outcome.isUnreachable })
      case "Postponed":
        return isLast
          ? settling.ended(held, "failed", outcome.reason)
          : settling.putBack(held, outcome.reason, outcome.health)
      case "Unknown":
        return settling.lost(held)
    }
  }

  /** A failure that was reported under another id is that of an earlier attempt. */
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

  /** A send that was broken off is never repeated unless the provider knows that it did not happen. */
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
      // A message that was begun in a batch runs to its end, or it would count as lost.
      uninterruptibleDaemon(
        Effect.gen(function* () {
          const begun = yield* begin({ accountId, chatAppMessageId })
          if (begun._tag === "Ended") return
          const outcome = yield* begun._tag === "Sending" ? findOutcome(begun) : provider.send(begun.message)
          yield* settle({ accountId, chatAppMessageId, leadId: begun.leadId, outcome, isLast }).pipe(
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
