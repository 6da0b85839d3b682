import { Predicate } from "effect"
import type { NodemailerError } from "nodemailer"
import { clip } from "../../Services/language/PlainText.ts"
import { type MailFailure, MailMaybeSent, MailNotSent, MailRejected } from "../../Services/Mail.ts"

/** Enhanced status codes (RFC 3463) that say there is no such mailbox, domain or host. */
const deadAddressCode = /^5\.(?:1\.(?:0|1|2|3|6|10)|2\.1|4\.4)$/
const enhancedCode = /\b([245]\.\d{1,3}\.\d{1,3})\b/

// What a server means that says 550 without an enhanced code.
const policyWords =
  /spam|block|polic|reputation|blacklist|denylist|listed|rbl|spf|dkim|dmarc|rate|limit|virus|content|reject(?:ed)? due|too many|denied|prohibit|banned|greylist|quota|full/i
const deadAddressWords =
  /no such|not exist|n[aã]o existe|no existe|unknown (?:user|recipient|mailbox)|(?:user|recipient|mailbox|address)(?: \S+){0,4} (?:unknown|not found|does ?n[o']t exist|invalid|disabled|unavailable|inactive)|user unknown|invalid (?:recipient|mailbox|address)|account (?:has been )?(?:disabled|closed)|not a valid (?:mailbox|recipient)|no mailbox|host (?:or domain name )?not found/i

/** The enhanced status code in a server's reply or a bounce's text. */
export const enhancedCodeIn = (text: string): string | undefined => enhancedCode.exec(text)?.[1]

/** Whether a refusal of the recipient says that the address is dead, whoever writes to it. */
export const saysAddressDead = (code: string | undefined, text: string): boolean =>
  code === undefined || code === "5.0.0"
    ? deadAddressWords.test(text) && !policyWords.test(text)
    : deadAddressCode.test(code) && !(code === "5.1.0" && policyWords.test(text))

const maximumResponse = 500

/** A server's reply as it is kept: one line, bounded. */
export const keptResponse = (response: string): string =>
  clip(response.replace(/[\p{Cc}\u2028\u2029\s]+/gu, " ").trim(), maximumResponse)

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
