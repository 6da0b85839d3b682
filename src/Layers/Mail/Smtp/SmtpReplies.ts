import { Predicate } from "effect"
import type { NodemailerError } from "nodemailer"
import { type MailFailure, MailMaybeSent, MailNotSent, MailRejected } from "../../../Services/Mail/Mail.ts"
import { enhancedCodeIn, saysAddressDead, storedResponse } from "../../../Services/Mail/MailRefusals.ts"

const reasons: { readonly [code: string]: string } = {
  EAUTH: "smtp_sign_in_failed",
  ENOAUTH: "smtp_sign_in_failed",
  EDNS: "smtp_host_not_found",
  ETLS: "smtp_tls_failed",
  ETIMEDOUT: "smtp_timed_out",
  ESOCKET: "smtp_connection_failed",
  ECONNECTION: "smtp_connection_failed"
}

/** Node's error codes for invalid certificates. */
const tlsCode = /CERT|SIGNED|TLS|SSL/

const reasonOf = ({ code = "", originalCode = "", responseCode }: NodemailerError): string => {
  if (responseCode !== undefined) return "smtp_deferred"
  return tlsCode.test(originalCode) ? "smtp_tls_failed" : (reasons[code] ?? "smtp_failed")
}

const isEnvelope = Predicate.compose(
  Predicate.isRecord,
  (envelope): envelope is { rejectedErrors: ReadonlyArray<NodemailerError> } => Array.isArray(envelope.rejectedErrors)
)

/** The refusal of `recipient`, one of several, before the message was sent to the others. */
export const refusalOf = (connection: object, recipient: string): NodemailerError | undefined => {
  const envelope: unknown = Reflect.get(connection, "_envelope")
  return isEnvelope(envelope) ? envelope.rejectedErrors.find((error) => error.recipient === recipient) : undefined
}

/** Interprets a failed attempt. After the hand-over, only the server's answer proves that the message was not sent. */
export const failureOf = (error: NodemailerError, wasHandedOver: boolean): MailFailure => {
  const { code, command, permanent, response, responseCode } = error
  if (responseCode === undefined) {
    if (wasHandedOver) return new MailMaybeSent({ reason: reasonOf(error) })
    return code === "EENVELOPE"
      ? new MailRejected({ refused: "recipient", isAddressDead: false, response: "The address cannot be written to." })
      : new MailNotSent({ reason: reasonOf(error) })
  }
  const responseText = storedResponse(response ?? "")
  if (permanent !== true || (code !== "EENVELOPE" && code !== "EMESSAGE")) {
    return new MailNotSent({
      reason: code === "EAUTH" ? "smtp_sign_in_failed" : "smtp_deferred",
      response: responseText
    })
  }
  // The operator must fix the sender's permissions. Until then, messages wait.
  if (command === "MAIL FROM") return new MailNotSent({ reason: "sender_rejected", response: responseText })
  const refused = command === "RCPT TO" ? "recipient" : "message"
  return new MailRejected({
    refused,
    isAddressDead: refused === "recipient" && saysAddressDead(enhancedCodeIn(responseText), responseText),
    response: responseText
  })
}
