import type { ChatAppHealth, SendOutcome } from "../../../Services/ChatApp/ChatApp.ts"

/** The meaning of a provider's error code, in an answer or in a later state of a message. */
interface Meaning {
  /** A code in snake_case. */
  readonly reason: string
  /** Seconds until the same message may be accepted, if it may. */
  readonly retryAfter?: number
  /** The person cannot be reached on the app, so other messages would fail too. */
  readonly isUnreachable?: true
  /** The health of the line, if the line itself is at fault. */
  readonly health?: ChatAppHealth
}

const minutes = 60
const hour = 3600

const access: Meaning = {
  reason: "provider_access_denied",
  retryAfter: 15 * minutes,
  health: {
    issue: "The platform's access to the messaging app's provider is not valid.",
    fix: "For a number of your own, connect it again; for a dedicated number, open a support request."
  }
}

const locked: Meaning = {
  reason: "line_locked",
  retryAfter: hour,
  health: {
    issue: "The provider locked the business account for a violation of its policies.",
    fix: "Open the account quality page in the provider's business manager and request a review."
  }
}

const throttled: Meaning = { reason: "rate_limited", retryAfter: minutes }

const meanings: { readonly [code: number]: Meaning } = {
  0: access,
  3: access,
  10: access,
  190: access,
  200: access,
  131005: access,
  368: locked,
  131031: locked,
  130497: locked,
  2: { reason: "provider_unavailable", retryAfter: 30 },
  131016: { reason: "provider_unavailable", retryAfter: 30 },
  133004: { reason: "provider_unavailable", retryAfter: 30 },
  4: throttled,
  80007: throttled,
  130429: throttled,
  // Too many messages to one person. The provider recommends to wait 4 to the power of the attempt.
  131056: { reason: "rate_limited", retryAfter: 10 },
  131048: {
    reason: "line_restricted",
    retryAfter: 6 * hour,
    health: {
      issue: "Too many people blocked or reported the line, so the provider limits what it may send.",
      fix: "Stop opening conversations with set_allow_template_chatapp_messages until the quality rating recovers."
    }
  },
  131042: {
    reason: "provider_billing",
    retryAfter: hour,
    health: {
      issue: "The provider cannot charge the business account.",
      fix: "Add a valid payment method in the billing settings of the provider's business manager."
    }
  },
  133010: {
    reason: "line_not_registered",
    retryAfter: hour,
    health: {
      issue: "The number is not registered with the provider.",
      fix: "Open a support request: the number has to be registered again."
    }
  },
  131026: { reason: "not_on_chatapp", isUnreachable: true },
  131021: { reason: "recipient_is_sender", isUnreachable: true },
  131030: { reason: "recipient_not_allowed", isUnreachable: true },
  131050: { reason: "recipient_opted_out", isUnreachable: true },
  130472: { reason: "withheld_by_provider" },
  131049: { reason: "withheld_by_provider" },
  131047: { reason: "service_window_closed" },
  131051: { reason: "message_type_not_supported" },
  131052: { reason: "media_not_accepted" },
  131053: { reason: "media_not_accepted" },
  132000: { reason: "template_mismatch" },
  132001: { reason: "template_missing" },
  132005: { reason: "text_too_long" },
  132007: { reason: "template_refused" },
  132012: { reason: "template_mismatch" },
  132015: { reason: "template_paused" },
  132016: { reason: "template_disabled" }
}

/** Generic failures: the message may or may not have been sent. */
const tellsNothing = new Set([1, 131000])

/** The provider's error. */
export interface GraphError {
  readonly code: number
  readonly isTransient: boolean
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the error in the body of an answer. Undefined if the provider did not write the body. */
export const graphErrorOf = (json: unknown): GraphError | undefined => {
  const error = isRecord(json) ? json["error"] : undefined
  if (!isRecord(error)) return undefined
  const { code, is_transient } = error
  return typeof code === "number" && Number.isSafeInteger(code)
    ? { code, isTransient: is_transient === true }
    : undefined
}

const withHealth = (health: ChatAppHealth | undefined) => (health === undefined ? {} : { health })

const longestRetryAfter = 6 * hour

/** Returns the outcome of a refused send. `retryAfterMillis` is the pause that the provider requested. */
export const outcomeOf = (status: number, json: unknown, retryAfterMillis: number | undefined): SendOutcome => {
  const error = graphErrorOf(json)
  const postponed = (reason: string, seconds: number, health?: ChatAppHealth): SendOutcome => ({
    _tag: "Postponed",
    reason,
    retryAfterSeconds: Math.min(Math.max(1, Math.ceil((retryAfterMillis ?? seconds * 1000) / 1000)), longestRetryAfter),
    ...withHealth(health)
  })
  if (error === undefined) {
    // These statuses come from a server in front of the provider. Whether it forwarded the request is unknown.
    if (status === 429 || status === 503) return postponed("rate_limited", minutes)
    if (status === 401 || status === 403) return postponed(access.reason, access.retryAfter ?? minutes, access.health)
    return status >= 500 || status < 400 || status === 408
      ? { _tag: "Unknown" }
      : { _tag: "Rejected", reason: `provider_status_${status}`, isUnreachable: false }
  }
  const meaning = meanings[error.code]
  if (meaning?.retryAfter !== undefined) return postponed(meaning.reason, meaning.retryAfter, meaning.health)
  if (meaning !== undefined) {
    return { _tag: "Rejected", reason: meaning.reason, isUnreachable: meaning.isUnreachable ?? false }
  }
  if (status === 429) return postponed("rate_limited", minutes)
  if (status === 401) return postponed(access.reason, access.retryAfter ?? minutes, access.health)
  if (tellsNothing.has(error.code) || status >= 500) return { _tag: "Unknown" }
  return error.isTransient
    ? postponed("provider_unavailable", 30)
    : { _tag: "Rejected", reason: `provider_error_${error.code}`, isUnreachable: false }
}

/** The meaning of a failure that is reported later. */
export const failureOf = (code: number | undefined): { readonly reason: string; readonly isUnreachable: boolean } => {
  const meaning = code === undefined ? undefined : meanings[code]
  return {
    reason: meaning?.reason ?? (code === undefined ? "not_delivered" : `provider_error_${code}`),
    isUnreachable: meaning?.isUnreachable ?? false
  }
}
