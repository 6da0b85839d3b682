import { Data, Redacted } from "effect"
import { type Refused, refused, type Transient, transient } from "../../../Errors.ts"
import { at, listAt, numberAt, textAt } from "../../Platform/AnswerPaths.ts"
import type { Judgement } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderAnswer, ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"

export type AdsFailureReason =
  /** The platform does not accept the operator's access. */
  | "unauthorized"
  /** The client account is suspended or closed. */
  | "account_not_enabled"
  | "rate_limited"
  /** The project has used up its daily operations. */
  | "quota_used_up"
  | "refused_by_platform"
  /** Nothing was done, so a retry is safe. */
  | "unavailable"
  /** The change may have been made. Look it up before a retry. */
  | "unknown"
  /** The answer is too large, is not JSON, or has an unexpected shape. */
  | "unreadable"

export interface PolicyFinding {
  readonly topic: string
  readonly type: string
  readonly texts: ReadonlyArray<string>
}

export interface AdsError {
  /** The kind of error, such as `policyFindingError`. */
  readonly kind: string
  /** The error's code, such as `POLICY_FINDING`. Never the platform's text. */
  readonly name: string
  /** The index of the operation. */
  readonly operation: number | undefined
  readonly findings: ReadonlyArray<PolicyFinding>
}

/** A failed call of the platform. */
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

/** The policy topics in a summary or in an error's details. */
export const policyFindings = (entries: ReadonlyArray<unknown>): ReadonlyArray<PolicyFinding> =>
  entries.slice(0, 20).map((entry) => ({
    topic: clip(textAt(entry, "topic")),
    type: clip(textAt(entry, "type")),
    texts: listAt(entry, "evidences")
      .flatMap((evidence) => listAt(evidence, "textList", "texts"))
      .flatMap((text) => (typeof text === "string" ? [clip(text)] : []))
      .slice(0, 10)
  }))

/** The errors in a failure's body or in `partialFailureError`. */
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

const longestDelaySeconds = 86_400

const delaySeconds = (status: unknown): number | undefined => {
  const delays = listAt(status, "details")
    .flatMap((detail) => [
      textAt(detail, "retryDelay"),
      ...listAt(detail, "errors").map((error) => textAt(error, "details", "quotaErrorDetails", "retryDelay"))
    ])
    .map((text) => (text.endsWith("s") ? Number(text.slice(0, -1)) : Number.NaN))
    .filter((seconds) => Number.isFinite(seconds) && seconds >= 0)
  return delays.length === 0 ? undefined : Math.min(longestDelaySeconds, Math.ceil(Math.max(...delays)))
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

/** Streamed calls return the error inside a list. */
const errorIn = (json: unknown): unknown => at(json, "error") ?? at(json, 0, "error")

/** Interprets an answer for the client. The platform's error codes are more precise than its statuses. */
export const judgeAdsAnswer = (
  { json, retryAfterMillis, status }: ProviderAnswer,
  usual: Judgement | undefined
): Judgement | undefined => {
  if (usual === undefined) return undefined
  const error = errorIn(json)
  const names = new Set(adsErrors(error).map(({ name }) => name))
  const hasOneOf = (codes: ReadonlySet<string>) => [...codes].some((code) => names.has(code))
  const delay = delaySeconds(error)
  const waitMillis = retryAfterMillis ?? (delay === undefined ? undefined : delay * 1000)
  if (names.has("RESOURCE_EXHAUSTED")) {
    return { kind: "rate_limited", code: "quota_used_up", retryAfterMillis: waitMillis }
  }
  if (names.has("RESOURCE_TEMPORARILY_EXHAUSTED") || status === 429) {
    return { kind: "rate_limited", retryAfterMillis: waitMillis }
  }
  if (names.has("CONCURRENT_MODIFICATION")) return { kind: "unavailable", retryAfterMillis: 1000 }
  if (hasOneOf(notEnabled)) return { kind: "forbidden", code: "account_not_enabled" }
  if (status === 401 || hasOneOf(lostAccess)) return { kind: "unauthorized" }
  return status >= 500 || status === 408 ? { ...usual, retryAfterMillis: waitMillis } : { kind: "rejected" }
}

const unreadableCodes: ReadonlySet<string> = new Set(["answer_unreadable", "response_too_large", "response_unreadable"])

const reasonOf = ({ answer, code, kind }: ProviderFailure): AdsFailureReason => {
  switch (kind) {
    case "unauthorized":
      return "unauthorized"
    case "rate_limited":
      return code === "quota_used_up" ? "quota_used_up" : "rate_limited"
    case "maybe_sent":
      return "unknown"
    case "unavailable":
      return unreadableCodes.has(code) ? "unreadable" : "unavailable"
    case "forbidden":
      return code === "account_not_enabled" ? "account_not_enabled" : "refused_by_platform"
    case "not_found":
    case "conflict":
    case "rejected":
      return answer === undefined ? "unavailable" : "refused_by_platform"
  }
}

/**
 * Converts the failure of a call to the room's error. If the database is unavailable, quota cannot be counted, so the
 * platform counts as unavailable.
 */
export const toAdsFailure = (error: ProviderFailure | AdsFailure | Transient): AdsFailure => {
  if (error._tag === "AdsFailure") return error
  if (error._tag === "Transient") return new AdsFailure({ reason: "unavailable" })
  return new AdsFailure({
    reason: reasonOf(error),
    retryAfterSeconds: error.retryAfterSeconds,
    errors: error.answer === undefined ? [] : adsErrors(errorIn(Redacted.value(error.answer).json))
  })
}

export const isPassing = ({ reason }: AdsFailure): boolean =>
  reason !== "refused_by_platform" && reason !== "account_not_enabled"

const passing: { readonly [R in AdsFailureReason]?: string } = {
  unauthorized: "The gateway has no access to the ads platform for the moment; its operator has to see to it.",
  rate_limited: "The ads platform takes no more calls for the moment.",
  quota_used_up: "The calls that the ads platform takes in a day are used up.",
  unreadable: "The ads platform answered something unreadable."
}

/** The error that the caller of a tool receives. */
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
