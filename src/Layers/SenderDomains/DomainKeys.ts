import { generateKeyPair, type KeyObject, randomBytes } from "node:crypto"
import { promisify } from "node:util"
import { Context, Data, Effect, Option, Redacted, Schema } from "effect"
import type { Sealing } from "../Platform/Sealing.ts"

const generate = promisify(generateKeyPair)

class KeysNotMade extends Data.TaggedError("KeysNotMade")<{ readonly cause: unknown }> {}

const PrivateKeys = Schema.parseJson(Schema.Struct({ rsa: Schema.String, ed25519: Schema.String }))

/** Returns the 32 bytes of a key, which are at the end of its SubjectPublicKeyInfo. */
const rawEd25519 = (spki: Buffer): string => spki.subarray(-32).toString("base64")

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** Creates the key pairs. This takes long, so tests reuse some. */
export class KeyPairs extends Context.Reference<KeyPairs>()("KeyPairs", {
  defaultValue: (): { readonly rsa: () => Promise<KeyPair>; readonly ed25519: () => Promise<KeyPair> } => ({
    rsa: () => generate("rsa", { modulusLength: 2048 }),
    ed25519: () => generate("ed25519")
  })
}) {}

/**
 * Two new keys and the name under which they are published. The name differs for each pair, so that old keys stay
 * valid.
 */
export const makeDomainKeys = (pairs: KeyPairs["Type"]) =>
  Effect.tryPromise({
    try: async () => {
      const rsa = await pairs.rsa()
      const ed25519 = await pairs.ed25519()
      const pem = { type: "pkcs8", format: "pem" } as const
      const spki = { type: "spki", format: "der" } as const
      return {
        selector: `pg${randomBytes(4).toString("hex")}`,
        rsaPublic: rsa.publicKey.export(spki).toString("base64"),
        ed25519Public: rawEd25519(ed25519.publicKey.export(spki)),
        privateKeys: Redacted.make(
          JSON.stringify({
            rsa: rsa.privateKey.export(pem).toString(),
            ed25519: ed25519.privateKey.export(pem).toString()
          })
        )
      }
    },
    catch: (cause) => new KeysNotMade({ cause })
  }).pipe(Effect.orDie)

export type DomainKeys = Effect.Effect.Success<ReturnType<typeof makeDomainKeys>>

export const sealedFor = (accountId: number, domain: string): string => `sender_domain ${accountId} ${domain}`

/** Decrypts the private keys. None if the encryption key no longer exists. */
export const openDomainKeys = (sealing: Sealing["Type"], sealed: Uint8Array, owner: string) =>
  Option.flatMap(sealing.open(sealed, owner), (json) =>
    Option.map(Schema.decodeOption(PrivateKeys)(Redacted.value(json)), ({ ed25519, rsa }) => ({
      rsa: Redacted.make(rsa),
      ed25519: Redacted.make(ed25519)
    }))
  )
