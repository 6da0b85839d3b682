const version = "2026-07-28"

let ids = 0

/** Of the next request. */
export const nextId = (): number => ++ids

export interface RequestOptions {
  readonly path?: string
  readonly capabilities?: object
  readonly headers?: Record<string, string>
  readonly meta?: object
}

/** What a request of the newer revision is made of, but for its token. */
export const modernParts = (method: string, params: object, options: RequestOptions) => {
  const name =
    "name" in params ? params.name : "uri" in params ? params.uri : "taskId" in params ? params.taskId : undefined
  return {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": version,
      "Mcp-Method": method,
      ...(typeof name === "string" ? { "Mcp-Name": name } : {}),
      ...options.headers
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: nextId(),
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientCapabilities": options.capabilities ?? {},
          ...options.meta
        }
      }
    })
  }
}

/** The whole of it, for `fetch`. */
export const modernRequest = (token: string, method: string, params: object = {}, options: RequestOptions = {}) => {
  const { headers, ...parts } = modernParts(method, params, options)
  return { ...parts, headers: { ...headers, Authorization: `Bearer ${token}` } }
}
