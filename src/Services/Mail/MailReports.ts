import { Either } from "effect"
import { normaliseEmail } from "../Text/ContactDetails.ts"
import { blocksOf, headerFields, headOf } from "./MailHeaderFields.ts"
import type { InboundMail } from "./MailInbox.ts"
import { enhancedCodeIn, refusalClassIn, saysAddressDead, storedResponse } from "./MailRefusals.ts"

/** The information in a report about the message that it concerns. */
export interface ReportedMessage {
  /** Possible Message-IDs, likeliest first. */
  readonly messageIds: ReadonlyArray<string>
  /** Normalised addresses of its sender and its reply-to. */
  readonly senders: ReadonlyArray<string>
  /** The token of the message's unsubscribe link. */
  readonly unsubscribeToken: string | undefined
}

/**
 * `hard`: the address is dead. `soft`: this message did not arrive, but another one may. `delayed`: it may still
 * arrive.
 */
export type BounceKind = "hard" | "soft" | "delayed"

export interface Bounce {
  readonly kind: BounceKind
  /** Normalised. Undefined if the report does not name it. */
  readonly recipient: string | undefined
  /** Enhanced status code. */
  readonly status: string | undefined
  readonly diagnostic: string
  readonly message: ReportedMessage
}

/**
 * The kind of bounce for the message that it names, which was sent to `to`. Undefined if it is about another recipient.
 */
export const bounceKindFor = (
  { ownAddresses, to }: { readonly to: string | null; readonly ownAddresses: ReadonlyArray<string> },
  { kind, recipient }: Pick<Bounce, "kind" | "recipient">
): BounceKind | undefined => {
  if (recipient === undefined || recipient === to) return kind
  // A bounced copy to the owner is ignored, because it does not concern the lead. Other addresses may be ones to which
  // the lead's mail is forwarded.
  if (ownAddresses.includes(recipient)) return undefined
  return kind === "hard" ? "soft" : kind
}

export interface Complaint {
  /** `abuse`, `fraud`, … */
  readonly feedbackType: string
  readonly message: ReportedMessage
}

const addressIn = (field: string | undefined): string | undefined => {
  const text = (field ?? "").replace(/^[^;<]*;/, "").replace(/^.*<|>.*$/g, "")
  return Either.getOrUndefined(normaliseEmail(text))
}

const idIn = (field: string | undefined): ReadonlyArray<string> => (field ?? "").match(/<[^<>\s]{3,400}>/g) ?? []

const isDefined = <A>(value: A | undefined): value is A => value !== undefined

const reportedMessage = (mail: InboundMail): ReportedMessage => {
  const originals = mail.reportParts.filter(({ mediaType }) =>
    /^(?:message\/(?:rfc822|global)|text\/rfc822-headers)$/.test(mediaType)
  )
  const headers = originals.map(({ text }) => headerFields(headOf(text)))
  // Servers without standard reports quote the message below their text.
  const quoted = /^[ \t>]*message-id:[ \t]*(<[^<>\s]{3,400}>)/im.exec(mail.text)?.[1]
  const [header] = headers
  return {
    messageIds: [
      ...new Set([
        ...headers.flatMap((fields) => idIn(fields.get("message-id")?.[0])),
        ...(quoted === undefined ? [] : [quoted]),
        ...mail.answers
      ])
    ],
    senders: [
      ...new Set(["reply-to", "from", "return-path"].map((name) => addressIn(header?.get(name)?.[0])).filter(isDefined))
    ],
    unsubscribeToken: /\/u\/([A-Za-z0-9_-]{20,100})>/.exec(header?.get("list-unsubscribe")?.[0] ?? "")?.[1]
  }
}

interface Recipient {
  readonly action: string
  readonly status: string | undefined
  readonly diagnostic: string
  readonly address: string | undefined
}

const recipientsIn = (status: string): ReadonlyArray<Recipient> =>
  blocksOf(status)
    .map(headerFields)
    .filter((fields) => fields.has("action") || fields.has("final-recipient"))
    .map((fields) => {
      const field = (name: string): string => fields.get(name)?.[0] ?? ""
      const diagnostic = storedResponse(field("diagnostic-code").replace(/^[^;]*;/, ""))
      return {
        action: field("action").toLowerCase(),
        status: enhancedCodeIn(field("status")) ?? enhancedCodeIn(diagnostic),
        diagnostic,
        address: addressIn(field("original-recipient")) ?? addressIn(field("final-recipient"))
      }
    })

const kindOf = (status: string | undefined, text: string): "hard" | "soft" => {
  const isLasting = status === undefined ? refusalClassIn(text) !== 4 : status.startsWith("5")
  // The code in the server's response is more precise than a report's general one.
  const code = status === undefined || status.endsWith(".0.0") ? (enhancedCodeIn(text) ?? status) : status
  return isLasting && saysAddressDead(code, text) ? "hard" : "soft"
}

const gravity: { readonly [K in BounceKind]: number } = { hard: 2, soft: 1, delayed: 0 }

