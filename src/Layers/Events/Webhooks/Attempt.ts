import { Clock, Context, type Duration, Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { retryAfterSeconds } from "../../Platform/Outbound/RetryAfter.ts"
import { type SigningKey, signatureHeaders } from "./Signature.ts"

/** The message to a receiver. */
export interface WebhookMessage {
  readonly accountId: AccountId
  readonly url: string
  /** The subscription's key, and during a rotation the previous one too. */
  readonly keys: ReadonlyArray<SigningKey>
  readonly eventId: string
  readonly eventType: string
  readonly occurredAt: Timestamp
  readonly data: unknown
}

/** The result of one attempt of a delivery. */
export interface Attempt {
  readonly attemptedAtMillis: number
  readonly durationMillis: number
  /** Null if there was no answer. */
  readonly responseStatus: number | null
  /** Null for a success. It contains nothing that the receiver wrote. */
  readonly failureReason: string | null
  /** The beginning of the receiver's answer to a failed attempt. Null for a success, and without an answer. */
  readonly responseExcerpt: string | null
  /** Seconds to wait, as requested by the receiver. */
  readonly retryAfter: number | undefined
}

/** The time in signatures, in Unix milliseconds. Receivers compare it with their own clocks. */
export class SignatureTime extends Context.Reference<SignatureTime>()("SignatureTime", {
  defaultValue: (): Effect.Effect<number> => Clock.currentTimeMillis
}) {}

/** The number of bytes of a failed answer that are stored. */
const excerptBytes = 512

/** The database cannot store NUL characters, and other control characters would disturb readers. */
const excerptOf = (body: Uint8Array): string | null => {
  const text = new TextDecoder()
    .decode(body)
    .replace(/[\p{Cc}\uFFFD]/gu, " ")
    .trim()
  return text === "" ? null : text
}

const goneStatus = 410

export const isGone = ({ responseStatus }: Attempt): boolean => responseStatus === goneStatus

const failureOf = (status: number): string | null =>
  status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? "redirect_not_followed" : `http_${status}`

/** Sends the message once. An answer of 2xx within `timeout` is a success. */
export const attemptDelivery = Effect.fnUntraced(function* (message: WebhookMessage, timeout: Duration.Duration) {
  const outbound = yield* OutboundHttp
  const start = yield* Clock.currentTimeMillis
  const signedAt = yield* yield* SignatureTime
  const { accountId, data, eventId, eventType, keys, occurredAt, url } = message
  const body = JSON.stringify({ id: eventId, type: eventType, occurred_at: occurredAt, data })

  const answered = yield* outbound
    .request({
      account: accountId,
      method: "POST",
      url,
      headers: {
        "content-type": "application/json",
        ...signatureHeaders(keys, { id: eventId, timestampSeconds: Math.floor(signedAt / 1000), body })
      },
      body,
      timeout,
      keepConnection: true,
      responseBody: { firstBytes: excerptBytes }
    })
    .pipe(
      Effect.map(({ body: answer, headers, status }) => {
        const reason = failureOf(status)
        return { status, reason, headers, excerpt: reason === null ? null : excerptOf(answer) }
      }),
      Effect.catchAll(({ reason }) => Effect.succeed({ status: null, reason, headers: {}, excerpt: null }))
    )

  const end = yield* Clock.currentTimeMillis
  const attempt: Attempt = {
    attemptedAtMillis: start,
    durationMillis: Math.max(0, end - start),
    responseStatus: answered.status,
    failureReason: answered.reason,
    responseExcerpt: answered.excerpt,
    retryAfter: answered.reason === null ? undefined : retryAfterSeconds(answered.headers, end)
  }
  return attempt
})
