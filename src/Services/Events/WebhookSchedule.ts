/**
 * When a webhook is tried, tried again, and given up. Durations are seconds; `random` is a number from 0 to 1.
 */

/** How long after each failed attempt the next one is due; after the last of them a delivery has failed. */
const retryDelays = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600]

/** A receiver may ask for a longer wait than the schedule's, up to its longest one. */
const longestRetryAfter = 10 * 3600

/** Later only, so that no attempt comes before its time. */
const jitter = 0.1

/** Seconds until the attempt after failed attempt number `step` (the first is 1); undefined when it was the last. */
export const retryDelay = (step: number, retryAfter: number | undefined, random: number): number | undefined => {
  const delay = retryDelays[step - 1]
  if (delay === undefined) return undefined
  return Math.max(delay * (1 + jitter * random), Math.min(retryAfter ?? 0, longestRetryAfter))
}

/** So many failures in a row are no hiccup. */
const failuresBeforeHold = 20
const longestHold = 5 * 60

/**
 * Seconds for which nothing at all is sent to a receiver whose last `consecutiveFailures` attempts failed; 0 when it goes
 * on with other events. Spares a receiver that is down, and the time spent on it.
 */
export const holdAfterFailure = (
  consecutiveFailures: number,
  retryAfter: number | undefined,
  random: number
): number => {
  const excess = consecutiveFailures - failuresBeforeHold
  const own = excess < 0 ? 0 : Math.min(2 ** Math.min(excess, 20), longestHold) * (1 + jitter * random)
  return Math.max(own, Math.min(retryAfter ?? 0, longestRetryAfter))
}

const failingAttempts = 20
const failingSeconds = 5 * 24 * 3600

/** Whether a receiver has failed for so long that the subscription is disabled. */
export const isGivenUp = (consecutiveFailures: number, failingForSeconds: number): boolean =>
  consecutiveFailures >= failingAttempts && failingForSeconds >= failingSeconds
