import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { SenderCheck } from "./AuthenticationResults.ts"
import type { InvitationAnswer } from "./Invitations.ts"

/** The maximum size of a message in bytes. Of a larger one, only the beginning is read. */
export const maximumMailBytes = 25 * 1024 * 1024

export interface InboundAttachment {
  /** The sender's name for the file. */
  readonly fileName: string | undefined
  readonly bytes: Uint8Array
  /** A picture that is part of the text, such as a logo in a signature. */
  readonly isInlinePicture: boolean
}

/** A part of a report (RFC 6522): lower-case media type and text. */
export interface ReportPart {
  readonly mediaType: string
  readonly text: string
}

/** The content of a message, bounded and decoded. It is untrusted. */
export interface InboundMail {
  /** With angle brackets. Undefined if the message has no valid one. */
  readonly messageId: string | undefined
  /** Normalised. Undefined if there is no address. */
  readonly fromAddress: string | undefined
  /** Normalised: first the recipients that servers noted at delivery, then those in the headers. */
  readonly recipients: ReadonlyArray<string>
  readonly subject: string
  /** Message-IDs that it answers, nearest first. */
  readonly answers: ReadonlyArray<string>
  /** Message-IDs of the thread, oldest first. */
  readonly references: ReadonlyArray<string>
  readonly text: string
  /** The part of `text` that the sender wrote: without the quoted message and the signature. */
  readonly reply: string
  readonly attachments: ReadonlyArray<InboundAttachment>
  /** The lower-case media type of the whole message, with the `report-type` of a report. */
  readonly mediaType: string
  readonly reportType: string | undefined
  readonly reportParts: ReadonlyArray<ReportPart>
  /** The answer of the sender's calendar program. */
  readonly invitationAnswer: InvitationAnswer | undefined
  /** A field's body by lower-case name, unfolded. The first if there are several. */
  readonly header: (name: string) => string | undefined
  /** All bodies of a field, unchanged. */
  readonly headers: (name: string) => ReadonlyArray<string>
  /** SHA-256 of the sender's content. It is the same for two deliveries of one message. */
  readonly digest: Uint8Array
  /** Whether some of it was left out because it was too large or unreadable. */
  readonly isCut: boolean
}

/** How a message was handled in one account's inbox. */
export type MailOutcome =
  /** A lead wrote. */
  | "lead_reply"
  /** An automatic answer from a lead's address. */
  | "lead_auto_reply"
  /** From someone who is not a lead, or from a machine. */
  | "other"
  /** The receiving server reports a forged sender. The message is shown and has no effects. */
  | "unauthenticated"
  /** From before the gateway read the mailbox. */
  | "history"
  | "bounce"
  | "complaint"
  /** It was already stored. */
  | "duplicate"
  /** The account's own message came back. */
  | "own_message"

export interface MailReceipt {
  readonly accountId: AccountId
  readonly outcome: MailOutcome
  /** None if nothing was stored. */
  readonly emailMessageId: number | undefined
  readonly leadId: LeadId | undefined
}

/** Receives mail for all accounts. */
export class MailInbox extends Context.Tag("MailInbox")<
  MailInbox,
  {
    /**
     * Processes a raw message (RFC 5322) once for each account that it is for, even if it is delivered twice. Returns
     * an empty list if it is for none. If a message cannot be parsed completely, the readable parts are stored.
     */
    readonly receive: (
      raw: Uint8Array,
      options?: {
        /** The recipients that the server reported. Without them, those in the headers count. */
        readonly deliveredTo?: ReadonlyArray<string>
        /**
         * The caller's check of the sender, if it received the message itself. Otherwise the header's result counts.
         */
        readonly senderCheck?: SenderCheck
        /**
         * The arrival time of mail from before the gateway read the mailbox. Such mail is stored and has no effects.
         */
        readonly arrivedAt?: Timestamp
        /** Runs in the transaction that stores the message. */
        readonly alongside?: Effect.Effect<void, Transient>
      }
    ) => Effect.Effect<ReadonlyArray<MailReceipt>, Transient>
  }
>() {}

/** Unsubscribe links of leads. */
export class MailSubscriptions extends Context.Tag("MailSubscriptions")<
  MailSubscriptions,
  {
    /** The sender of the mail with this token. None if the gateway did not make the token. */
    readonly senderOf: (token: string) => Effect.Effect<Option.Option<string>, Transient>
    /** Stops all mail to the lead, and returns the same as `senderOf`. Repeating it changes nothing. */
    readonly unsubscribe: (token: string) => Effect.Effect<Option.Option<string>, Transient>
  }
>() {}
