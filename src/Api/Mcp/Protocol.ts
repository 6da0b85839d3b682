/** The revision without handshake and session: each request contains everything needed. */
export const modernVersion = "2026-07-28"
/** Revisions that begin with `initialize`, newest first. */
export const legacyVersions: ReadonlyArray<string> = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
export const supportedVersions: ReadonlyArray<string> = [modernVersion, ...legacyVersions]

export type Era = "modern" | "legacy"

export interface JsonObject {
  readonly [member: string]: unknown
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

export type RequestId = string | number

export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** For older revisions. The newer one answers `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  /** The gateway's own code, outside of the protocol's reserved range. */
  insufficientScope: 403
} as const

/** A protocol error: the request was not understood or cannot be processed. */
export interface Problem {
  readonly _tag: "Problem"
  /** The status of the HTTP answer. */
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: JsonObject
  /** Headers of the HTTP answer. If set, `status` applies to clients of every revision. */
  readonly headers?: Readonly<Record<string, string>>
}

export const problem = (status: number, code: number, message: string, data?: JsonObject): Problem => ({
  _tag: "Problem",
  status,
  code,
  message,
  ...(data === undefined ? {} : { data })
})

/** Invalid parameters of a method. The request itself was understood. */
export const invalidParams = (message: string, data?: JsonObject): Problem =>
  problem(200, codes.invalidParams, message, data)

export const methodNotFound = (method: string): Problem =>
  problem(404, codes.methodNotFound, `There is no method ${method.slice(0, 100)}.`)

/** The members of a result as JSON text without its braces. A tool's answer is inserted byte by byte. */
export type ResultMembers = string

/** Converts a value to members of a result: `{"a":1}` becomes `"a":1`. */
export const membersOf = (value: object): ResultMembers => JSON.stringify(value).slice(1, -1)

const joined = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(",")

export const problemText = (id: RequestId | null, { code, data, message }: Problem): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } })

export const resultText = (
  id: RequestId,
  era: Era,
  result: { readonly type: "complete" | "input_required" | "task"; readonly members: ResultMembers },
  meta: ResultMembers
): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${
    era === "legacy" ? result.members : joined(`"resultType":"${result.type}"`, result.members, meta)
  }}}`

export const notificationText = (method: string, params: JsonObject): string =>
  JSON.stringify({ jsonrpc: "2.0", method, params })
