import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual
} from "node:crypto"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Config, Context, Effect, Layer, Option, Redacted } from "effect"
import { checked, wrongSetting } from "./Environment.ts"
import { Settings } from "./Settings.ts"

const algorithm = "aes-256-gcm"
const version = 1
const keyIdLength = 4
const nonceLength = 12
const tagLength = 16
const headLength = 1 + keyIdLength

/**
 * Encrypts accounts' secrets, so that the database alone is not enough to read them. `owner` (kind and ids) is part of
 * the encryption: a text only opens for the owner it was sealed for.
 */
export class Sealing extends Context.Tag("Sealing")<
  Sealing,
  {
    readonly seal: (text: Redacted.Redacted, owner: string) => Uint8Array
    /**
     * Returns none if the text was sealed for another owner, with a key that no longer exists, or was changed since.
     */
    readonly open: (sealed: Uint8Array, owner: string) => Option.Option<Redacted.Redacted>
    /** True if the text was sealed with an older key, and should be sealed again. */
    readonly isOutdated: (sealed: Uint8Array) => boolean
    /**
     * Also seals with a phrase that is not stored anywhere, so that only a caller who sends the phrase again can open
     * the text.
     */
    readonly withPhrase: (phrase: string) => PhraseSealing
    /**
     * Returns hashes by which the text can be found again, newest key first. Without the keys they do not reveal the
     * text.
     */
    readonly marksOf: (text: string) => ReadonlyArray<Buffer>
    /** A signature that only a holder of the keys can make. */
    readonly sign: (text: string) => Buffer
    readonly isSigned: (text: string, signature: Uint8Array) => boolean
  }
>() {}

interface PhraseSealing {
  readonly seal: (text: Redacted.Redacted, owner: string) => Uint8Array
  readonly open: (sealed: Uint8Array, owner: string) => Option.Option<Redacted.Redacted>
}

interface Key {
  readonly id: Buffer
  readonly bytes: Buffer
}

const keyOf = (secret: Redacted.Redacted): Key => {
  const bytes = Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "account secrets", 32))
  return { bytes, id: createHash("sha256").update(bytes).digest().subarray(0, keyIdLength) }
}

const keyIdOf = (sealed: Buffer) => sealed.subarray(1, headLength)

/** Seals with the first key, and opens what any of the keys sealed. */
const sealingOf = (keys: readonly [Key, ...ReadonlyArray<Key>]): Pick<Sealing["Type"], "seal" | "open"> => {
  const [newest] = keys
  return {
    seal: (text, owner) => {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv(algorithm, newest.bytes, nonce).setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(Redacted.value(text), "utf8"), cipher.final()])
      return Buffer.concat([Buffer.from([version]), newest.id, nonce, cipher.getAuthTag(), sealed])
    },
    open: (bytes, owner) =>
      Option.liftThrowable((sealed: Buffer) => {
        const key = keys.find(({ id }) => id.equals(keyIdOf(sealed)))
        if (key === undefined || sealed[0] !== version) throw new Error("no such key")
        const at = headLength + nonceLength
        const decipher = createDecipheriv(algorithm, key.bytes, sealed.subarray(headLength, at), {
          authTagLength: tagLength
        })
          .setAAD(Buffer.from(owner))
          .setAuthTag(sealed.subarray(at, at + tagLength))
        return Redacted.make(
          Buffer.concat([decipher.update(sealed.subarray(at + tagLength)), decipher.final()]).toString()
        )
      })(Buffer.from(bytes))
  }
}

const derived = ({ bytes }: Key, phrase: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", bytes, phrase, purpose, 32))

/** Seals with the first secret, and opens what any of the secrets sealed. */
export const makeSealing = (secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]) => {
  const newest = keyOf(secrets[0])
  const others = secrets.slice(1).map(keyOf)
  const signerOf = (key: Key) => {
    const signingKey = derived(key, "", "signature")
    return (text: string): Buffer => createHmac("sha256", signingKey).update(text).digest()
  }
  const markKeys = [newest, ...others].map((key) => derived(key, "", "phrase mark"))
  const marksOf = (text: string): ReadonlyArray<Buffer> =>
    markKeys.map((key) => createHmac("sha256", key).update(text).digest())
  const sign = signerOf(newest)
  const signers = [sign, ...others.map(signerOf)]
  return Sealing.of({
    ...sealingOf([newest, ...others]),
    isOutdated: (bytes) => !newest.id.equals(keyIdOf(Buffer.from(bytes))),
    sign,
    isSigned: (text, signature) => {
      const bytes = Buffer.from(signature)
      return signers.some((signer) => {
        const expected = signer(text)
        return expected.length === bytes.length && timingSafeEqual(expected, bytes)
      })
    },
    marksOf,
    withPhrase: (phrase) => {
      const withPhrase = (key: Key): Key => ({ id: key.id, bytes: derived(key, phrase, "phrase sealing") })
      return sealingOf([withPhrase(newest), ...others.map(withPhrase)])
    }
  })
}

const secret = (name: string) =>
  checked(name, Config.redacted(name), "at least 32 random characters", (text) => Redacted.value(text).length >= 32)

class NotPrivate extends Error {}

/** Reads a file that no other user can have written or read. Files of the superuser are accepted too. */
const readPrivate = async (file: string): Promise<string> => {
  const handle = await fs.open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch((cause: unknown) => {
    throw cause instanceof Error && "code" in cause && cause.code === "ELOOP" ? new NotPrivate() : cause
  })
  try {
    const { mode, uid } = await handle.stat()
    const isOurs = uid === 0 || uid === (process.geteuid?.() ?? uid)
    if (!isOurs || (mode & 0o077) !== 0) throw new NotPrivate()
    return await handle.readFile("utf8")
  } finally {
    await handle.close()
  }
}

/**
 * Reads the secret in the file. If several gateways start at the same time without one, only one of them creates it.
 */
const secretOfFile = Effect.gen(function* () {
  const { dataDir } = yield* Settings
  const file = path.join(dataDir, "sealing-key")
  const newSecret = `${randomBytes(32).toString("base64url")}\n`
  return yield* Effect.tryPromise({
    try: async () => {
      await fs.mkdir(dataDir, { recursive: true })
      const draft = `${file}.${randomUUID()}`
      await fs.writeFile(draft, newSecret, { flag: "wx", mode: 0o600 })
      // A hard link appears at once with the whole content, so that no gateway reads a partial key.
      await fs.link(draft, file).catch(() => undefined)
      await fs.rm(draft)
      return Redacted.make((await readPrivate(file)).trim())
    },
    catch: (cause) =>
      wrongSetting(
        "DATA_DIR",
        cause instanceof NotPrivate
          ? "sealing-key in it is a link, another user's, or open to others: make it this user's with mode 600, or set SEALING_KEY"
          : "The key that seals secrets cannot be kept there: make it writable, or set SEALING_KEY"
      )
  })
})

/** Reads the keys from environment variables. */
export const sealingKeys = Config.all({
  current: Config.option(secret("SEALING_KEY")),
  previous: Config.option(secret("SEALING_KEY_PREVIOUS"))
})

/** Uses the keys in environment variables, or else a key that is stored in the data directory. */
export const SealingLive = Layer.effect(
  Sealing,
  Effect.gen(function* () {
    const { current, previous } = yield* sealingKeys
    const newest = Option.isSome(current) ? current.value : yield* secretOfFile
    return makeSealing([newest, ...Option.toArray(previous)])
  })
)
