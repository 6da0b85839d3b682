import { badRequest, RequestRefused } from "../../Errors.ts"

/** The header by which a caller names a write, so that a repeated one is not done again. */
export const idempotencyKeyHeader = "idempotency-key"

const longestIdempotencyKey = 255

const invalid = badRequest(
  "IdempotencyKeyInvalid",
  "The Idempotency-Key cannot be used.",
  `Send one header with 1 to ${longestIdempotencyKey} visible ASCII characters, such as a UUID, bare or in double quotes.`
)

const visible = /^[\x21-\x7e]+$/

/** A quoted text of RFC 8941, in which quotes and backslashes are escaped. */
const quoted = /^"((?:[^"\\]|\\["\\])*)"$/

const unquoted = (value: string): string | undefined => {
  if (!value.startsWith('"')) return value
  return quoted.exec(value)?.[1]?.replaceAll(/\\(["\\])/g, "$1")
}

/** The key that a header's value names. Node joins several headers with a comma and a space, which no key has. */
export const idempotencyKeyOf = (value: string): string | RequestRefused => {
  const key = unquoted(value)
  return key === undefined || key.length > longestIdempotencyKey || !visible.test(key) ? invalid : key
}

export const idempotencyKeyReused = new RequestRefused({
  status: 422,
  type: "IdempotencyKeyReused",
  error: "Another call was made with this Idempotency-Key.",
  detail:
    "Use a new key for each call. Repeat a key with the same tool and arguments, for a secret also with the same token."
})

export const idempotencyKeyInUse = new RequestRefused({
  status: 409,
  type: "IdempotencyKeyInUse",
  error: "The call with this Idempotency-Key is still running.",
  detail: "Repeat the same request after 2 seconds to get its answer.",
  retryAfterSeconds: 2
})
