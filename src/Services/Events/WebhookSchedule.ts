/** When a webhook is sent, retried and abandoned. Durations are in seconds, and `random` is a number from 0 to 1. */

/** The delay after each failed attempt. After the last one, the delivery has failed. */
const retryDelays = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600]

/** A receiver may ask for a longer wait, up to the schedule's longest. */
const longestRetryAfter = 10 * 3600

/** Jitter only lengthens the delay, so that no attempt is early. */
const jitter = 0.1

/** Seconds until the attempt after failed attempt number `step` (from 1). Undefined if it was the last. */
export const retryDelay = (step: number, retryAfter: number | undefined, random: number): number | undefined => {
  const delay = retryDelays[step - 1]
  if (delay === undefined) return undefined
  return Math.max(delay * (1 + jitter * random), Math.min(retryAfter ?? 0, longestRetryAfter))
}

/** A receiver with this many consecutive failures is down, not just briefly unavailable. */
const failuresBeforeHold = 20
const longestHold = 5 * 60

/**
 * Seconds in which nothing is sent to a receiver after `consecutiveFailures` failures; 0 if other deliveries continue.
 * This spares a receiver that is down, and saves the time spent on it.
 */
export const holdAfterFailure = (
  consecutiveFailures: number,
  retryAfter: number | undefined,
  random: number
): number => {
  const excess = consecutiveFailures - failuresBeforeHold
  const scheduledHold = excess < 0 ? 0 : Math.min(2 ** Math.min(excess, 20), longestHold) * (1 + jitter * random)
  return Math.max(scheduledHold, Math.min(retryAfter ?? 0, longestRetryAfter))
}

const failingAttempts = 20
const failingSeconds = 5 * 24 * 3600

/** Whether a receiver has failed long enough for its subscription to be disabled. */
export const isGivenUp = (consecutiveFailures: number, failingForSeconds: number): boolean =>
  consecutiveFailures >= failingAttempts && failingForSeconds >= failingSeconds
