import { Clock, Data, Effect, Option } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import { MailDomain } from "../Leads/Email/LeadEmails.ts"
import { Mail, type OutgoingMail } from "../Mail/Mail.ts"
import { mailBody } from "../Mail/MailText.ts"

/** A message to the operators, the same on each attempt. */
export interface OperatorLetter {
  /** The part of the Message-ID before the @. */
  readonly id: string
  /** The id of the first message of the thread, if this is a later one. */
  readonly thread: string | undefined
  readonly subject: string
  readonly text: string
}

/** Stores the progress of a message. The caller implements it. */
export interface LetterLedger {
  /** Undefined if the message is settled. */
  readonly begin: Effect.Effect<{ readonly wasHandedOver: boolean } | undefined, Transient>
  /** Returns whether this attempt claimed the message. No other attempt can claim it then. */
  readonly handOver: Effect.Effect<boolean, Transient>
  readonly takeBack: Effect.Effect<void, Transient>
  readonly settle: (status: "sent" | "failed" | "unknown", response?: string) => Effect.Effect<void, Transient>
}

/** Another attempt has claimed the message. */
class HandedOver extends Data.TaggedError("HandedOver") {}

const later = (reason: string) => transient(reason, "The operators' mail has not been sent yet.", 5)

/** One attempt to send a message to the operators. Parallel or repeated attempts send one message. */
export const sendToOperators = (
  accountId: AccountId,
  { id, subject, text, thread }: OperatorLetter,
  { begin, handOver, settle, takeBack }: LetterLedger,
  options: { readonly to: string; readonly isLast: boolean }
): Effect.Effect<void, Transient, Mail | MailDomain> =>
  Effect.gen(function* () {
    const mail = yield* Mail
    const domain = yield* MailDomain
    const progress = yield* begin
    if (progress === undefined) return
    // The account can read its simulated mail server, so messages for the operators are not sent through it.
    if (mail.mode === "sandbox") return yield* settle("sent", "Kept in the sandbox")
    const idOf = (name: string): string => `<${name}@${domain}>`
    const messageId = idOf(id)
    if (progress.wasHandedOver) {
      const wasSent = yield* mail.wasSent(accountId, messageId)
      if (Option.isNone(wasSent))
        return yield* options.isLast ? settle("unknown") : Effect.fail(later("mail_outcome_open"))
      if (wasSent.value) return yield* settle("sent")
      yield* takeBack
    }
    const first = thread === undefined ? [] : [idOf(thread)]
    const message: OutgoingMail = {
      emailMessageId: 0,
      messageId,
      envelopeFrom: `support@${domain}`,
      from: { name: "Support", address: `support@${domain}` },
      to: { address: options.to },
      replyTo: options.to,
      subject,
      ...mailBody(text, "en", undefined),
      inReplyTo: first[0],
      references: first,
      unsubscribeUrl: undefined,
      isNotice: true,
      date: yield* Clock.currentTimeMillis
    }
    const claim = Effect.flatMap(handOver, (isTaken) => (isTaken ? Effect.void : new HandedOver()))
    yield* mail.send(accountId, message, claim).pipe(
      Effect.flatMap(({ response }) => settle("sent", response)),
      Effect.catchTags({
        MailRejected: ({ response }) => settle("failed", response),
        MailNotSent: ({ reason }) =>
          options.isLast ? settle("failed", reason) : Effect.zipRight(takeBack, Effect.fail(later(reason))),
        MailMaybeSent: () => Effect.fail(later("mail_outcome_open")),
        HandedOver: () => Effect.void
      })
    )
  })
