import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto"
import { promisify } from "node:util"
import { Effect, Redacted, Schema } from "effect"
import { type BackupError, backupError, systemError } from "../../Services/Backups/BackupError.ts"

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

const algorithm = "aes-256-gcm"
const version = 1
const saltLength = 16
const nonceLength = 12
const tagLength = 16
/** 128 MiB of memory and about half a second per guess, as OWASP recommends. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** The secrets that a gateway needs in addition to its database. */
const Secrets = Schema.Struct({
  /** Files of the data directory, in base64. */
  files: Schema.Record({ key: Schema.String.pipe(Schema.pattern(/^[\w.-]{1,100}$/)), value: Schema.String }),
  /** The key in use, if it came from a setting. */
  sealing_key: Schema.NullOr(Schema.String)
})
export type Secrets = typeof Secrets.Type

const SecretsJson = Schema.parseJson(Secrets)

const keyOf = (passphrase: Redacted.Redacted, salt: Buffer) =>
  derive(Redacted.value(passphrase).normalize("NFC"), salt, 32, cost)

/** Encrypts the secrets. Decryption needs the same passphrase and the unchanged manifest. */
export const sealSecrets = (
  passphrase: Redacted.Redacted,
  manifest: Buffer,
  secrets: Secrets
): Effect.Effect<Buffer, BackupError> =>
  Effect.tryPromise({
    try: async () => {
      const [salt, nonce] = [randomBytes(saltLength), randomBytes(nonceLength)]
      const cipher = createCipheriv(algorithm, await keyOf(passphrase, salt), nonce).setAAD(manifest)
      const text = Buffer.concat([cipher.update(Schema.encodeSync(SecretsJson)(secrets), "utf8"), cipher.final()])
      return Buffer.concat([Buffer.from([version]), salt, nonce, cipher.getAuthTag(), text])
    },
    catch: systemError("The keys cannot be sealed")
  })

const wrongPassphrase = backupError(
  "wrong_passphrase",
  "BACKUP_PASSPHRASE is not the passphrase of this backup, or its manifest was changed. Nothing was restored."
)

/** Decrypts the result of `sealSecrets`. */
export const openSecrets = (
  passphrase: Redacted.Redacted,
  manifest: Buffer,
  sealed: Buffer
): Effect.Effect<Secrets, BackupError> =>
  Effect.tryPromise({
    try: async () => {
      if (sealed[0] !== version) throw wrongPassphrase
      const nonceAt = 1 + saltLength
      const tagAt = nonceAt + nonceLength
      const textAt = tagAt + tagLength
      const key = await keyOf(passphrase, sealed.subarray(1, nonceAt))
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(nonceAt, tagAt), { authTagLength: tagLength })
        .setAAD(manifest)
        .setAuthTag(sealed.subarray(tagAt, textAt))
      const text = Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()]).toString()
      return Schema.decodeSync(SecretsJson)(text)
    },
    catch: () => wrongPassphrase
  })
