import { createHmac, randomBytes } from "node:crypto"
import { Redacted } from "effect"

/** The key that signs the deliveries of one subscription: 32 random bytes. */
export type SigningKey = Redacted.Redacted<Uint8Array>

export const makeSigningKey = (): SigningKey => Redacted.make(randomBytes(32))

/** The key in the form that the account sees once. */
export const signingSecret = (key: SigningKey): string => `whsec_${Buffer.from(Redacted.value(key)).toString("base64")}`

/** The headers that prove the sender, as Standard Webhooks defines them: one signature for each key. */
export const signatureHeaders = (
  keys: ReadonlyArray<SigningKey>,
  message: { readonly id: string; readonly timestampSeconds: number; readonly body: string }
): { readonly [name: string]: string } => {
  const { body, id, timestampSeconds } = message
  const signedText = `${id}.${timestampSeconds}.${body}`
  const signatures = keys.map(
    (key) => `v1,${createHmac("sha256", Redacted.value(key)).update(signedText).digest("base64")}`
  )
  return {
    "webhook-id": id,
    "webhook-timestamp": `${timestampSeconds}`,
    "webhook-signature": signatures.join(" ")
  }
}
