import { Predicate } from "effect"
import type { NodemailerError } from "nodemailer"
import { type MailFailure, MailMaybeSent, MailNotSent, MailRejected } from "../../Services/Mail.ts"
import { enhancedCodeIn, keptResponse, saysAddressDead } from "../../Services/MailRefusals.ts"

const reasons: { readonly [code: string]: string } = {
  EAUTH: "smtp_sign_in_failed",
  ENOAUTH: "smtp_sign_in_failed",
  EDNS: "smtp_host_not_found",
  ETLS: "smtp_tls_failed",
  ETIMEDOUT: "smtp_timed_out",
  ESOCKET: "smtp_connection_failed",
  ECONNECTION: "smtp_connection_failed"
}

const reasonOf = (error: NodemailerError): string =>
  error.responseCode !== undefined ? "smtp_deferred" : (reasons[error.code ?? ""] ?? "smtp_failed")

const isEnvelope = Predicate.compose(
  Predicate.isRecord,
  (envelope): envelope is { rejectedErrors: ReadonlyArray<NodemailerError> } => Array.isArray(envelope.rejectedErrors)
)

/** The refusal of `recipient` among several, before the message went out to the others. */
export const refusalOf = (connection: object, recipient: string): NodemailerError | undefined => {
  const envelope: unknown = Reflect.get(connection, "_envelope")
  return isEnvelope(envelope) ? envelope.rejectedErrors.find((error) => error.recipient === recipient) : undefined
}

const refusedBy: { readonly [command: string]: MailRejected["refused"] } = {
  "MAIL FROM": "sender",
  "RCPT TO": "recipient"
}

/** What an attempt's end means. Once the message was handed over, only the server's answer says that it was not sent. */
export const failureOf = (error: NodemailerError, wasHandedOver: boolean): MailFailure => {
  const { code, command, permanent, response, responseCode } = error
  if (responseCode === undefined) {
    if (wasHandedOver) return new MailMaybeSent({ reason: reasonOf(error) })
    return code === "EENVELOPE"
      ? new MailRejected({ refused: "recipient", isAddressDead: false, response: "The address cannot be written to." })
      : new MailNotSent({ reason: reasonOf(error) })
  }
  const kept = keptResponse(response ?? "")
  if (permanent !== true || (code !== "EENVELOPE" && code !== "EMESSAGE")) {
    return new MailNotSent({ reason: code === "EAUTH" ? "smtp_sign_in_failed" : "smtp_deferred", response: kept })
  }
  const refused = refusedBy[command ?? ""] ?? "message"
  return new MailRejected({
    refused,
    isAddressDead: refused === "recipient" && saysAddressDead(enhancedCodeIn(kept), kept),
    response: kept
  })
}
