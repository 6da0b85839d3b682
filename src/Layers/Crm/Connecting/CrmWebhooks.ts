import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { CrmDelivery } from "../Calling/CrmAdapter.ts"
import { at, textAt } from "../Calling/JsonPath.ts"

/** The last part of the address if all deliveries share one. */
export const sharedWebhookPath = "deals"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Compares in constant time. */
export const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

/** CRMs that do not sign webhooks are authenticated by a secret in the URL. */
export const byAddress = (): boolean => true

/** The greatest age of a delivery whose signature includes its time. Within it, a delivery can be replayed. */
const longestAgeMillis = 300_000

export const isSignedWithTime = (
  { body, headers, now, secret }: CrmDelivery,
  names: { readonly signature: string; readonly timestamp: string }
): boolean => {
  const signature = headers[names.signature] ?? ""
  const timestamp = headers[names.timestamp] ?? ""
  if (!/^[0-9a-f]{64}$/i.test(signature) || !/^\d{10,16}$/.test(timestamp)) return false
  if (Math.abs(now - Number(timestamp)) > longestAgeMillis) return false
  const expected = createHmac("sha256", secret).update(`${timestamp}:`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(signature, "hex"))
}

/** The longest accepted id in characters. No CRM has longer ones. */
const longestId = 200

/** Returns the id at the path, unless it is empty or cannot be an id of a CRM. */
export const idIn = (body: unknown, ...path: ReadonlyArray<string | number>): string | undefined => {
  const text = textAt(body, ...path)
  return text === "" || text.length > longestId || /[\0-\x1f]/.test(text) ? undefined : text
}

export const isNull = (body: unknown, ...path: ReadonlyArray<string | number>): boolean => at(body, ...path) === null
