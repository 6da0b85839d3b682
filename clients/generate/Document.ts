import { Schema } from "effect"

/** A JSON Schema of the document, as far as the generators read it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly default?: unknown
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema | false
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
}

const JsonSchema: Schema.Schema<JsonSchema> = Schema.suspend(() =>
  Schema.Struct({
    $ref: Schema.optionalWith(Schema.String, { exact: true }),
    type: Schema.optionalWith(Schema.Union(Schema.String, Schema.Array(Schema.String)), { exact: true }),
    description: Schema.optionalWith(Schema.String, { exact: true }),
    const: Schema.optionalWith(Schema.Unknown, { exact: true }),
    enum: Schema.optionalWith(Schema.Array(Schema.Unknown), { exact: true }),
    default: Schema.optionalWith(Schema.Unknown, { exact: true }),
    properties: Schema.optionalWith(Schema.Record({ key: Schema.String, value: JsonSchema }), { exact: true }),
    required: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
    additionalProperties: Schema.optionalWith(Schema.Union(Schema.Boolean, JsonSchema), { exact: true }),
    items: Schema.optionalWith(Schema.Union(JsonSchema, Schema.Literal(false)), { exact: true }),
    prefixItems: Schema.optionalWith(Schema.Array(JsonSchema), { exact: true }),
    anyOf: Schema.optionalWith(Schema.Array(JsonSchema), { exact: true }),
    oneOf: Schema.optionalWith(Schema.Array(JsonSchema), { exact: true }),
    allOf: Schema.optionalWith(Schema.Array(JsonSchema), { exact: true })
  })
)

const Content = Schema.Record({
  key: Schema.String,
  value: Schema.Struct({ schema: Schema.optional(JsonSchema), example: Schema.optional(Schema.Unknown) })
})

const Operation = Schema.Struct({
  operationId: Schema.String,
  description: Schema.String,
  tags: Schema.Array(Schema.String),
  "x-tool-kind": Schema.optional(Schema.Literal("read", "write", "destructive")),
  "x-error-reasons": Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })),
  requestBody: Schema.optional(Schema.Struct({ content: Content })),
  responses: Schema.Record({ key: Schema.String, value: Schema.Struct({ content: Schema.optional(Content) }) })
})

export const OpenApiDocument = Schema.parseJson(
  Schema.Struct({
    info: Schema.Struct({ version: Schema.String }),
    servers: Schema.Array(Schema.Struct({ url: Schema.String })),
    tags: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })),
    paths: Schema.Record({ key: Schema.String, value: Schema.Struct({ post: Schema.optional(Operation) }) }),
    components: Schema.Struct({ schemas: Schema.Record({ key: Schema.String, value: JsonSchema }) })
  })
)
export type OpenApiDocument = typeof OpenApiDocument.Type

/** The rows in the answer of a paged list. */
export interface Rows {
  readonly key: string
  readonly firstPage: number
}

export interface ToolOperation {
  readonly name: string
  readonly group: string
  /** Such as `/rest/v1`. */
  readonly prefix: string
  readonly kind: "read" | "write" | "destructive"
  readonly description: string
  readonly arguments: JsonSchema
  readonly answer: JsonSchema
  readonly example: Readonly<Record<string, unknown>>
  readonly reasons: Readonly<Record<string, ReadonlyArray<string>>>
  readonly rows: Rows | undefined
}

export interface ToolGroup {
  readonly name: string
  readonly description: string
  readonly tools: ReadonlyArray<ToolOperation>
}

export interface ApiModel {
  readonly version: string
  readonly url: string
  readonly groups: ReadonlyArray<ToolGroup>
  readonly tools: ReadonlyArray<ToolOperation>
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

const schemaPath = "#/components/schemas/"

export const refName = (ref: string): string => {
  if (!ref.startsWith(schemaPath)) throw new Error(`${ref} is no schema of the document.`)
  return ref.slice(schemaPath.length)
}

export const resolved = (schemas: ApiModel["schemas"], schema: JsonSchema): JsonSchema => {
  if (schema.$ref === undefined) return schema
  const target = schemas[refName(schema.$ref)]
  if (target === undefined) throw new Error(`The document has no ${schema.$ref}.`)
  return resolved(schemas, target)
}

/** The names under which an answer may have its rows next to other lists. */
const usualKeys = ["rows", "items"]

const rowsOf = (schemas: ApiModel["schemas"], args: JsonSchema, answer: JsonSchema): Rows | undefined => {
  const { page, page_size } = args.properties ?? {}
  if (page === undefined || page_size === undefined) return undefined
  const lists = Object.entries(resolved(schemas, answer).properties ?? {}).flatMap(([name, property]) =>
    resolved(schemas, property).type === "array" ? [name] : []
  )
  const key = lists.length === 1 ? lists[0] : lists.find((name) => usualKeys.includes(name))
  return key === undefined ? undefined : { key, firstPage: Number(page.default ?? 0) }
}

const json = "application/json"
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * The tools of the document. A tool under several prefixes is taken from that whose operation has the tool's own name:
 * there, each kind of error has its status.
 */
export const modelOf = ({ components: { schemas }, info, paths, servers, tags }: OpenApiDocument): ApiModel => {
  const tools = Object.entries(paths).flatMap(([path, { post }]): ReadonlyArray<ToolOperation> => {
    const [, prefix, name] = /^(\/.+)\/tools\/([a-z0-9_]+)$/.exec(path) ?? []
    const kind = post?.["x-tool-kind"]
    if (prefix === undefined || name === undefined || kind === undefined || post?.operationId !== name) return []
    const body = post.requestBody?.content[json]
    const answer = post.responses["200"]?.content?.[json]?.schema
    const [group] = post.tags
    if (body?.schema === undefined || answer === undefined || group === undefined) {
      throw new Error(`The operation ${name} is not described whole.`)
    }
    const args = resolved(schemas, body.schema)
    return [
      {
        name,
        group,
        prefix,
        kind,
        description: post.description,
        arguments: args,
        answer,
        example: isObject(body.example) ? body.example : {},
        reasons: post["x-error-reasons"] ?? {},
        rows: kind === "read" ? rowsOf(schemas, args, answer) : undefined
      }
    ]
  })
  const groups = tags.flatMap(({ description, name }) => {
    const ofGroup = tools.filter(({ group }) => group === name)
    return ofGroup.length === 0 ? [] : [{ name, description, tools: ofGroup }]
  })
  return { version: info.version, url: servers[0]?.url ?? "", groups, tools, schemas }
}
