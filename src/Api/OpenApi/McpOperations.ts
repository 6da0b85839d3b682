import { jsonResponse, type Node, plainResponse, responsesFor, schemaRef } from "./ErrorResponses.ts"
import { inHeader, inPath } from "./OperationShapes.ts"

/** The tag of the Model Context Protocol. */
export const agentsTag = "Agents"

const retryAfter: Node = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }
const challenge: Node = {
  "WWW-Authenticate": {
    description: "Where a token comes from (RFC 9728), and the scopes that are missing.",
    schema: { type: "string" }
  }
}

const message: Node = {
  type: "object",
  description: "A JSON-RPC 2.0 message.",
  required: ["jsonrpc"],
  properties: {
    jsonrpc: { type: "string", enum: ["2.0"] },
    id: { type: ["string", "integer"], description: "Left out in a notification." },
    method: { type: "string", description: "Such as tools/list and tools/call." },
    params: { type: "object", additionalProperties: true },
    result: { type: "object", additionalProperties: true },
    error: { type: "object", additionalProperties: true }
  }
}

const fault: Node = {
  type: "object",
  description: "A JSON-RPC 2.0 error.",
  required: ["jsonrpc", "error"],
  properties: {
    jsonrpc: { type: "string", enum: ["2.0"] },
    id: { type: ["string", "integer", "null"] },
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { type: "integer" },
        message: { type: "string" },
        data: { type: "object", additionalProperties: true }
      }
    }
  }
}

/** Returns a response with an error of the protocol, or one that all routes share. */
const faultOr = (description: string, schema: string, headers: Node = {}): Node =>
  jsonResponse(description, { anyOf: [fault, schemaRef(schema)] }, headers)

const answers: Node = {
  200: {
    ...jsonResponse("The answer, or a stream of messages that ends with it.", message),
    content: {
      "application/json": { schema: message },
      "text/event-stream": { schema: { type: "string", description: "Each event is one message." } }
    }
  },
  400: jsonResponse("The message cannot be used.", fault),
  401: jsonResponse("The access token is not accepted.", schemaRef("Unauthorized"), challenge),
  403: jsonResponse("The token lacks a scope, or a page of another origin called.", fault, challenge),
  404: jsonResponse("There is no such address, method or session.", fault),
  429: faultOr("Too many calls or streams for now: repeat it later.", "TransientError", retryAfter),
  500: jsonResponse("The gateway failed.", fault),
  503: faultOr("Not possible for now: repeat it later.", "TransientError", retryAfter)
}

const protocolHeaders: ReadonlyArray<Node> = [
  inHeader("MCP-Protocol-Version", "The revision of the protocol.", false),
  inHeader("Mcp-Method", "Repeats the message's method. Revision 2026-07-28 needs it.", false),
  inHeader("Mcp-Name", "Repeats the tool, prompt, resource or task that the message names.", false),
  inHeader("Mcp-Session-Id", "The session of older revisions, as initialize answered it.", false)
]

const operations = (id: string): Node => ({
  post: {
    operationId: `${id}_message`,
    summary: "Send a message of the Model Context Protocol",
    description: "All tools, prompts and resources for agents, over streamable HTTP.",
    tags: [agentsTag],
    parameters: protocolHeaders,
    requestBody: { required: true, content: { "application/json": { schema: message } } },
    responses: {
      ...answers,
      202: plainResponse("A notification or a response was taken."),
      ...responsesFor({ 413: "TooLarge", 415: "Encoded" })
    }
  },
  get: {
    operationId: `${id}_news`,
    summary: "Wait for news in a session",
    description: "Only for older revisions, which name their session. Newer ones listen with a message.",
    tags: [agentsTag],
    parameters: protocolHeaders,
    responses: {
      ...answers,
      200: plainResponse("A stream of messages.", { "text/event-stream": { schema: { type: "string" } } }),
      405: jsonResponse("The request has no session, or takes no stream.", fault, {
        Allow: { $ref: "#/components/headers/Allow" }
      })
    }
  }
})

/** `/mcp` and the addresses below it. */
export const mcpPaths: Node = {
  "/mcp": operations("mcp"),
  "/mcp/{toolset}": {
    parameters: [
      inPath("toolset", "What is listed: readonly, x/all, or x/ and groups of tools; the path may have several parts.")
    ],
    ...operations("mcp_toolset")
  }
}
