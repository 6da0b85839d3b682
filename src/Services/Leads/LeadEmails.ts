import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId } from "./Ids.ts"
import type { LeadPipelineView } from "./LeadModel.ts"

export const EmailMessageId = Schema.Int.pipe(Schema.brand("EmailMessageId"))
export type EmailMessageId = typeof EmailMessageId.Type

export const EmailDirection = Schema.Literal("outbound", "inbound")

/** `unknown`: the connection broke while the message was handed over, so that it may or may not have been sent. */
export const EmailStatus = Schema.Literal("queued", "sending", "sent", "unknown", "failed", "cancelled", "received")

export const OutboundMessageType = Schema.Literal("first_contact", "follow_up", "response", "direct", "user_written")

const headerFields = {
  email_message_id: EmailMessageId,
  direction: EmailDirection,
  message_type: Schema.NullOr(OutboundMessageType).annotations({ description: "Of outbound messages." }),
  status: EmailStatus,
  failure_reason: Schema.NullOr(Schema.String),
  from_address: Schema.String,
  to_address: Schema.String,
  subject: Schema.String,
  attachment_names: Schema.Array(Schema.String),
  created_at: Timestamp,
  occurred_at: Schema.NullOr(Timestamp).annotations({
    description: "When it was sent or received; null for a message that was not sent."
  })
}

/** One e-mail to or from a lead. */
export const LeadEmail = Schema.Struct({ ...headerFields, body: Schema.String })
export type LeadEmail = typeof LeadEmail.Type

/** The same, perhaps without its body. */
export const ListedLeadEmail = Schema.Struct({
  ...headerFields,
  body: Schema.optionalWith(Schema.String, { exact: true }).annotations({ description: "With include_bodies only." })
})
export type ListedLeadEmail = typeof ListedLeadEmail.Type

export interface LeadEmailPage {
  /** The page of each direction, merged, oldest first. */
  readonly emails: ReadonlyArray<ListedLeadEmail>
  readonly outboundTotal: number
  readonly inboundTotal: number
}

export interface QueuedMessage {
  readonly emailMessageId: EmailMessageId
  readonly messageId: string
  readonly fromAddress: string
  readonly toAddress: string
  readonly lead: LeadPipelineView
}

/** The domain that the accounts' addresses are at; also the right-hand side of Message-IDs. */
export class MailDomain extends Context.Tag("MailDomain")<MailDomain, string>() {}

export class LeadEmails extends Context.Tag("LeadEmails")<
  LeadEmails,
  {
    readonly list: (
      leadId: LeadId,
      options: { readonly page: number; readonly pageSize: number; readonly includeBodies: boolean }
    ) => Effect.Effect<LeadEmailPage, NotFound | Transient, Caller>
    /** Queues a message that a person wrote and takes the lead over, both or neither. */
    readonly send: (
      leadId: LeadId,
      message: { readonly subject: string; readonly body: string }
    ) => Effect.Effect<QueuedMessage, NotFound | Refused | Transient, Caller>
  }
>() {}
