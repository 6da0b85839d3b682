import { hash } from "node:crypto"
import { crc32 } from "node:zlib"

/**
 * An access token is `pgw_` and 40 characters of base62: 34 random ones (202 bits) and 6 that are the CRC-32 of what
 * stands before them, so that a mistyped or leaked token is recognised without the database.
 */
const prefix = "pgw_"
const randomLength = 34
const checksumLength = 6
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

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
export const makeToken = (randomBytes: (count: number) => Uint8Array): string => {
  let token = prefix
  while (token.length < prefix.length + randomLength) {
    for (const byte of randomBytes(randomLength)) {
      // 248 is the largest multiple of 62 in a byte: taking more would favour the first characters.
      if (byte < 248 && token.length < prefix.length + randomLength) token += alphabet.charAt(byte % 62)
    }
  }
  return token + checksum(token)
}

/** What is stored of a token. */
export const tokenDigest = (token: string): Buffer => hash("sha256", token, "buffer")

/** Whether `text` could be a token at all. */
export const isWellFormedToken = (text: string): boolean =>
  shape.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
