import { Context, Data, type Duration, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { ServiceMode } from "../Core/IntegrationModes.ts"
import type { DomainSigning } from "../SenderDomains/SenderDomains.ts"

export interface Mailbox {
  /** What stands before the address; any text, encoded where it is written. */
  readonly name?: string | undefined
  readonly address: string
}

/** A message as fields only: no header is taken over as text, so none can be smuggled in. */
/** A file that goes along. */
export interface MailAttachment {
  readonly fileName: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

export interface OutgoingMail {
  readonly emailMessageId: number
  /** With its angle brackets; the same on every attempt. */
  readonly messageId: string
  /** Where bounces go. */
  readonly envelopeFrom: string
  readonly from: Mailbox
  readonly to: Mailbox
  readonly cc?: Mailbox | undefined
  /** An address. */
  readonly replyTo: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly inReplyTo: string | undefined
  /** Message-IDs of the thread, oldest first. */
  readonly references: ReadonlyArray<string>
  /** Address that takes the recipient off the list when it gets a POST (RFC 8058). */
  readonly unsubscribeUrl: string | undefined
  /** Whether a machine wrote it to the account itself: nothing is to answer it of its own accord (RFC 3834). */
  readonly isNotice?: boolean
  /** What calendar programs read of it (RFC 6047). */
  readonly invitation?: { readonly method: "REQUEST" | "CANCEL"; readonly text: string }
  readonly attachments?: ReadonlyArray<MailAttachment>
  /** Signs it for a domain of the account's, instead of the platform's. */
  readonly signing?: DomainSigning
  /** Unix milliseconds. */
  readonly date: number
}

/** Nothing was sent, and a later attempt may succeed. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{
  /** In snake_case. */
  readonly reason: string
  /** What the server said, for the account to read. */
  readonly response?: string | undefined
}> {}

/** The connection broke after the message was handed over and before the server answered: it may have been sent. */
export class MailMaybeSent extends Data.TaggedError("MailMaybeSent")<{ readonly reason: string }> {}

/** The server refused for good. */
export class MailRejected extends Data.TaggedError("MailRejected")<{
  /** What it refused: whom the message is for, or the message itself. */
  readonly refused: "recipient" | "message"
  /** Whether there is no such recipient, so that no other message can reach the address either. */
  readonly isAddressDead: boolean
  readonly response: string
}> {}

export type MailFailure = MailNotSent | MailMaybeSent | MailRejected

export class Mail extends Context.Tag("Mail")<
  Mail,
  {
    readonly mode: ServiceMode
    /** Messages that are sent at a time. */
    readonly concurrency: number
    /** After this time a send has ended, so that from then on a look-up proves something. */
    readonly settleTime: Duration.Duration
    /**
     * Sends one message; succeeds when the server took responsibility for it, with what it said. `handOver` runs once,
     * before the end of the message leaves: unless it succeeds, nothing is sent. A transport that can always tell what
     * it sent need not run it.
     */
    readonly send: <E>(
      accountId: AccountId,
      mail: OutgoingMail,
      handOver: Effect.Effect<void, E>
    ) => Effect.Effect<{ readonly response: string }, MailFailure | E | Transient>
    /** Whether the message was sent; nothing where the transport cannot know. */
    readonly wasSent: (accountId: AccountId, messageId: string) => Effect.Effect<Option.Option<boolean>, Transient>
  }
>() {}