const statusReport = (mail: InboundMail): Bounce | undefined => {
  const part = mail.reportParts.find(({ mediaType }) => mediaType.endsWith("delivery-status"))
  if (part === undefined) return undefined
  const bounces = recipientsIn(part.text).flatMap(({ action, address, diagnostic, status }): ReadonlyArray<Bounce> => {
    const isDelayed = action === "delayed"
    if (!isDelayed && action !== "failed") return []
    const text = diagnostic === "" ? storedResponse(mail.text) : diagnostic
    return [
      {
        kind: isDelayed ? "delayed" : kindOf(status, text),
        recipient: address,
        status,
        diagnostic: text,
        message: reportedMessage(mail)
      }
    ]
  })
  return bounces.sort((one, other) => gravity[other.kind] - gravity[one.kind])[0]
}

const daemon = /^(?:mailer-?daemon|postmaster|mail-?daemon|mdaemon|noreply-bounces?)@/
const bounceSubject =
  /undeliver|delivery (?:status|failure|has failed|notification)|delivery report|mail delivery|returned mail|failure notice|message (?:could not be|not) delivered|mail system error|falha (?:na|de) (?:entrega|envio)|n[aã]o (?:foi )?(?:p[oô]de ser )?entregue|devolvid[ao]|no (?:se )?(?:ha podido|pudo|se puede) entreg|error de entrega|no entregad|rechazad/i
const delaySubject = /delay|warning: message|atras|retras|demor/i

/** A bounce without a standard report, recognised by its sender and subject. */
const plainBounce = (mail: InboundMail): Bounce | undefined => {
  const failedRecipient = mail.header("x-failed-recipients")
  const isFromDaemon =
    daemon.test(mail.fromAddress ?? "") || (mail.header("return-path")?.replace(/\s/g, "") ?? "") === "<>"
  const says = bounceSubject.test(mail.subject) || delaySubject.test(mail.subject)
  if (failedRecipient === undefined && !(isFromDaemon && says)) return undefined
  const text = mail.text.slice(0, 20_000)
  const line = text.split("\n").find((candidate) => refusalClassIn(candidate) !== undefined)
  const isDelayed = delaySubject.test(mail.subject) && !bounceSubject.test(mail.subject)
  return {
    kind: isDelayed ? "delayed" : kindOf(enhancedCodeIn(line ?? ""), text),
    recipient: addressIn(failedRecipient?.split(",")[0]),
    status: enhancedCodeIn(line ?? ""),
    diagnostic: storedResponse(line ?? text),
    message: reportedMessage(mail)
  }
}

/** The content of a bounce (RFC 3464, or free text). Undefined if the message is no bounce. */
export const readBounce = (mail: InboundMail): Bounce | undefined =>
  mail.reportType === "feedback-report" ? undefined : (statusReport(mail) ?? plainBounce(mail))

/** The content of a complaint (ARF, RFC 5965). Undefined if the message is no complaint. */
export const readComplaint = (mail: InboundMail): Complaint | undefined => {
  const report = mail.reportParts.find(({ mediaType }) => mediaType === "message/feedback-report")
  if (report === undefined) return undefined
  const feedbackType = headerFields(report.text).get("feedback-type")?.[0]?.toLowerCase() ?? "other"
  // This report means that a message was wrongly marked as spam.
  return feedbackType === "not-spam" ? undefined : { feedbackType, message: reportedMessage(mail) }
}

const autoSubject =
  /^\s*(?:\[?auto(?:matic|m[aá]tic[ao])?(?:[ -]?(?:reply|response|resposta|respuesta|responder))?\]?\s*:|automatic reply|auto[- ]?reply|autoreply|out of (?:the )?office|out of office|away from (?:my|the) (?:office|desk)|on vacation|vacation (?:reply|response)|resposta autom[aá]tica|aus[eê]ncia|ausente|fora do escrit[oó]rio|estou de f[eé]rias|f[eé]rias|respuesta autom[aá]tica|fuera de (?:la )?oficina|ausencia|estoy de vacaciones|confirma[cç][aã]o de (?:recebimento|leitura)|read:|lida:|le[ií]do:)/i
const machineSender =
  /^(?:no-?reply|nao-?responda|n[aã]o-?responder|donotreply|do-not-reply|no-?responder|bounces?|mailer-?daemon|postmaster|notifications?|auto-?reply)(?:[+._-][^@]*)?@/

/** Whether the message is automatic: an absence notice, a receipt or a mailing. */
export const isAutomatic = (mail: InboundMail): boolean => {
  const field = (name: string): string => (mail.header(name) ?? "").toLowerCase()
  const submitted = field("auto-submitted")
  return (
    (submitted !== "" && !submitted.startsWith("no")) ||
    field("x-auto-response-suppress") !== "" ||
    ["x-autoreply", "x-autorespond", "x-auto-reply", "x-mail-autoreply", "x-autoreply-from"].some(
      (name) => field(name) !== ""
    ) ||
    /^(?:auto_?reply|bulk|junk|list)\b/.test(field("precedence")) ||
    field("list-id") !== "" ||
    field("return-path").replace(/\s/g, "") === "<>" ||
    mail.mediaType === "multipart/report" ||
    machineSender.test(mail.fromAddress ?? "") ||
    autoSubject.test(mail.subject)
  )
}
