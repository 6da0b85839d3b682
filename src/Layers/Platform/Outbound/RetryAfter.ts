import type { OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"

const longestMillis = 24 * 60 * 60 * 1000

const number = /^\d{1,9}(?:\.\d+)?$/
/** The only date format that the header may contain. `Date.parse` alone would accept many others. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Returns the `Retry-After` header (seconds or an HTTP date) in milliseconds; undefined if it is missing or malformed.
 */
export const retryAfterMillis = (headers: OutboundResponse["headers"], now: number): number | undefined => {
  const exact = headers["retry-after-ms"]?.trim() ?? ""
  if (number.test(exact)) return Number(exact)
  const text = headers["retry-after"]?.trim() ?? ""
  if (number.test(text)) return Math.min(Number(text) * 1000, longestMillis)
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), longestMillis)
}

/** Returns the `Retry-After` header in whole seconds, rounded up. */
export const retryAfterSeconds = (headers: OutboundResponse["headers"], now: number): number | undefined => {
  const millis = retryAfterMillis(headers, now)
  return millis === undefined ? undefined : Math.ceil(millis / 1000)
}
