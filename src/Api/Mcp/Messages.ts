import { isUtf8 } from "node:buffer"
import { Either } from "effect"
import { memberSource, overloadOf } from "../JsonSource.ts"
import {
  codes,
  type Era,
  isObject,
  type JsonObject,
  legacyVersions,
  modernVersion,
  objectOf,
  type Problem,
  problem,
  type RequestId,
  supportedVersions
} from "./Protocol.ts"

/** A request's headers by lower-case name. */
export type HeaderValues = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export interface McpRequest {
  readonly _tag: "Request"
  readonly era: Era
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
  /** The source text of the parameters, so that numbers keep their digits. */
  readonly source: string
  readonly meta: JsonObject
  /** The client's capabilities. For an older revision, those of its session. */
  readonly capabilities: JsonObject
}

export interface McpNotification {
  readonly _tag: "Notification"
  readonly era: Era
  readonly method: string
  readonly params: JsonObject
}

/** The client's answer to a request by the gateway. Only older revisions have such requests. */
export interface McpResponse {
  readonly _tag: "Response"
  readonly id: RequestId
  readonly result: unknown
  readonly error: unknown
}

export type Message = McpRequest | McpNotification | McpResponse

/** A message that cannot be processed, with its id if it has one. */
export interface Unreadable {
  readonly _tag: "Unreadable"
  readonly id: RequestId | null
  readonly problem: Problem
}

const metaPrefix = "io.modelcontextprotocol/"
const versionKey = `${metaPrefix}protocolVersion`
const capabilitiesKey = `${metaPrefix}clientCapabilities`

const unreadable = (id: RequestId | null, problem: Problem): Unreadable => ({
  _tag: "Unreadable",
  id,
  problem: problem
})

const refusedWith = (status: number, code: number, message: string): Problem => problem(status, code, message)

const encodedValue = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/** Returns the single value of a header, decoded if it was base64. Undefined if it is missing. */
export const headerValue = (headers: HeaderValues, name: string): string | undefined => {
  const value = headers[name]
  if (typeof value !== "string") return undefined
  const trimmed = value.trim()
  const encoded = encodedValue.exec(trimmed)
  return encoded === null ? trimmed : Buffer.from(encoded[1] ?? "", "base64").toString("utf8")
}

const mismatch = (header: string, headerText: string | undefined, expected: string): Problem =>
  refusedWith(
    400,
    codes.headerMismatch,
    headerText === undefined
      ? `The header ${header} is missing; the body says ${expected.slice(0, 100)}.`
      : `The header ${header} does not say what the body says.`
  )

/** The value that the header `Mcp-Name` must repeat. */
const namedBy = (method: string, params: JsonObject): unknown => {
  switch (method) {
    case "tools/call":
    case "prompts/get":
      return params["name"]
    case "resources/read":
      return params["uri"]
    case "tasks/get":
    case "tasks/update":
    case "tasks/cancel":
      return params["taskId"]
    default:
      return undefined
  }
}

const unsupported = (requested: string): Problem =>
  problem(400, codes.unsupportedVersion, "The protocol version is not supported.", {
    supported: supportedVersions,
    requested: requested.slice(0, 100)
  })

/** Returns the error of a message of the newer revision, whose headers must match its body. */
const modernFault = (method: string, params: JsonObject, headers: HeaderValues): Problem | undefined => {
  const meta = objectOf(params["_meta"])
  const version = meta[versionKey]
  const headerVersion = headerValue(headers, "mcp-protocol-version")
  if (typeof version !== "string") {
    return refusedWith(400, codes.invalidParams, `params._meta has no ${versionKey}.`)
  }
  if (headerVersion !== version) return mismatch("MCP-Protocol-Version", headerVersion, version)
  if (version !== modernVersion) return unsupported(version)
  if (!isObject(meta[capabilitiesKey])) {
    return refusedWith(400, codes.invalidParams, `params._meta has no ${capabilitiesKey}.`)
  }
  const headerMethod = headerValue(headers, "mcp-method")
  if (headerMethod !== method) return mismatch("Mcp-Method", headerMethod, method)
  const name = namedBy(method, params)
  if (typeof name === "string") {
    const headerName = headerValue(headers, "mcp-name")
    if (headerName !== name) return mismatch("Mcp-Name", headerName, name)
  }
  return undefined
}

/**
 * The revision of a message. The newer one states its version in the body and in a header, older ones at most in the
 * header. The newer one refuses unknown versions.
 */
const eraOf = (method: string, params: JsonObject, headers: HeaderValues): Era => {
  const headerVersion = headerValue(headers, "mcp-protocol-version")
  if (objectOf(params["_meta"])[versionKey] !== undefined) return "modern"
  if (headerVersion === undefined) return "legacy"
  if (legacyVersions.includes(headerVersion)) return "legacy"
  return method === "initialize" && headerVersion !== modernVersion ? "legacy" : "modern"
}

export const isRequestId = (id: unknown): id is RequestId =>
  typeof id === "string" ? id.length <= 256 : typeof id === "number" && Number.isFinite(id)

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const invalidMessage = (id: RequestId | null, text: string): Unreadable =>
  unreadable(id, refusedWith(400, codes.invalidRequest, text))

/** Parses the body as a JSON object. */
const readObject = (json: string): Either.Either<JsonObject, Unreadable> => {
  const overload = overloadOf(json)
  if (overload !== undefined) {
    const what = overload === "values" ? "values" : "escaped characters"
    return Either.left(invalidMessage(null, `The message has too many ${what}.`))
  }
  const value = parsed(json)
  if (value === undefined) {
    return Either.left(unreadable(null, refusedWith(400, codes.parseError, "The body is not valid JSON.")))
  }
  return isObject(value)
    ? Either.right(value)
    : Either.left(invalidMessage(null, "The body is not one JSON-RPC message."))
}

const readResponse = (value: JsonObject, id: RequestId | null): Message | Unreadable =>
  id === null || !("result" in value || "error" in value)
    ? invalidMessage(id, "The message has no method.")
    : { _tag: "Response", id, result: value["result"], error: value["error"] }

/**
 * Reads the body of a POST, which is one message and never a batch. `sessionCapabilities` are those of an older client.
 */
export const readMessage = (
  body: Buffer,
  headers: HeaderValues,
  sessionCapabilities: JsonObject = {}
): Message | Unreadable => {
  const json = isUtf8(body) ? body.toString("utf8") : ""
  const object = readObject(json)
  if (Either.isLeft(object)) return object.left
  const value = object.right
  const { jsonrpc, method } = value
  const id = isRequestId(value["id"]) ? value["id"] : null
  if (jsonrpc !== "2.0" || (method !== undefined && typeof method !== "string")) {
    return invalidMessage(id, "The body is not a JSON-RPC 2.0 message.")
  }
  if (method === undefined) return readResponse(value, id)
  if (value["params"] !== undefined && !isObject(value["params"])) {
    return unreadable(id, refusedWith(400, codes.invalidParams, "params is not an object."))
  }
  const params = objectOf(value["params"])
  const era = eraOf(method, params, headers)
  if (!("id" in value)) return { _tag: "Notification", era, method, params }
  if (id === null) return invalidMessage(null, "The id is neither a text nor a number.")
  const fault = era === "modern" ? modernFault(method, params, headers) : undefined
  if (fault !== undefined) return unreadable(id, fault)
  const meta = objectOf(params["_meta"])
  return {
    _tag: "Request",
    era,
    id,
    method,
    params,
    source: memberSource(json, "params") ?? "{}",
    meta,
    capabilities: era === "modern" ? objectOf(meta[capabilitiesKey]) : sessionCapabilities
  }
}
