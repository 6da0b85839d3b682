import { eventStreamPath, type Prefix, platformPrefix, revokeSecretPath } from "../../Api.ts"
import { toolErrorTags } from "../../Errors.ts"
import { eventTypes } from "../../Services/Events/AccountEvents.ts"
import { jsonResponse, type Node, plainResponse, responsesFor, schemaRef, textResponse } from "./ErrorResponses.ts"
import {
  answerOrError,
  bodyFailures,
  dispatchFailures,
  idUnder,
  queryFailures,
  writeFailures,
  writeHeaders
} from "./ToolOperations.ts"

/** The tag of everything that is not a tool. */
export const gatewayTag = "Gateway"

const anyAnswer: Node = { type: "object", description: "The tool's own JSON." }

const toolName: Node = {
  name: "tool_name",
  in: "path",
  required: true,
  description: "The exact name; upper and lower case differ.",
  schema: { type: "string" }
}

const anyToolAnswers = (prefix: Prefix): Node =>
  prefix === "/api/v1"
    ? {
        200: jsonResponse(
          "The tool's answer, or its error: a body with `error`.",
          answerOrError(anyAnswer, toolErrorTags)
        ),
        ...responsesFor({ 404: "UnknownTool" })
      }
    : {
        200: jsonResponse("The tool's answer.", anyAnswer),
        ...responsesFor({ 403: "PlanOrScopeRequired", 404: "NotFound", 422: "Refused" })
      }

/** The generic routes of the second catalog have separate names. */
const routeId = (prefix: Prefix, id: string): string =>
  prefix === platformPrefix ? `platform_${id}` : idUnder(prefix, id)

/** The four generic routes, for callers that take the tool's name from the catalog. */
const routesUnder = (prefix: Prefix): Node => ({
  [`${prefix}/tools`]: {
    get: {
      operationId: routeId(prefix, "list_tools"),
      summary: "List all tools",
      description: "The whole catalog, with the schemas of arguments and answers, sorted by group and name.",
      tags: [gatewayTag],
      responses: {
        200: jsonResponse("The catalog.", schemaRef("CatalogDocument")),
        ...responsesFor({ 405: "MethodNotAllowed" }),
        ...dispatchFailures(prefix)
      }
    }
  },
  [`${prefix}/tools/{tool_name}`]: {
    parameters: [toolName],
    get: {
      operationId: routeId(prefix, "describe_tool"),
      summary: "Describe one tool",
      description: "The same object that the catalog lists.",
      tags: [gatewayTag],
      responses: {
        200: jsonResponse("The tool's entry in the catalog.", schemaRef("ToolDocument")),
        ...responsesFor({ 404: "UnknownTool", 405: "MethodNotAllowed" }),
        ...dispatchFailures(prefix)
      }
    },
    post: {
      operationId: routeId(prefix, "call_tool"),
      summary: "Call a tool by its name",
      description: "Each tool also has an operation of its own, with its exact schemas.",
      tags: [gatewayTag],
      parameters: writeHeaders,
      requestBody: {
        required: false,
        description: "The arguments. No body, {} and null mean that there are none.",
        content: {
          "application/json": {
            schema: {
              type: ["object", "null"],
              additionalProperties: { type: ["string", "number", "boolean", "null"] }
            }
          }
        }
      },
      responses: {
        ...anyToolAnswers(prefix),
        ...responsesFor({ 405: "MethodNotAllowed" }),
        ...bodyFailures,
        ...writeFailures(prefix),
        ...dispatchFailures(prefix)
      }
    }
  },
  [`${prefix}/call/{tool_name}`]: {
    parameters: [toolName],
    get: {
      operationId: routeId(prefix, "call_tool_by_query"),
      summary: "Call a read tool by its name",
      description:
        "The arguments are the query string, which cannot express null. Tools that change something need POST.",
      tags: [gatewayTag],
      parameters: [
        {
          name: "arguments",
          in: "query",
          required: false,
          description: "Each parameter as a name and a value of its own.",
          style: "form",
          explode: true,
          schema: { type: "object", additionalProperties: { type: "string" } }
        }
      ],
      responses: {
        ...anyToolAnswers(prefix),
        ...responsesFor({ 405: "NotReadOnly" }),
        ...queryFailures,
        ...dispatchFailures(prefix)
      }
    }
  }
})

const page = (operationId: string, summary: string, description: string, answers: Node): Node => ({
  get: {
    operationId,
    summary,
    description,
    tags: [gatewayTag],
    security: [],
    responses: { ...answers, ...responsesFor({ 405: "MethodNotAllowed" }) }
  }
})

const documentHeaders: Node = {
  ETag: { $ref: "#/components/headers/ETag" },
  Vary: { $ref: "#/components/headers/Vary" }
}

/** Returns the operation of a page that clients may cache, and that is compressed for those that accept it. */
const document = (operationId: string, summary: string, description: string, answers: Node): Node =>
  page(operationId, summary, description, {
    ...answers,
    304: plainResponse("The client has this version: If-None-Match names its ETag.", undefined, documentHeaders)
  })

const pathPart = (name: string, description: string): Node => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" }
})

const liveness: Node = {
  type: "object",
  required: ["status", "server_version"],
  properties: { status: { type: "string", enum: ["live"] }, server_version: { type: "string" } }
}

const readiness: Node = {
  type: "object",
  required: ["status", "server_version", "database"],
  properties: {
    status: { type: "string", enum: ["ready", "not_ready", "stopping"] },
    server_version: { type: "string" },
    database: { type: "string", enum: ["up", "down"] },
    services: { description: "Each outside service with its mode, live or sandbox." },
    ending_vendor_versions: {
      description: "Versions of vendors' interfaces that have an end, the next one first.",
      type: "array",
      items: {
        type: "object",
        required: ["vendor", "interface", "version", "ends_on", "days_left"],
        properties: {
          vendor: { type: "string" },
          interface: { type: "string" },
          version: { type: "string" },
          ends_on: { type: "string", format: "date" },
          days_left: { type: "integer", description: "Negative after the end." }
        }
      }
    }
  }
}

