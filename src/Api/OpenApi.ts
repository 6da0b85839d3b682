import { platformPrefix, prefixes } from "../Api.ts"
import { type Cooperative, runToEnd } from "../Services/Core/Cooperative.ts"
import { serverVersion as runningVersion } from "../Services/Core/Outside/ServerVersion.ts"
import type { Catalog } from "../Tools/Core/Catalog.ts"
import { argumentsSchema, documentSchemas } from "../Tools/Core/ToolSchema.ts"
import { CatalogDocument } from "./CatalogListing.ts"
import { channelPaths } from "./OpenApi/ChannelOperations.ts"
import { errorSchemas, headers, type Node, responses } from "./OpenApi/ErrorResponses.ts"
import { gatewayPaths, gatewayTag } from "./OpenApi/GatewayOperations.ts"
import { agentsTag, mcpPaths } from "./OpenApi/McpOperations.ts"
import { channelsTag, sandboxTag } from "./OpenApi/OperationShapes.ts"
import { answerName, argumentsName, toolPaths } from "./OpenApi/ToolOperations.ts"
import { webhookOperations, webhookSchemas, webhooksTag } from "./OpenApi/WebhookOperations.ts"

const introduction = `Tools of a sales-prospecting platform as HTTP operations. Every tool is called with POST and a JSON
object of single values; tools that only read can also be called with GET and a query string.

The same tools are under two prefixes. \`/rest/v1\` answers a failed call with a status of its own (403, 404, 422, 500,
503). \`/api/v1\` answers 200 whenever the call reached the tool: read \`error\` in the body to tell a failure.
Tools that manage the use of the API are under \`/platform/v1\`, which answers like \`/rest/v1\`.

A value that would lose something in conversion is refused, never adjusted. Dates are UTC. How to authenticate, page
through lists, follow long jobs and react to errors is described in \`/SKILL.md\`.`

/** The members of all `nodes`. Duplicate names are an error, because one would silently replace the other. */
const joined = (nodes: ReadonlyArray<Node>): Node => {
  const members = nodes.flatMap((node) => Object.entries(node))
  const names = new Set<string>()
  for (const [name] of members) {
    if (names.has(name)) throw new Error(`The document has two parts called ${name}.`)
    names.add(name)
  }
  return Object.fromEntries(members)
}

interface OpenApiOptions {
  /** The base URL without a trailing slash. */
  readonly baseUrl: string
  readonly serverVersion?: string
  /** The tools under `/platform/v1`. */
  readonly platform?: Catalog<unknown>
}

/** Like `openApiOf`, but yields between parts, so that other work can run. */
export function* openApiInPieces(catalog: Catalog<unknown>, options: OpenApiOptions): Cooperative<Node> {
  const { entries, groups } = catalog
  const ofPlatform = options.platform?.entries ?? []
  const served = [...entries, ...ofPlatform]
  const answers = yield* documentSchemas(
    [
      ["CatalogDocument", CatalogDocument],
      ...webhookSchemas,
      ...served.map(({ tool }) => [answerName(tool), tool.returns] as const)
    ],
    "#/components/schemas/"
  )
  return {
    openapi: "3.1.0",
    info: {
      title: "Prospecting gateway",
      version: options.serverVersion ?? runningVersion,
      description: introduction,
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: options.baseUrl }],
    security: [{ accessToken: [] }],
    tags: [
      { name: gatewayTag, description: "Discovery, health and documents." },
      { name: agentsTag, description: "The Model Context Protocol, for agents." },
      { name: channelsTag, description: "What leads open, and what providers of mail, messaging and calls report to." },
      { name: webhooksTag, description: "What the gateway sends to the account's own systems." },
      {
        name: sandboxTag,
        description: "For developers, where a channel is simulated: read what went out, and answer it."
      },
      ...[...groups, ...(options.platform?.groups ?? [])].map(({ description, name }) => ({ name, description }))
    ],
    paths: joined([
      gatewayPaths,
      channelPaths,
      mcpPaths,
      ...prefixes.flatMap((prefix) => entries.map(({ group, tool }) => toolPaths(tool, group, prefix))),
      ...ofPlatform.map(({ group, tool }) => toolPaths(tool, group, platformPrefix))
    ]),
    webhooks: webhookOperations,
    components: {
      securitySchemes: {
        accessToken: { type: "http", scheme: "bearer", description: "A token from generate_mcp_token or the console." }
      },
      headers,
      responses,
      schemas: joined([
        errorSchemas,
        Object.fromEntries(served.map(({ tool }) => [argumentsName(tool), argumentsSchema(tool)])),
        answers
      ])
    }
  }
}

/**
 * The OpenAPI 3.1 document of the whole gateway: an operation for each tool under each prefix with all possible
 * statuses, and the routes that are not tools.
 */
export const openApiOf = (catalog: Catalog<unknown>, options: OpenApiOptions): Node =>
  runToEnd(openApiInPieces(catalog, options))
