import { createHmac, randomBytes } from "node:crypto"
import { Redacted } from "effect"

/** What deliveries of one subscription are signed with: 32 random bytes. */
export type SigningKey = Redacted.Redacted<Uint8Array>

export const makeSigningKey = (): SigningKey => Redacted.make(randomBytes(32))

/** The key as its owner gets it, the one time that it is shown. */
export const signingSecret = (key: SigningKey): string => `whsec_${Buffer.from(Redacted.value(key)).toString("base64")}`

/** The headers by which the receiver knows the sender, by the rules of Standard Webhooks. */
export const signatureHeaders = (
  key: SigningKey,
  message: { readonly id: string; readonly timestampSeconds: number; readonly body: string }
): { readonly [name: string]: string } => {
  const { body, id, timestampSeconds } = message
  const signature = createHmac("sha256", Redacted.value(key)).update(`${id}.${timestampSeconds}.${body}`)
  return {
    "webhook-id": id,
    "webhook-timestamp": `${timestampSeconds}`,
    "webhook-signature": `v1,${signature.digest("base64")}`
  }
}
