import { Effect, type Option, type Tracer } from "effect"
import type { Reply } from "../../Api/Mcp/Engine.ts"
import type { McpRequest } from "../../Api/Mcp/Messages.ts"

interface Described {
  /** The path of the address. The group names in it are chosen by the caller. */
  readonly address: string
  /** The method and the tool, if they exist. Other text from the caller is left out. */
  readonly method: string
  readonly tool: string | undefined
  readonly requestId: string
}

const routeOf = (address: string): string => address.replace(/^\/mcp\/x\/[^/]+/, "/mcp/x/{groups}")

/** The server span of a sampled request, without arguments and names of resources. */
export const withRequestSpan = <R>(
  program: Effect.Effect<Reply, never, R>,
  { era }: Pick<McpRequest, "era">,
  { address, method, requestId, tool }: Described,
  parent: Option.Option<Tracer.ExternalSpan>
): Effect.Effect<Reply, never, R> =>
  program.pipe(
    Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
    Effect.withSpan(tool === undefined ? method : `${method} ${tool}`, {
      kind: "server",
      captureStackTrace: false,
      attributes: {
        "http.request.method": "POST",
        "http.route": routeOf(address),
        "mcp.method.name": method,
        "mcp.era": era,
        ...(tool === undefined ? {} : { "gen_ai.tool.name": tool }),
        "request.id": requestId
      },
      ...(parent._tag === "Some" ? { parent: parent.value } : {})
    })
  )
