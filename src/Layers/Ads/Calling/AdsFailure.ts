import { Data } from "effect"
import { type Refused, refused, type Transient, transient } from "../../../Errors.ts"
import { at, listAt, numberAt, textAt } from "../../Platform/AnswerPaths.ts"

export type AdsFailureReason =
  /** The operator's access is gone. */
  | "unauthorized"
  /** This client account may not be used, as it is suspended or closed. */
  | "account_not_enabled"
  | "rate_limited"
  /** The project's operations of the day are used up. */
  | "quota_used_up"
  | "refused_by_platform"
  /** Nothing was done: it can be tried again. */
  | "unavailable"
  /** It may have been done: it is looked up before it is tried again. */
  | "unknown"
  /** An answer that is no answer: too large, no JSON, or of another shape. */
  | "unreadable"

export interface PolicyFinding {
  readonly topic: string
  readonly type: string
  readonly texts: ReadonlyArray<string>
}

export interface AdsError {
  /** Such as `policyFindingError`. */
  readonly kind: string
  /** Such as `POLICY_FINDING`: a code of the platform's, and never a text of its own. */
  readonly name: string
  /** Of which operation it is. */
  readonly operation: number | undefined
  readonly findings: ReadonlyArray<PolicyFinding>
}

/** Why a call of the platform came to nothing. */
export class AdsFailure extends Data.TaggedError("AdsFailure")<{
  readonly reason: AdsFailureReason
  readonly retryAfterSeconds?: number | undefined
  readonly errors?: ReadonlyArray<AdsError>
}> {}

const codeShape = /^[A-Z][A-Z0-9_]{1,99}$/

const codeOf = (error: unknown): readonly [kind: string, name: string] => {
  const code = at(error, "errorCode")
  const [entry]: ReadonlyArray<readonly [string, unknown]> =
    typeof code === "object" && code !== null ? Object.entries(code) : []
  const [kind = "unknownError", name] = entry ?? []
  return typeof name === "string" && codeShape.test(name) ? [kind.slice(0, 60), name] : ["unknownError", "UNKNOWN"]
}

const clip = (text: string): string => text.slice(0, 200)

/** The topics that a policy names, of a summary or of an error's details. */
export const policyFindings = (entries: ReadonlyArray<unknown>): ReadonlyArray<PolicyFinding> =>
  entries.slice(0, 20).map((entry) => ({
    topic: clip(textAt(entry, "topic")),
    type: clip(textAt(entry, "type")),
    texts: listAt(entry, "evidences")
      .flatMap((evidence) => listAt(evidence, "textList", "texts"))
      .flatMap((text) => (typeof text === "string" ? [clip(text)] : []))
      .slice(0, 10)
  }))

/** The errors of the platform's failure body, also of `partialFailureError`. */
export const adsErrors = (status: unknown): ReadonlyArray<AdsError> =>
  listAt(status, "details")
    .flatMap((detail) => listAt(detail, "errors"))
    .slice(0, 200)
    .map((error) => {
      const [kind, name] = codeOf(error)
      const path = listAt(error, "location", "fieldPathElements")
      return {
        kind,
        name,
        operation: numberAt(
          path.find((element) => textAt(element, "fieldName").toLowerCase().endsWith("operations")),
          "index"
        ),
        findings: policyFindings(listAt(error, "details", "policyFindingDetails", "policyTopicEntries"))
      }
    })

const delaySeconds = (status: unknown): number | undefined => {
  const told = listAt(status, "details")
    .flatMap((detail) => [
      textAt(detail, "retryDelay"),
      ...listAt(detail, "errors").map((error) => textAt(error, "details", "quotaErrorDetails", "retryDelay"))
    ])
    .map((text) => (text.endsWith("s") ? Number(text.slice(0, -1)) : Number.NaN))
    .filter((seconds) => Number.isFinite(seconds) && seconds >= 0)
  return told.length === 0 ? undefined : Math.min(86_400, Math.ceil(Math.max(...told)))
}

const lostAccess = new Set([
  "OAUTH_TOKEN_REVOKED",
  "OAUTH_TOKEN_INVALID",
  "OAUTH_TOKEN_EXPIRED",
  "OAUTH_TOKEN_DISABLED",
  "GOOGLE_ACCOUNT_AUTHENTICATION_FAILED",
  "CLIENT_CUSTOMER_ID_INVALID",
  "CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION"
])
const notEnabled = new Set([
  "CUSTOMER_NOT_ENABLED",
  "USER_PERMISSION_DENIED",
  "ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT"
])

/** What an answer that is no success means. `changes`: whether the request might have changed something. */
export const failureOfAnswer = (
  status: number,
  body: unknown,
  changes: boolean,
  retryAfterSeconds: number | undefined
): AdsFailure => {
  // Streamed calls answer their error in a list.
  const error = at(body, "error") ?? at(body, 0, "error")
  const errors = adsErrors(error)
  const names = new Set(errors.map(({ name }) => name))
  const has = (some: ReadonlySet<string>) => [...some].some((name) => names.has(name))
  const delay = retryAfterSeconds ?? delaySeconds(error)
  if (names.has("RESOURCE_EXHAUSTED"))
    return new AdsFailure({ reason: "quota_used_up", retryAfterSeconds: delay, errors })
  if (names.has("RESOURCE_TEMPORARILY_EXHAUSTED") || status === 429) {
    return new AdsFailure({ reason: "rate_limited", retryAfterSeconds: delay, errors })
  }
  if (names.has("CONCURRENT_MODIFICATION"))
    return new AdsFailure({ reason: "unavailable", retryAfterSeconds: 1, errors })
  if (has(notEnabled)) return new AdsFailure({ reason: "account_not_enabled", errors })
  if (status === 401 || has(lostAccess)) return new AdsFailure({ reason: "unauthorized", errors })
  if (status === 503) return new AdsFailure({ reason: "unavailable", retryAfterSeconds: delay, errors })
  if (status >= 500 || status === 408) {
    return new AdsFailure({ reason: changes ? "unknown" : "unavailable", retryAfterSeconds: delay, errors })
  }
  return new AdsFailure({ reason: "refused_by_platform", errors })
}

export const isPassing = ({ reason }: AdsFailure): boolean =>
  reason !== "refused_by_platform" && reason !== "account_not_enabled"

const passing: { readonly [R in AdsFailureReason]?: string } = {
  unauthorized: "The gateway has no access to the ads platform for the moment; its operator has to see to it.",
  rate_limited: "The ads platform takes no more calls for the moment.",
  quota_used_up: "The calls that the ads platform takes in a day are used up.",
  unreadable: "The ads platform answered something unreadable."
}

/** What a caller is told who waits for the platform. */
export const toolError = (failure: AdsFailure): Refused | Transient => {
  if (failure.reason === "account_not_enabled") {
    return refused(
      "ads_account_not_enabled",
      "The ads platform has suspended or closed the account that the campaigns are served from.",
      "Write to support with create_support_request."
    )
  }
  if (failure.reason === "refused_by_platform") {
    return refused(
      "refused_by_platform",
      "The ads platform refused this.",
      "The codes say why; change what they name.",
      { codes: [...new Set((failure.errors ?? []).map(({ name }) => name))].slice(0, 20) }
    )
  }
  return transient(
    failure.reason === "unavailable" || failure.reason === "unknown"
      ? "ads_platform_unavailable"
      : `ads_platform_${failure.reason}`,
    passing[failure.reason] ?? "The ads platform did not answer as it should.",
    Math.max(1, failure.retryAfterSeconds ?? (failure.reason === "quota_used_up" ? 3600 : 30))
  )
}
