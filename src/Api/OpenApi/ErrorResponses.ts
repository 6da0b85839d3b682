import type { RefusalType, ToolErrorTag } from "../../Errors.ts"
import type { JsonSchema } from "../../Tools/Core/ToolSchema.ts"

/** A part of an OpenAPI document. */
export interface Node {
  readonly [member: string]: unknown
}

export const schemaRef = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })
const responseRef = (name: string): Node => ({ $ref: `#/components/responses/${name}` })

const requestId: Node = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } }

export const jsonResponse = (description: string, schema: Node, headers: Node = {}): Node => ({
  description,
  headers: { ...requestId, ...headers },
  content: { "application/json": { schema } }
})

export const textResponse = (description: string, mediaType: string, headers: Node = {}): Node => ({
  description,
  headers: { ...requestId, ...headers },
  content: { [mediaType]: { schema: { type: "string" } } }
})

/** Returns an answer without a body, or with one that `content` describes. */
export const plainResponse = (description: string, content?: Node, headers: Node = {}): Node => ({
  description,
  headers: { ...requestId, ...headers },
  ...(content === undefined ? {} : { content })
})

export const headers: Node = {
  RequestId: {
    description: "Names the request in logs and traces. The caller's own X-Request-Id where it sent a usable one.",
    schema: { type: "string" }
  },
  RetryAfter: { description: "Seconds to wait before the same call is repeated.", schema: { type: "integer" } },
  ETag: { description: "Names this version of the document.", schema: { type: "string" } },
  Vary: { description: "The headers that the answer depends on.", schema: { type: "string" } },
  Allow: { description: "The methods that the route has.", schema: { type: "string" } },
  IdempotencyReplayed: {
    description: "Sent with the value true if this is the stored answer of an earlier call with the same key.",
    schema: { type: "string", enum: ["true"] }
  },
  DryRun: {
    description: "Sent with the value true if the call was only tried: nothing was changed or sent.",
    schema: { type: "string", enum: ["true"] }
  },
  DryRunEffects: {
    description: "What the tried call would have sent: names and counts, such as email=1, webhook=3.",
    schema: { type: "string" }
  },
  Authenticate: { description: "The scheme that the route asks for.", schema: { type: "string", enum: ["Bearer"] } }
}

const sentence = { type: "string", description: "What went wrong, for a person." }

const toolError = (tag: ToolErrorTag, description: string, further: Node = {}): JsonSchema => ({
  type: "object",
  description,
  required: ["error", "type", "reason", "detail", ...(tag === "Transient" ? ["retry_after_seconds"] : [])],
  properties: {
    error: sentence,
    type: { type: "string", enum: [tag] },
    reason: { type: "string", description: "A stable snake_case code, for a program." },
    detail: { type: "string", description: "What to do about it." },
    ...further
  },
  additionalProperties: true
})

const refusal = (description: string, types: ReadonlyArray<RefusalType>): JsonSchema => ({
  type: "object",
  description,
  required: ["error", "type", "detail"],
  properties: {
    error: sentence,
    type: { type: "string", enum: types },
    detail: { type: "string", description: "What to send instead." }
  }
})

/** A missing scope is 403, but 400 under `/api/v1`. */
const argumentRefusals: ReadonlyArray<RefusalType> = [
  "UnknownParameter",
  "MissingParameter",
  "ParameterTypeMismatch",
  "ScopeRequired"
]
const bodyRefusals: ReadonlyArray<RefusalType> = [...argumentRefusals, "InvalidRequestBody", "JsonException"]

export const errorSchemas: { readonly [name: string]: JsonSchema } = {
  NotFoundError: toolError("NotFound", "There is no such record in this account. The id that was sent is repeated."),
  RefusedError: toolError("Refused", "The tool ran and refused by its own criteria.", {
    parameter: { type: "string", description: "The argument that was not acceptable, where it was one." },
    accepted_values: { type: "array", items: { type: "string" }, description: "What the parameter takes." }
  }),
  PlanRequiredError: toolError("PlanRequired", "The account's plan does not include the tool.", {
    required_plan: { type: "string" }
  }),
  TransientError: toolError("Transient", "The platform or an outside service failed for now: repeat the same call.", {
    retry_after_seconds: { type: "integer", minimum: 0 }
  }),
  PermanentError: toolError("Permanent", "The call cannot succeed with these arguments: do not repeat it."),
  UnusableArguments: refusal("The request never reached the tool.", bodyRefusals),
  UnusableWrite: refusal("The request never reached the tool.", [
    ...bodyRefusals,
    "IdempotencyKeyInvalid",
    "DryRunInvalid"
  ]),
  UnusableWriteAlways200: refusal("The request never reached the tool.", [
    ...bodyRefusals,
    "IdempotencyKeyInvalid",
    "IdempotencyKeyReused",
    "IdempotencyKeyInUse",
    "DryRunInvalid",
    "DryRunUnsupported"
  ]),
  ScopeRequired: refusal("The token lacks a scope, which is named.", ["ScopeRequired"]),
  DryRunUnsupported: refusal("The answer needs a change at an outside service.", ["DryRunUnsupported"]),
  IdempotencyKeyReused: refusal("Another call was made with this key.", ["IdempotencyKeyReused"]),
  IdempotencyKeyInUse: refusal("The call with this key still runs.", ["IdempotencyKeyInUse"]),
  UnusableQuery: refusal("The request never reached the tool.", argumentRefusals),
  UnknownTool: refusal("No tool has this name; the nearest one is named.", ["UnknownTool"]),
  UnknownRoute: refusal("There is nothing at this address.", ["UnknownRoute"]),
  MethodNotAllowed: refusal("The route does not have this method.", ["MethodNotAllowed"]),
  NotReadOnly: refusal("GET calls only tools that change nothing.", ["NotReadOnly", "MethodNotAllowed"]),
  UnusableBody: refusal("The body was not read.", ["InvalidRequestBody"]),
  Unauthorized: {
    type: "object",
    description: "The access token is missing, malformed, unknown, expired or revoked.",
    required: ["error", "how_to_fix", "documentation"],
    properties: { error: sentence, how_to_fix: { type: "string" }, documentation: { type: "string", format: "uri" } }
  }
}

