import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { Context } from "effect"

/**
 * An access token is `pgw_` and 40 characters of base62: 34 random ones (202 bits), then the CRC-32 of all before it in 6.
 * So a mistyped or leaked token is recognised without the database. Tokens of a test account are as long, and begin with
 * `pgt_` and the account's key.
 */
const tokenLength = 44
const checksumLength = 6
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const base62 = /^[0-9A-Za-z]+$/
const livePrefix = "pgw_"
const testPrefix = "pgt_"
const testKeyLength = 10

/** The prefix of this gateway's tokens. */
export class TokenPrefix extends Context.Reference<TokenPrefix>()("TokenPrefix", {
  defaultValue: (): string => livePrefix
}) {}

/** The prefix of a test account's tokens. */
export const testTokenPrefix = (key: string): string => testPrefix + key

const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ""
  for (let position = 0; position < checksumLength; position++) {
    digits = alphabet.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Makes a token of cryptographically random bytes, taken from `randomBytes` until enough of them fit the alphabet. */
export const makeToken = (randomBytes: (count: number) => Uint8Array, prefix: string = livePrefix): string => {
  const length = tokenLength - checksumLength
  let token = prefix
  while (token.length < length) {
    for (const byte of randomBytes(length - prefix.length)) {
      // 248 is the largest multiple of 62 in a byte: taking more would favour the first characters.
      if (byte < 248 && token.length < length) token += alphabet.charAt(byte % 62)
    }
  }
  return token + checksum(token)
}

/** The key of the test account whose tokens begin so; undefined for the tokens of live accounts. */
export const testKeyOfPrefix = (prefix: string): string | undefined =>
  prefix.startsWith(testPrefix) ? prefix.slice(testPrefix.length) : undefined

/** The digest that is stored instead of the token. */
export const tokenDigest = (token: string): Buffer => hash("sha256", token, "buffer")

/** True if `text` has the form of a token. */
export const isWellFormedToken = (text: string, prefix: string = livePrefix): boolean =>
  text.length === tokenLength &&
  text.startsWith(prefix) &&
  base62.test(text.slice(livePrefix.length)) &&
  checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)

/** The key of the test account whose token it could be. */
export const testKeyOf = (token: string): string | undefined =>
  isWellFormedToken(token, testPrefix) ? token.slice(testPrefix.length, testPrefix.length + testKeyLength) : undefined

const keyAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

/** Makes the key of a test account (51 bits). It is part of a database's name, so it has no capital letters. */
export const makeTestKey = (randomBytes: (count: number) => Uint8Array): string =>
  Array.from(randomBytes(testKeyLength), (byte) => keyAlphabet.charAt(byte % keyAlphabet.length)).join("")

/** True if the text has the form of a test account's key. */
export const isTestKey = (text: string): boolean => /^[0-9a-z]{10}$/.test(text)

/** Whether `text` is meant to be a token of a test account. */
export const isTestToken = (text: string): boolean => text.startsWith(testPrefix)
