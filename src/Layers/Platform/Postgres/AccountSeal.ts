import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import type { Transient } from "../../../Errors.ts"
import { AccountId } from "../../../Services/Accounts/Ids.ts"
import { cacheSuccess } from "../CacheSuccess.ts"
import { fromSql, single } from "./Sql.ts"

const blockSize = 16
const isAccountId = Schema.is(AccountId)

/** Encrypts an account's id and eight random bytes as one block. */
export const sealAccount = (key: Uint8Array, accountId: AccountId): Buffer => {
  const plain = Buffer.concat([Buffer.alloc(8), randomBytes(8)])
  plain.writeBigUInt64BE(BigInt(accountId))
  const cipher = createCipheriv("aes-128-ecb", key, null).setAutoPadding(false)
  return Buffer.concat([cipher.update(plain), cipher.final()])
}

/**
 * Returns the account of a block; none if the block was not made with the key. One random block in two thousand is
 * accepted by chance.
 */
export const openAccount = (key: Uint8Array, block: Uint8Array): Option.Option<AccountId> => {
  if (block.length !== blockSize) return Option.none()
  const decipher = createDecipheriv("aes-128-ecb", key, null).setAutoPadding(false)
  const plain = Buffer.concat([decipher.update(block), decipher.final()])
  return Option.liftPredicate(Number(plain.readBigUInt64BE()), isAccountId)
}

const uuidOf = (bytes: Buffer): string =>
  bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

/**
 * Makes keys that contain their account in encrypted form. When a browser or a provider sends one back, the gateway
 * knows in which account's rows to look. The bearer learns nothing from a key, and it is as hard to guess as a random
 * one.
 */
export const makeAccountSeal = Effect.gen(function* () {
  const sql = yield* SqlClient
  const key = cacheSuccess(
    sql<{ readonly key: Uint8Array }>`select key from account_seal`.pipe(
      fromSql(),
      Effect.map((rows) => single(rows).key)
    )
  )
  const opened = (block: Uint8Array): Effect.Effect<Option.Option<AccountId>, Transient> =>
    Effect.map(key, (secret) => openAccount(secret, block))

  return {
    /** Returns a key of 43 characters for use in URLs. */
    addressKey: (accountId: AccountId) =>
      Effect.map(key, (secret) =>
        Buffer.concat([sealAccount(secret, accountId), randomBytes(16)]).toString("base64url")
      ),
    accountOfAddressKey: (text: string) => opened(Buffer.from(text, "base64url").subarray(0, blockSize)),
    /** Returns a signature that proves that the gateway issued the text for this purpose. */
    signature: (purpose: string, text: string) =>
      Effect.map(key, (secret) => createHmac("sha256", secret).update(`${purpose}\n${text}`).digest()),
    /** Returns a UUID, for providers that accept no other reference. */
    reference: (accountId: AccountId) => Effect.map(key, (secret) => uuidOf(sealAccount(secret, accountId))),
    accountOfReference: (reference: string) => opened(Buffer.from(reference.replaceAll("-", ""), "hex"))
  }
})
