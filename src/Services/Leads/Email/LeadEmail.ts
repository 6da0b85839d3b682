import { Schema } from "effect"
import { Timestamp } from "../../Core/Timestamp.ts"

export const EmailMessageId = Schema.Int.pipe(Schema.brand("EmailMessageId"))
export type EmailMessageId = typeof EmailMessageId.Type

export const EmailDirection = Schema.Literal("outbound", "inbound")

/**
 * `unknown`: the connection broke during delivery, so the message may or may not have been sent. `unauthenticated`: the
 * receiving server says that the sender's name is forged.
 */
export const EmailStatus = Schema.Literal(
  "queued",
  "sending",
  "sent",
  "unknown",
  "failed",
  "cancelled",
  "received",
  "unauthenticated"
)

export const OutboundMessageType = Schema.Literal("first_contact", "follow_up", "response", "direct", "user_written")

const headerFields = {
  email_message_id: EmailMessageId,
  direction: EmailDirection,
  message_type: Schema.NullOr(OutboundMessageType).annotations({ description: "Of outbound messages." }),
  status: EmailStatus.annotations({
    description:
      "Inbound messages are received, or unauthenticated: the receiving server says that the sender is forged, so the message was ignored."
  }),
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

/** The same, optionally without its body. */
export const ListedLeadEmail = Schema.Struct({
  ...headerFields,
  body: Schema.optionalWith(Schema.String, { exact: true }).annotations({ description: "With include_bodies only." })
})
export type ListedLeadEmail = typeof ListedLeadEmail.Type
