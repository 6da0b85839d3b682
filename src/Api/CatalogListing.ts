import { Schema } from "effect"
import type { Prefix } from "../Api.ts"
import { serverVersion as runningVersion } from "../Services/Core/Outside/ServerVersion.ts"
import type { Catalog } from "../Tools/Core/Catalog.ts"
import { isNullable, type ParamSpec } from "../Tools/Core/Param.ts"
import type { Tool } from "../Tools/Core/Tool.ts"
import { inputSchema, outputSchema } from "../Tools/Core/ToolSchema.ts"

/** The major version of the API, which is also in the path prefixes. */
export const apiVersion = "v1"

const JsonObject = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  jsonSchema: { type: "object", additionalProperties: true }
})

const ParameterDocument = Schema.Struct({
  name: Schema.String,
  type: Schema.Literal("string", "integer", "number", "boolean"),
  required: Schema.Boolean,
  nullable: Schema.Boolean.annotations({ description: "Whether an explicit null is taken, as if it were left out." }),
  description: Schema.String,
  default: Schema.optional(
    Schema.Union(Schema.String, Schema.Number, Schema.Boolean).annotations({
      description: "What applies when the parameter is left out."
    })
  ),
  enum: Schema.optional(Schema.Array(Schema.String)),
  items_enum: Schema.optional(
    Schema.Array(Schema.String).annotations({ description: "What a comma-separated list may hold." })
  ),
  minimum: Schema.optional(Schema.Number),
  maximum: Schema.optional(Schema.Number),
  max_length: Schema.optional(Schema.Int.annotations({ description: "In characters." }))
})

/** A tool as `GET /tools/{name}` returns it and `GET /tools` lists it. */
export const ToolDocument = Schema.Struct({
  name: Schema.String,
  group: Schema.String,
  kind: Schema.Literal("read", "write", "destructive"),
  description: Schema.String,
  requires_paid_plan: Schema.Boolean,
  runs_in_background: Schema.Boolean.annotations({
    description: "Whether the answer is the start of a job whose end a read tool tells."
  }),
  idempotent: Schema.Boolean.annotations({ description: "Whether the same call once more changes nothing further." }),
  open_world: Schema.Boolean.annotations({
    description: "Whether the call, or the background job that it starts, reaches services outside the gateway."
  }),
  parameters: Schema.Array(ParameterDocument),
  input_schema: JsonObject.annotations({ description: "JSON Schema 2020-12 of the arguments." }),
  output_schema: JsonObject.annotations({ description: "JSON Schema 2020-12 of the answer." }),
  errors: Schema.Array(Schema.Literal("NotFound", "Refused", "PlanRequired", "Transient", "Permanent")),
  reasons: Schema.partial(
    Schema.Record({
      key: Schema.Literal("NotFound", "Refused", "PlanRequired", "Transient", "Permanent"),
      value: Schema.Array(Schema.String)
    })
  ).annotations({ description: "The `reason`s that the tool's errors can have, by the error's type." }),
  routes: Schema.Struct({ post: Schema.String, get: Schema.optional(Schema.String) })
}).annotations({ identifier: "ToolDocument" })
export type ToolDocument = typeof ToolDocument.Type

/** The answer of `GET /tools`: all tools, sorted by group and then name. */
export const CatalogDocument = Schema.Struct({
  version: Schema.Literal(apiVersion),
  server_version: Schema.String,
  tool_count: Schema.Int,
  tools: Schema.Array(ToolDocument)
})
export type CatalogDocument = typeof CatalogDocument.Type

const parameterDocument = (name: string, spec: ParamSpec): typeof ParameterDocument.Type => ({
  name,
  type: spec.type,
  required: spec.required,
  nullable: isNullable(spec),
  description: spec.description,
  ...(spec.default === undefined ? {} : { default: spec.default }),
  ...(spec.enum === undefined ? {} : { enum: spec.enum }),
  ...(spec.itemsEnum === undefined ? {} : { items_enum: spec.itemsEnum }),
  ...(spec.minimum === undefined ? {} : { minimum: spec.minimum }),
  ...(spec.maximum === undefined ? {} : { maximum: spec.maximum }),
  ...(spec.maxLength === undefined ? {} : { max_length: spec.maxLength })
})

const routesOf = (tool: Tool<unknown>, prefix: Prefix): ToolDocument["routes"] => ({
  post: `${prefix}/tools/${tool.name}`,
  ...(tool.kind === "read" ? { get: `${prefix}/call/${tool.name}` } : {})
})

/** The part of a tool's document that is the same under both prefixes. */
const toolDocument = (group: string, tool: Tool<unknown>): Omit<ToolDocument, "routes"> => ({
  name: tool.name,
  group,
  kind: tool.kind,
  description: tool.description,
  requires_paid_plan: tool.requiresPaidPlan,
  runs_in_background: tool.runsInBackground,
  idempotent: tool.idempotent,
  open_world: tool.openWorld,
  parameters: Object.entries(tool.parameters).map(([name, spec]) => parameterDocument(name, spec)),
  input_schema: inputSchema(tool),
  output_schema: outputSchema(tool),
  errors: tool.errors,
  reasons: tool.reasons
})

/**
 * The catalog as JSON, for `GET /tools`, and for `GET /tools/{name}` if the catalog has that name. Each tool's text is
 * made at its first request.
 */
export const documentsOf = (
  catalog: Catalog<unknown>,
  serverVersion: string = runningVersion
): { readonly list: (prefix: Prefix) => string; readonly one: (prefix: Prefix, name: string) => string } => {
  const entries = new Map(catalog.entries.map((entry) => [entry.tool.name, entry]))
  const cachedDocuments = new Map<string, string>()
  const lists = new Map<Prefix, string>()

  const one = (prefix: Prefix, name: string): string => {
    const entry = entries.get(name)
    if (entry === undefined) throw new Error(`The catalog has no tool ${name}.`)
    const text = cachedDocuments.get(name) ?? JSON.stringify(toolDocument(entry.group, entry.tool))
    cachedDocuments.set(name, text)
    return `${text.slice(0, -1)},"routes":${JSON.stringify(routesOf(entry.tool, prefix))}}`
  }

  const list = (prefix: Prefix): string => {
    const head: Omit<CatalogDocument, "tools"> = {
      version: apiVersion,
      server_version: serverVersion,
      tool_count: entries.size
    }
    const tools = [...entries.keys()].map((name) => one(prefix, name))
    return `${JSON.stringify(head).slice(0, -1)},"tools":[${tools.join(",")}]}`
  }

  return {
    one,
    list: (prefix) => {
      const text = lists.get(prefix) ?? list(prefix)
      lists.set(prefix, text)
      return text
    }
  }
}
