import type { AccountEvent } from "./events.ts"

type WithoutCursor<Event> = Event extends unknown ? Omit<Event, "cursor"> : never

/** What `test_webhook_subscription` sends. */
export interface PingEvent {
  readonly id: string
  readonly type: "ping"
  readonly occurred_at: string
  readonly data: { readonly subscription_id: number }
}

/** The body of a delivery. */
export type WebhookEvent = WithoutCursor<AccountEvent> | PingEvent

export interface Delivery {
  /** `whsec_…`, as `create_webhook_subscription` answered it once. */
  readonly secret: string
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body as it arrived: parsed and written again, its bytes would differ. */
  readonly body: string
  /** How old a delivery may be. By default 300. */
  readonly toleranceSeconds?: number
}

/** A delivery that the gateway did not sign with this secret, or not lately. Answer 401. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused"
  readonly _tag = "WebhookRefused"
}

const headerOf = (headers: Delivery["headers"], name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== "string") throw new WebhookRefused(`The header ${name} is missing.`)
  return value
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array(0)
  }
}

/** The event, as the document describes it. */
function parsedEvent(body: string): WebhookEvent
function parsedEvent(body: string): unknown {
  const event: unknown = JSON.parse(body)
  return event
}

/** Checks a delivery's signature (Standard Webhooks) and returns its event. Throws `WebhookRefused`. */
export const verifyWebhook = async (delivery: Delivery): Promise<WebhookEvent> => {
  const { body, headers, secret, toleranceSeconds = 300 } = delivery
  const id = headerOf(headers, "webhook-id")
  const timestamp = headerOf(headers, "webhook-timestamp")
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= toleranceSeconds)) throw new WebhookRefused("The delivery is too old, or from the future.")
  const hmac = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", bytesOf(secret.replace(/^whsec_/, "")), hmac, false, ["verify"])
  const signedText = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of headerOf(headers, "webhook-signature").split(" ")) {
    const [version, text = ""] = signature.split(",")
    // The runtime compares in constant time.
    if (version === "v1" && (await crypto.subtle.verify("HMAC", key, bytesOf(text), signedText))) {
      return parsedEvent(body)
    }
  }
  throw new WebhookRefused("No signature of the delivery is of this secret.")
}
