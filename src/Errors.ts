import { Data, Schema } from "effect"

/** A value that JSON represents without loss. */
export type Json = null | string | number | boolean | ReadonlyArray<Json> | { readonly [key: string]: Json }

const JsonValue: Schema.Schema<Json> = Schema.suspend(() =>
  Schema.Union(
    Schema.Null,
    Schema.String,
    Schema.Number,
    Schema.Boolean,
    Schema.Array(JsonValue),
    Schema.Record({ key: Schema.String, value: JsonValue })
  )
)

/**
 * The fields of every tool error: `error`, a sentence for a person; `reason`, a stable snake_case code for a program;
 * `detail`, what to do about it; `fields`, further members of the body (`lead_id`, `accepted_values`, …).
 */
const ToolErrorFields = {
  error: Schema.String,
  reason: Schema.String,
  detail: Schema.String,
  fields: Schema.Record({ key: Schema.String, value: JsonValue })
}

/** The record does not exist for this account. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", ToolErrorFields) {}

/** The tool ran and refused by its own criteria. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", ToolErrorFields) {}

/** The account's plan does not include the tool. */
export class PlanRequired extends Schema.TaggedError<PlanRequired>()("PlanRequired", ToolErrorFields) {}

/** The platform or an outside service failed for now: the same call may succeed after `retryAfterSeconds`. */
export class Transient extends Schema.TaggedError<Transient>()("Transient", {
  ...ToolErrorFields,
  retryAfterSeconds: Schema.Int
}) {}

/** The call cannot succeed with these arguments: it should not be repeated. */
export class Permanent extends Schema.TaggedError<Permanent>()("Permanent", ToolErrorFields) {}

export type ToolError = NotFound | Refused | PlanRequired | Transient | Permanent
export type ToolErrorTag = ToolError["_tag"]

export const toolErrorTags: ReadonlyArray<ToolErrorTag> = [
  "NotFound",
  "Refused",
  "PlanRequired",
  "Transient",
  "Permanent"
]

/** The body of a tool's error, the same under both prefixes. */
export const toolErrorBody = (error: ToolError): { readonly [key: string]: Json } => ({
  error: error.error,
  type: error._tag,
  reason: error.reason,
  detail: error.detail,
  ...(error._tag === "Transient" ? { retry_after_seconds: error.retryAfterSeconds } : {}),
  ...error.fields
})

/**
 * No such record for this account. The answer is the same whether the id was never used or belongs to another account.
 * `noun` is what a person calls it ("voice call"); `parameter` and `value` are what the caller sent.
 */
export const notFound = (noun: string, parameter: string, value: string | number): NotFound =>
  new NotFound({
    error: `There is no ${noun} with ${parameter} ${value} in this account.`,
    reason: `${noun.replaceAll(" ", "_")}_not_found`,
    detail: `Check ${parameter}: only records of the token's own account can be reached.`,
    fields: { [parameter]: value }
  })

export const refused = (
  reason: string,
  error: string,
  detail: string,
  fields: { readonly [key: string]: Json } = {}
): Refused => new Refused({ error, reason, detail, fields })

export const planRequired = (toolName: string): PlanRequired =>
  new PlanRequired({
    error: `The plan of this account does not include ${toolName}.`,
    reason: paidPlanRequiredReason,
    detail: "Activate the paid plan in the account console, then repeat the call.",
    fields: { required_plan: "paid" }
  })

export const confirmationRequired = (toolName: string): Refused =>
  refused(
    confirmationRequiredReason,
    `${toolName} takes something away, and a person has to confirm it first.`,
    "Use a client of the agent protocol that declares elicitation, or ask the owner to do it."
  )

export const transient = (reason: string, error: string, retryAfterSeconds = 2): Transient =>
  new Transient({
    error,
    reason,
    detail: `Repeat the same call after ${retryAfterSeconds} seconds.`,
    fields: {},
    retryAfterSeconds
  })

