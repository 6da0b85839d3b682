import { createHmac, type Hmac, timingSafeEqual } from "node:crypto"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect, Option, Redacted } from "effect"
import { MailInbox, maximumMailBytes } from "../../../Services/Mail/MailInbox.ts"
import { longestAnonymousBody } from "../../Platform/Http/Admission/BodyBudget.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { noSuchRoute, refusedAnswer, transientAnswer } from "../../Platform/Http/EndpointAnswers.ts"
import { MailSettings } from "../MailSettings.ts"

/** The tolerance for the sender's clock in seconds. An older request counts as a replay. */
const replayWindow = 300

export const timestampHeader = "x-mail-timestamp"
export const recipientHeader = "x-mail-recipient"
export const signatureHeader = "x-mail-signature"
export const headSignatureHeader = "x-mail-head-signature"

const signatureOf = (secret: Redacted.Redacted, timestamp: string, recipient: string): Hmac =>
  createHmac("sha256", Redacted.value(secret)).update(`${timestamp}.${recipient}.`)

/** The value of the signature header: HMAC-SHA256 over `{timestamp}.{recipient}.` and the raw message. */
export const inboundSignature = (
  secret: Redacted.Redacted,
  timestamp: string,
  recipient: string,
  body: Uint8Array
): string => `sha256=${signatureOf(secret, timestamp, recipient).update(body).digest("hex")}`

/** Proves that the sender knows the secret before the body is read: HMAC-SHA256 over `head.{timestamp}.{recipient}`. */
export const inboundHeadSignature = (secret: Redacted.Redacted, timestamp: string, recipient: string): string =>
  `sha256=${createHmac("sha256", Redacted.value(secret)).update(`head.${timestamp}.${recipient}`).digest("hex")}`

const isSame = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const unsigned = refusal(
  401,
  "InvalidSignature",
  "The message is not signed, or not with the gateway's secret.",
  `Send ${timestampHeader} (Unix seconds, at most ${replayWindow} off) and ${signatureHeader}: sha256=hex of HMAC-SHA256 over timestamp, dot, recipient, dot and the body.`,
  { Connection: "close" }
)

const tooLargeUnproved = refusal(
  413,
  "InvalidRequestBody",
  `A message over ${longestAnonymousBody} bytes needs the header ${headSignatureHeader}.`,
  `Send ${headSignatureHeader}: sha256=hex of HMAC-SHA256 over "head.", timestamp, dot and recipient.`,
  { Connection: "close" }
)

const nobody = refusal(
  404,
  "UnknownRecipient",
  "No account has an address that the message is for.",
  `Name the envelope's recipient in ${recipientHeader}.`
)

/**
 * `POST /inbound/mail`: a raw message (RFC 5322), signed by the operator's mail server. The answer says how it was
 * handled. A repeated delivery is answered with `duplicate` and changes nothing. Without a secret in the settings, the
 * route does not exist.
 */
export const inboundEndpoint: Effect.Effect<Endpoint<RequestScope>, never, MailInbox | MailSettings> = Effect.gen(
  function* () {
    const inbox = yield* MailInbox
    const { inboundSecret } = yield* MailSettings

    const receive = (secret: Redacted.Redacted) =>
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const timestamp = headers[timestampHeader] ?? ""
        const signature = headers[signatureHeader] ?? ""
        const recipient = headers[recipientHeader] ?? ""
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        // Checked before the body is read.
        if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > replayWindow) return unsigned
        if (!/^sha256=[0-9a-f]{64}$/.test(signature)) return unsigned
        const isProved = isSame(headers[headSignatureHeader] ?? "", inboundHeadSignature(secret, timestamp, recipient))
        if (!isProved && Number(headers["content-length"] ?? 0) > longestAnonymousBody) return tooLargeUnproved
        const digest = signatureOf(secret, timestamp, recipient)
        const body = yield* endpointBody({
          limit: isProved ? maximumMailBytes : longestAnonymousBody,
          ...(isProved ? { tenant: "key /inbound/mail" } : {}),
          leavesWork: true,
          onChunk: (chunk) => digest.update(chunk)
        })
        if (!isSame(signature, `sha256=${digest.digest("hex")}`)) return unsigned
        const receipts = yield* inbox.receive(body, { deliveredTo: recipient === "" ? [] : [recipient] })
        return receipts.length === 0
          ? nobody
          : HttpServerResponse.unsafeJson({
              messages: receipts.map(({ emailMessageId, outcome }) => ({
                outcome,
                email_message_id: emailMessageId ?? null
              }))
            })
      }).pipe(
        Effect.catchTags({
          RequestRefused: (failure) => Effect.succeed(refusedAnswer(failure)),
          Transient: (failure) => Effect.succeed(transientAnswer(failure))
        })
      )

    return {
      path: "/inbound/mail",
      methods: {
        POST: Option.match(inboundSecret, { onNone: () => Effect.succeed(noSuchRoute), onSome: receive })
      }
    }
  }
)
