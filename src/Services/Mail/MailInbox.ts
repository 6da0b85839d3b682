import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { SenderCheck } from "./AuthenticationResults.ts"
import type { InvitationAnswer } from "./Invitations.ts"

/** The largest message that is read, in bytes; of a larger one only the beginning counts. */
export const maximumMailBytes = 25 * 1024 * 1024

export interface InboundAttachment {
  /** As the sender named it. */
  readonly fileName: string | undefined
  readonly bytes: Uint8Array
  /** A picture that belongs to the text, such as a logo in a signature. */
  readonly isInlinePicture: boolean
}

/** A part of a report (RFC 6522): lower-case media type and text. */
export interface ReportPart {
  readonly mediaType: string
  readonly text: string
}

/** What a message says, bounded and decoded; nothing of it is to be trusted. */
export interface InboundMail {
  /** With angle brackets; undefined where the message has none that is one. */
  readonly messageId: string | undefined
  /** Normalised; undefined where there is no address. */
  readonly fromAddress: string | undefined
  /** Normalised: whom it was delivered to as servers noted it, then whom it is addressed to. */
  readonly recipients: ReadonlyArray<string>
  readonly subject: string
  /** Message-IDs, the nearest first. */
  readonly answers: ReadonlyArray<string>
  /** Message-IDs of the thread, oldest first. */
  readonly references: ReadonlyArray<string>
  readonly text: string
  /** The part of `text` that the sender wrote: without the quoted message and the signature. */
  readonly reply: string
  readonly attachments: ReadonlyArray<InboundAttachment>
  /** Lower-case media type of the whole, with the `report-type` of a report. */
  readonly mediaType: string
  readonly reportType: string | undefined
  readonly reportParts: ReadonlyArray<ReportPart>
  /** What a calendar program answered for its sender. */
  readonly invitationAnswer: InvitationAnswer | undefined
  /** Field bodies by lower-case name, unfolded; the first of several. */
  readonly header: (name: string) => string | undefined
  /** All bodies of a field, as they stand. */
  readonly headers: (name: string) => ReadonlyArray<string>
  /** SHA-256 of what the sender wrote: the same for two deliveries of one message. */
  readonly digest: Uint8Array
  /** Whether some of it was left out, since it was too large or could not be read. */
  readonly isCut: boolean
}

/** What became of a message in one account's inbox. */
export type MailOutcome =
  /** A lead wrote. */
  | "lead_reply"
  /** A machine answered for a lead. */
  | "lead_auto_reply"
  /** Somebody who is no lead, or a machine. */
  | "other"
  /** The server that received it says that somebody else wrote it: it is shown, and changes nothing. */
  | "unauthenticated"
  /** From before the gateway read the mailbox. */
  | "history"
  | "bounce"
  | "complaint"
  /** It was there already. */
  | "duplicate"
  /** The account's own message came back. */
  | "own_message"

export interface MailReceipt {
  readonly accountId: AccountId
  readonly outcome: MailOutcome
  /** None where nothing was stored. */
  readonly emailMessageId: number | undefined
  readonly leadId: LeadId | undefined
}

/** Where mail for the accounts comes in. */
export class MailInbox extends Context.Tag("MailInbox")<
  MailInbox,
  {
    /**
     * Takes a raw message (RFC 5322) in: once for each account it is for, whatever is delivered twice. Answers nothing
     * where it is for none. A message that cannot be read well is stored as far as it can.
     */
    readonly receive: (
      raw: Uint8Array,
      options?: {
        /** The recipients that the server named; those of the headers count without them. */
        readonly deliveredTo?: ReadonlyArray<string>
        /** What the caller found out about the sender, where it received the message itself; else its header tells. */
        readonly senderCheck?: SenderCheck
        /** When it came, of mail from before the gateway read the mailbox: it is kept, and changes nothing. */
        readonly arrivedAt?: Timestamp
        /** Runs in the transaction that stores the message. */
        readonly alongside?: Effect.Effect<void, Transient>
      }
    ) => Effect.Effect<ReadonlyArray<MailReceipt>, Transient>
  }
>() {}

/** The lead whose mail a link ends, as far as there is one. */
export class MailSubscriptions extends Context.Tag("MailSubscriptions")<
  MailSubscriptions,
  {
    /** In whose name the mail with this token was sent; nothing where the token is none of ours. */
    readonly senderOf: (token: string) => Effect.Effect<Option.Option<string>, Transient>
    /** Ends all mail to the lead; answers what `senderOf` does. A second time changes nothing. */
    readonly unsubscribe: (token: string) => Effect.Effect<Option.Option<string>, Transient>
  }
>() {}
