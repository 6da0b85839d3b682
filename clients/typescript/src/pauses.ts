const firstPauseMillis = 500
const longestPauseMillis = 8_000
/** Added to the pause that the gateway asks for, so that its clients do not come back all at once. */
const spreadMillis = 250

/** How long to wait before the next attempt. Without the gateway's word it is a random part of a growing limit. */
export const backoffMillis = (attempt: number, retryAfterSeconds: number | undefined): number =>
  retryAfterSeconds === undefined
    ? Math.random() * Math.min(longestPauseMillis, firstPauseMillis * 2 ** attempt)
    : retryAfterSeconds * 1000 + Math.random() * spreadMillis

/** Seconds, from the header (a number or a date) or the body. */
export const retryAfterOf = (header: string | null, inBody: unknown): number | undefined => {
  if (header !== null && /^\d+$/.test(header)) return Number(header)
  const date = header === null ? Number.NaN : Date.parse(header)
  if (!Number.isNaN(date)) return Math.max(0, (date - Date.now()) / 1000)
  return typeof inBody === "number" ? inBody : undefined
}

const reasonOf = (signal: AbortSignal | undefined): Error => {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new Error("The call was aborted.", { cause: reason })
}

/** Waits, and throws the signal's reason if it is aborted before. */
export const sleep = (millis: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(reasonOf(signal))
    const abort = () => {
      clearTimeout(timer)
      reject(reasonOf(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, millis)
    signal?.addEventListener("abort", abort, { once: true })
  })
