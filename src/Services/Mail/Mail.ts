import { Context, Data, type Duration, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import type { DomainSigning } from "../SenderDomains/SenderDomains.ts"

export interface Mailbox {
  /** The display name: any text, which is encoded when the message is written. */
  readonly name?: string | undefined
  readonly address: string
}

/** An attached file. */
export interface MailAttachment {
  readonly fileName: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** A message as separate fields. No header is passed as text, so header injection is impossible. */
export interface OutgoingMail {
  readonly emailMessageId: number
  /** With its angle brackets. The same on every attempt. */
  readonly messageId: string
  /** The address for bounces. */
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
  /** The address that unsubscribes the recipient with a POST (RFC 8058). */
  readonly unsubscribeUrl: string | undefined
  /** Whether the platform sent it to people of the account. Machines must not answer it (RFC 3834). */
  readonly isNotice?: boolean
  /** A calendar invitation (RFC 6047). */
  readonly invitation?: { readonly method: "REQUEST" | "CANCEL"; readonly text: string }
  readonly attachments?: ReadonlyArray<MailAttachment>
  /** Signs it for a domain of the account instead of the platform's. */
  readonly signing?: DomainSigning
  /** Unix milliseconds. */
  readonly date: number
}

/** The message was not sent. A later attempt may succeed. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{
  /** In snake_case. */
  readonly reason: string
  /** The server's response, for the account to read. */
  readonly response?: string | undefined
}> {}

/** The connection broke between the hand-over and the server's answer, so the message may have been sent. */
export class MailMaybeSent extends Data.TaggedError("MailMaybeSent")<{ readonly reason: string }> {}

/** The server refused permanently. */
export class MailRejected extends Data.TaggedError("MailRejected")<{
  /** Whether the server refused the recipient or the message. */
  readonly refused: "recipient" | "message"
  /** Whether the mailbox does not exist, so that no other message can reach the address either. */
  readonly isAddressDead: boolean
  readonly response: string
}> {}

export type MailFailure = MailNotSent | MailMaybeSent | MailRejected

export class Mail extends Context.Tag("Mail")<
  Mail,
  {
    readonly mode: ServiceMode
    /** The number of messages that are sent at a time. */
    readonly concurrency: number
    /** After this time every send has ended, so a look-up gives a final result. */
    readonly settleTime: Duration.Duration
    /**
     * Sends one message. Succeeds with the server's response once the server has accepted it. `handOver` runs once
     * before the end of the message is sent, and the send stops if it fails. A transport that can always report what it
     * sent may skip it.
     */
    readonly send: <E>(
      accountId: AccountId,
      mail: OutgoingMail,
      handOver: Effect.Effect<void, E>
    ) => Effect.Effect<{ readonly response: string }, MailFailure | E | Transient>
    /** Whether the message was sent. None if the transport cannot know. */
    readonly wasSent: (accountId: AccountId, messageId: string) => Effect.Effect<Option.Option<boolean>, Transient>
  }
>() {}