const retryAfter: Node = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }
/** Headers of answers to writes. */
export const modeHeaders: Node = {
  "Idempotency-Replayed": { $ref: "#/components/headers/IdempotencyReplayed" },
  "Dry-Run": { $ref: "#/components/headers/DryRun" },
  "Dry-Run-Effects": { $ref: "#/components/headers/DryRunEffects" }
}
const allow: Node = { Allow: { $ref: "#/components/headers/Allow" } }

const oneOfSchemas = (...names: ReadonlyArray<string>): Node => ({ anyOf: names.map(schemaRef) })

export const responses: Node = {
  UnusableArguments: jsonResponse(
    "The arguments cannot be used: bad JSON, an unknown or missing parameter, or a value that does not convert.",
    schemaRef("UnusableArguments")
  ),
  UnusableWrite: jsonResponse(
    "The arguments, the Idempotency-Key or the header Dry-Run cannot be used.",
    schemaRef("UnusableWrite")
  ),
  UnusableWriteAlways200: jsonResponse(
    "The arguments cannot be used, the Idempotency-Key is invalid, in use or of another call, or the tool cannot be tried.",
    schemaRef("UnusableWriteAlways200"),
    retryAfter
  ),
  IdempotencyKeyInUse: jsonResponse(
    "The call with this Idempotency-Key still runs: repeat the request for its answer.",
    schemaRef("IdempotencyKeyInUse"),
    retryAfter
  ),
  RefusedWrite: jsonResponse(
    "The tool ran and refused by its own criteria, the Idempotency-Key belongs to another call, or the tool cannot be tried.",
    oneOfSchemas("RefusedError", "IdempotencyKeyReused", "DryRunUnsupported"),
    modeHeaders
  ),
  UnusableQuery: jsonResponse(
    "The arguments cannot be used: an unknown or missing parameter, or a value that does not convert.",
    schemaRef("UnusableQuery")
  ),
  Unauthorized: jsonResponse("The access token is not accepted.", schemaRef("Unauthorized"), {
    "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" }
  }),
  ScopeRequired: jsonResponse("The token lacks a scope, which is named.", schemaRef("ScopeRequired")),
  PlanOrScopeRequired: jsonResponse(
    "The account's plan does not include the tool, or the token lacks a scope.",
    oneOfSchemas("PlanRequiredError", "ScopeRequired")
  ),
  UnknownTool: jsonResponse("The running gateway has no tool of this name.", schemaRef("UnknownTool")),
  UnknownRoute: jsonResponse("There is nothing at this address.", schemaRef("UnknownRoute")),
  NotFound: jsonResponse(
    "The account has no such record, or the running gateway no tool of this name.",
    oneOfSchemas("NotFoundError", "UnknownTool")
  ),
  MethodNotAllowed: jsonResponse("The route does not have this method.", schemaRef("MethodNotAllowed"), allow),
  NotReadOnly: jsonResponse("The tool changes something: call it with POST.", schemaRef("NotReadOnly"), allow),
  TooLarge: jsonResponse("The body is larger than the gateway takes.", schemaRef("UnusableBody")),
  Encoded: jsonResponse("The body is compressed.", schemaRef("UnusableBody")),
  Refused: jsonResponse("The tool ran and refused by its own criteria.", schemaRef("RefusedError")),
  Permanent: jsonResponse("The call cannot succeed: do not repeat it.", schemaRef("PermanentError")),
  Transient: jsonResponse("Failed for now: repeat the same call later.", schemaRef("TransientError"), retryAfter),
  RateLimited: jsonResponse(
    "More calls came within a minute than the operator allows a token or an account; without limits there is none.",
    schemaRef("TransientError"),
    retryAfter
  ),
  DispatcherFailed: jsonResponse(
    "The gateway failed outside the tool, or cannot take the call now: too many calls, or no database. Then the type is Transient, and Retry-After says when to repeat the call.",
    oneOfSchemas("PermanentError", "TransientError"),
    retryAfter
  )
}

/** References to the responses in `names`, by status. */
export const responsesFor = (byStatus: { readonly [status: number]: keyof typeof responses }): Node =>
  Object.fromEntries(Object.entries(byStatus).map(([status, name]) => [status, responseRef(String(name))]))
