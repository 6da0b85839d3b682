import { Effect } from "effect"
import { send } from "../support/servers/TestServer.ts"
import { modernParts, nextId, type RequestOptions } from "./modernRequest.ts"

/** Sends one request of the newer revision. */
export const modern = (token: string, method: string, params: object = {}, options: RequestOptions = {}) =>
  send(options.path ?? "/mcp", { token, ...modernParts(method, params, options) })

/** Sends one request of an older revision, without a session. */
export const legacy = (token: string, method: string, params: object = {}, path = "/mcp") =>
  send(path, {
    method: "POST",
    token,
    headers: { "Content-Type": "application/json", "MCP-Protocol-Version": "2025-11-25" },
    body: JSON.stringify({ jsonrpc: "2.0", id: nextId(), method, params })
  })

interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: string; readonly text: string }>
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly resultType?: string
  readonly requestState?: string
  readonly inputRequests?: Record<string, { readonly params: { readonly message: string } }>
  readonly taskId?: string
  readonly status?: string
  readonly result?: ToolResult
}

interface RpcAnswer {
  readonly result?: ToolResult & {
    readonly tools?: ReadonlyArray<{ readonly name: string }>
    readonly nextCursor?: string
  }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: object }
}

/** The JSON-RPC answer in an HTTP answer; its parts are what the tests look at. */
export const rpc = (answer: { readonly text: string }): RpcAnswer => JSON.parse(answer.text) as RpcAnswer

export const textOf = (answer: { readonly text: string }): string => rpc(answer).result?.content[0]?.text ?? ""

export const calling = (token: string, name: string, args: object, options: Parameters<typeof modern>[3] = {}) =>
  Effect.map(modern(token, "tools/call", { name, arguments: args }, options), rpc)
