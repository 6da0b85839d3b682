import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { Option, Redacted } from "effect"

const algorithm = "aes-256-gcm"
const nonceLength = 12
const tagLength = 16

/** Encrypts an account's credentials from the provider, so that the database alone is not enough to use them. */
export const makeSealing = (appSecret: Redacted.Redacted) => {
  const key = Buffer.from(hkdfSync("sha256", Redacted.value(appSecret), "", "chatapp line credential", 32))
  return {
    /** `owner` is bound into the encryption, so the text only opens for the same owner. */
    seal: (text: Redacted.Redacted, owner: string): Uint8Array => {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(Redacted.value(text), "utf8"), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },

    /** Decrypts a secret. None if it was sealed for another owner or with another secret, or was changed since. */
    open: (sealed: Uint8Array, owner: string): Option.Option<Redacted.Redacted> =>
      Option.liftThrowable((bytes: Buffer) => {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength))
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()])
        return Redacted.make(text.toString("utf8"))
      })(Buffer.from(sealed))
  }
}
