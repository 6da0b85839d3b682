import type { OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"

const longestRetryAfterSeconds = 24 * 60 * 60

/** How long the provider asks to wait, in milliseconds. */
export const retryAfterMillis = (headers: OutboundResponse["headers"], now: number): number | undefined => {
  const exact = headers["retry-after-ms"]
  if (exact !== undefined && /^\d{1,9}(?:\.\d+)?$/.test(exact.trim())) return Number(exact)
  const told = headers["retry-after"]?.trim()
  if (told === undefined) return undefined
  const millis = /^\d{1,9}(?:\.\d+)?$/.test(told) ? Number(told) * 1000 : Date.parse(told) - now
  return Number.isFinite(millis) ? Math.min(Math.max(0, millis), longestRetryAfterSeconds * 1000) : undefined
}
