import { type Transient, transient } from "../../Errors.ts"

/** Calls in a minute; undefined where there is no limit. */
export interface ToolCallLimits {
  readonly perToken: number | undefined
  readonly perAccount: number | undefined
}

/** The usage of a limit in the current minute. */
export interface LimitUse {
  /** The limit's name in the headers. */
  readonly name: "token" | "account"
  readonly limit: number
  readonly used: number
}

/** Whether one more call may be made, and what its answer says of the limits. */
export interface CallVerdict {
  readonly refusal: Transient | undefined
  readonly headers: { readonly [name: string]: string }
}

export const windowSeconds = 60

/** The minute that an instant (Unix milliseconds) is in, by its number. */
export const minuteOf = (millis: number): number => Math.floor(millis / 60_000)

const secondsLeft = (millis: number): number =>
  Math.max(1, Math.ceil(((minuteOf(millis) + 1) * 60_000 - millis) / 1000))

/** The error for a call beyond the limit. */
const rateLimited = ({ limit, name }: LimitUse, seconds: number): Transient =>
  transient("rate_limited", `More than ${limit} calls of this ${name} came within a minute.`, seconds)

/**
 * Judges one more call by what was used before it. The headers are those of the draft of the IETF (RateLimit header
 * fields for HTTP): each policy with its quota and window, and what is left of it after this call.
 */
export const judgeCall = (uses: ReadonlyArray<LimitUse>, millis: number): CallVerdict => {
  const seconds = secondsLeft(millis)
  const full = uses.find(({ limit, used }) => used >= limit)
  const own = full === undefined ? 1 : 0
  return {
    refusal: full === undefined ? undefined : rateLimited(full, seconds),
    headers: {
      "RateLimit-Policy": uses.map(({ limit, name }) => `"${name}";q=${limit};w=${windowSeconds}`).join(", "),
      RateLimit: uses
        .map(({ limit, name, used }) => `"${name}";r=${Math.max(0, limit - used - own)};t=${seconds}`)
        .join(", ")
    }
  }
}