const pages: Node = {
  "/health/live": page("health_live", "Whether the process runs", "Asks nothing of the database.", {
    200: jsonResponse("It runs.", liveness)
  }),
  "/health/ready": page(
    "health_ready",
    "Whether calls can be served",
    "Asks the database, and lists the mode of each outside service.",
    {
      200: jsonResponse("Send calls.", readiness),
      503: jsonResponse("Send calls elsewhere for now.", readiness, {
        "Retry-After": { $ref: "#/components/headers/RetryAfter" }
      })
    }
  ),
  "/openapi.json": document("openapi_document", "This document", "OpenAPI 3.1, written from the running catalog.", {
    200: jsonResponse("The document.", { type: "object" }, documentHeaders)
  }),
  "/SKILL.md": document(
    "skill_guide",
    "A guide for agents",
    "How to use the gateway, and every tool's name, in Markdown.",
    { 200: textResponse("The guide.", "text/markdown", documentHeaders) }
  ),
  "/SKILL/{page}": {
    parameters: [pathPart("page", "A group of tools as /SKILL.md links it, such as leads.md.")],
    ...document("skill_guide_of_group", "The guide's page of a group", "Every tool of the group, in Markdown.", {
      200: textResponse("The page.", "text/markdown", documentHeaders),
      ...responsesFor({ 404: "UnknownRoute" })
    })
  },
  "/metrics": page("metrics", "Counters and timings", "For Prometheus.", {
    200: textResponse("The current values.", "text/plain")
  })
}

const unavailable: Node = {
  type: "object",
  required: ["error", "type", "detail"],
  properties: {
    error: { type: "string" },
    type: { type: "string", enum: ["Transient"] },
    detail: { type: "string" }
  }
}

const files: Node = {
  "/files/{key}/{name}": {
    parameters: [
      pathPart("key", "The part of a download address that cannot be guessed."),
      pathPart("name", "The file's name.")
    ],
    ...page("download_file", "Download a file", "The address is a tool's answer; whoever has it can read the file.", {
      200: {
        description: "The file, in its own media type.",
        headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
        content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
      },
      206: {
        description: "The part that a Range header asked for, of a picture or video that the gateway made.",
        headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
        content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
      },
      304: {
        description: "The picture or video is still the one whose ETag If-None-Match names.",
        headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } }
      },
      416: {
        description: "The Range header asks for bytes behind the end.",
        headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } }
      },
      ...responsesFor({ 404: "UnknownRoute" }),
      503: jsonResponse("The file cannot be read for now.", unavailable, {
        "Retry-After": { $ref: "#/components/headers/RetryAfter" }
      })
    })
  }
}

/** The operation for people and programs that find a leaked token, for example in public code. */
const revokeSecret: Node = {
  [revokeSecretPath]: {
    post: {
      operationId: "revoke_secret",
      summary: "Revoke a token that was found",
      description:
        "Revokes the access token or refresh token whose secret is sent, of whichever account, with the programs that were let in with it. It needs no other token, and the answer does not say whether the secret was valid.",
      tags: [gatewayTag],
      security: [],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { type: "object", required: ["token"], properties: { token: { type: "string", maxLength: 200 } } }
          },
          "application/x-www-form-urlencoded": {
            schema: { type: "object", required: ["token"], properties: { token: { type: "string", maxLength: 200 } } }
          }
        }
      },
      responses: {
        200: jsonResponse("The token is worth nothing now.", { type: "object" }),
        ...responsesFor({ 400: "UnusableArguments", 405: "MethodNotAllowed", 413: "TooLarge", 503: "Transient" })
      }
    }
  }
}

/** The live stream of the feed of events. */
const eventStream: Node = {
  [eventStreamPath]: {
    get: {
      operationId: "stream_events",
      summary: "Follow events as they happen",
      description:
        "Server-sent events: each has the cursor as its id, the type of the event as its name, and the event of list_account_events as its data. No event is missed and none comes twice. The stream ends with its token, within five seconds and with the event `end`. Connect again with Last-Event-ID to continue.",
      tags: [gatewayTag],
      parameters: [
        {
          name: "types",
          in: "query",
          required: false,
          description: "Types of events, separated by commas. All of them if it is left out.",
          style: "form",
          explode: false,
          schema: { type: "array", items: { type: "string", enum: eventTypes } },
          example: ["lead_replied_email"]
        },
        {
          name: "last_event_id",
          in: "query",
          required: false,
          description: "The same as Last-Event-ID, for the first connection of a browser.",
          schema: { type: "integer", minimum: 0 },
          example: 0
        },
        {
          name: "Last-Event-ID",
          in: "header",
          required: false,
          description:
            "The cursor after which the stream begins, such as the id of the last event that was received. Without it, the stream begins with the next event.",
          schema: { type: "integer", minimum: 0 },
          example: 0
        }
      ],
      responses: {
        200: textResponse("The events.", "text/event-stream"),
        ...responsesFor({ 400: "UnusableArguments", 403: "ScopeRequired", 405: "MethodNotAllowed" }),
        ...dispatchFailures(platformPrefix)
      }
    }
  }
}

/** Everything except the operations of single tools. */
export const gatewayPaths: Node = {
  ...routesUnder("/rest/v1"),
  ...routesUnder("/api/v1"),
  ...routesUnder(platformPrefix),
  ...revokeSecret,
  ...eventStream,
  ...pages,
  ...files
}
