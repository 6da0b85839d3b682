import { pathOf } from "./CallsUnderTest.ts"

/** The protocols by which a tool can be called. */
export const protocols = ["rest", "modern", "legacy"] as const
export type Protocol = (typeof protocols)[number]

interface Message {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const modernVersion = "2026-07-28"

const meta = {
  "io.modelcontextprotocol/protocolVersion": modernVersion,
  "io.modelcontextprotocol/clientCapabilities": {}
}

/** A call of a tool, as each protocol sends it. */
export const messageOf = (protocol: Protocol, tool: string, args: object): Message => {
  const request = (params: object): string =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args, ...params } })
  switch (protocol) {
    case "rest":
      return { path: pathOf(tool), headers: {}, body: JSON.stringify(args) }
    case "modern":
      return {
        path: "/mcp/x/all",
        headers: { "mcp-protocol-version": modernVersion, "mcp-method": "tools/call", "mcp-name": tool },
        body: request({ _meta: meta })
      }
    case "legacy":
      return { path: "/mcp/x/all", headers: { "mcp-protocol-version": "2025-11-25" }, body: request({}) }
  }
}
