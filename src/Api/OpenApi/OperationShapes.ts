import { jsonResponse, type Node, responsesFor, textResponse } from "./ErrorResponses.ts"

/** The tag of routes that people and providers call. */
export const channelsTag = "Channels"
/** The tag of developers' routes for simulated channels. */
export const sandboxTag = "Sandbox"

export const inPath = (name: string, description: string): Node => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" }
})

export const inQuery = (
  name: string,
  description: string,
  schema: Node = { type: "string" },
  required = false
): Node => ({
  name,
  in: "query",
  required,
  description,
  schema
})

export const inHeader = (name: string, description: string, required = true): Node => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string" }
})

export const refusal: Node = {
  type: "object",
  required: ["error", "type", "detail"],
  properties: { error: { type: "string" }, type: { type: "string" }, detail: { type: "string" } }
}

const retryAfter: Node = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }

export const forged: Node = { 401: jsonResponse("The signature is missing, wrong or too old.", refusal) }
export const unreadable: Node = { 400: jsonResponse("The body is not what the route takes.", refusal) }
export const tooLarge: Node = responsesFor({ 413: "TooLarge" })
export const later: Node = {
  503: jsonResponse("It cannot be taken for the moment: send it again.", refusal, retryAfter)
}
export const notSetUp: Node = responsesFor({ 404: "UnknownRoute" })
const withoutToken: Node = {
  401: jsonResponse(
    "The access token is not accepted.",
    {
      type: "object",
      required: ["error", "how_to_fix", "documentation"],
      properties: { error: { type: "string" }, how_to_fix: { type: "string" }, documentation: { type: "string" } }
    },
    { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } }
  )
}
export const page = (description: string): Node => textResponse(description, "text/html")

export const object = (properties: Node, required: ReadonlyArray<string> = Object.keys(properties)): Node => ({
  type: "object",
  required,
  properties
})

export const text: Node = { type: "string" }
export const id: Node = { type: "integer" }
export const nullableId: Node = { type: ["integer", "null"] }

export interface Operation {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly parameters?: ReadonlyArray<Node>
  readonly body?: Node
  readonly answers: Node
}

const operationOf =
  (tag: string, isOpen: boolean) =>
  ({ answers, body, description, id: operationId, parameters, summary }: Operation): Node => ({
    operationId,
    summary,
    description,
    tags: [tag],
    ...(isOpen ? { security: [] } : {}),
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: body } }),
    responses: { ...answers, ...responsesFor({ 405: "MethodNotAllowed" }) }
  })

/** Operations without a token: for people who know the address, or providers that sign their requests. */
export const open = operationOf(channelsTag, true)
export const openSandbox = operationOf(sandboxTag, true)
/** Returns a sandbox operation that needs an account's token. */
export const sandbox = (operation: Operation): Node =>
  operationOf(
    sandboxTag,
    false
  )({
    ...operation,
    answers: { ...operation.answers, ...withoutToken }
  })

export const json = (schema: Node): Node => ({ "application/json": { schema } })
export const rawMail: Node = { "message/rfc822": { schema: { type: "string", format: "binary" } } }
export const anyObject: Node = { type: "object" }
export const list: Node = { type: "array", items: text }

/** Errors of tools, for routes that use the same services. */
export const refused: Node = responsesFor({ 422: "Refused", 503: "Transient" })