export const permanent = (reason: string, error: string, detail: string): Permanent =>
  new Permanent({ error, reason, detail, fields: {} })

/** The `reason`s that a tool can answer with, by the type of the error. */
export type ErrorReasons = { readonly [T in ToolErrorTag]?: ReadonlyArray<string> }

/** Another transaction changed the same records first, so the call can be repeated. */
export const databaseConflictReason = "database_conflict"

/** No database server was reachable. */
export const databaseUnavailableReason = "database_unavailable"

/** More calls arrived than the gateway can hold in its queues. */
export const overloadedReason = "overloaded"

export const paidPlanRequiredReason = "paid_plan_required"

/** The token requires that a person confirms destructive calls, and the caller cannot ask one. */
export const confirmationRequiredReason = "confirmation_required"

/** The connection broke during a commit, so the gateway cannot know whether the change was saved. */
export const outcomeUnknownReason = "outcome_unknown"

/** The reasons that come from the database and the queues. Any tool may answer with them. */
export const commonReasons = {
  Transient: [databaseConflictReason, databaseUnavailableReason, overloadedReason]
} satisfies ErrorReasons

/** The database went away under a commit. To repeat it is safe where it changes nothing further. */
export const outcomeUnknown = (): Transient =>
  transient(outcomeUnknownReason, "The database went away while the change was being saved, which it may be or not.")

/** A write with this key began, and stopped with its process before its answer was stored. */
export const keyedOutcomeUnknown = (): Permanent =>
  permanent(
    outcomeUnknownReason,
    "A call with this idempotency key started, and its outcome is unknown.",
    "Look at the records whether it was done. Send a new key to do it again."
  )

/**
 * Converts a transient error for a caller that must not repeat the call, because a repeated call would do the work
 * again.
 */
export const notRepeatable = ({ error }: Transient): Permanent =>
  permanent(
    outcomeUnknownReason,
    error,
    "Look at the records whether it was done, and repeat the call only where it was not."
  )

export type RefusalType =
  | "UnknownTool"
  | "UnknownParameter"
  | "MissingParameter"
  | "ParameterTypeMismatch"
  | "InvalidRequestBody"
  | "NotReadOnly"
  | "JsonException"
  | "UnknownRoute"
  | "ForeignRequest"
  | "MethodNotAllowed"
  | "IdempotencyKeyInvalid"
  | "IdempotencyKeyReused"
  | "IdempotencyKeyInUse"
  | "DryRunInvalid"
  | "DryRunUnsupported"
  | "ScopeRequired"

/** The gateway refused the request before it reached a tool. */
export class RequestRefused extends Data.TaggedError("RequestRefused")<{
  readonly status: 400 | 403 | 404 | 405 | 409 | 413 | 415 | 422
  readonly type: RefusalType
  readonly error: string
  readonly detail: string
  /** The methods that the route has, for a 405 answer. */
  readonly allow?: string
  /** Present if the same request may be accepted later. */
  readonly retryAfterSeconds?: number
}> {}

/** The token has scopes, and those that are named are missing. */
export const scopeRequired = (toolName: string, scopes: ReadonlyArray<string>): RequestRefused =>
  new RequestRefused({
    status: 403,
    type: "ScopeRequired",
    error: `The access token is not allowed to call ${toolName}.`,
    detail: `It needs ${scopes.length === 1 ? "the scope" : "the scopes"} ${scopes.join(" and ")}. The owner can add it with update_token.`
  })

export const badRequest = (type: RefusalType, error: string, detail: string): RequestRefused =>
  new RequestRefused({ status: 400, type, error, detail })

/** The bearer token is missing, malformed, unknown, expired or revoked. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<{
  readonly error: string
  readonly howToFix: string
}> {}

/** A tool died of a bug. The cause is logged with the request id and never shown. */
export class ToolDefect extends Data.TaggedError("ToolDefect")<{ readonly tool: string }> {}
