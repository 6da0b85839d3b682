import { JSONSchema, type Schema } from "effect"
import type { Cooperative } from "../../Services/Core/Cooperative.ts"
import { isNullable, type ParamSpec } from "./Param.ts"
import type { Tool } from "./Tool.ts"

/** A JSON Schema, or a part of one. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

const dialect: JsonSchema = { $schema: "https://json-schema.org/draft/2020-12/schema" }

/** Members of a JSON Schema that contain data, not schemas. */
const dataKeywords = new Set(["const", "default", "enum", "examples"])

/**
 * Texts that the schema library adds to every schema ("int", "an integer"). They say nothing new, and its ids would be
 * duplicates.
 */
const isLibraryText = (keyword: string, value: unknown): boolean =>
  typeof value === "string" &&
  ((keyword === "title" && /^[a-z]/.test(value)) ||
    (keyword === "description" && /^an? [a-zA-Z]/.test(value)) ||
    (keyword === "$id" && value.startsWith("/schemas/")))

const withoutLibraryTexts = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutLibraryTexts)
  if (typeof schema !== "object" || schema === null) return schema
  const members: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (isLibraryText(keyword, value)) continue
    members[keyword] = dataKeywords.has(keyword) ? value : withoutLibraryTexts(value)
  }
  return members
}

/** Caches a value that is derived from a tool, from its first use on. */
const onceForTool = <A extends object>(make: (tool: Tool<unknown>) => A): ((tool: Tool<unknown>) => A) => {
  const cache = new WeakMap<Tool<unknown>, A>()
  return (tool) => {
    const cached = cache.get(tool)
    if (cached !== undefined) return cached
    const fresh = make(tool)
    cache.set(tool, fresh)
    return fresh
  }
}

const described = ({ description, fallsBack, itemsEnum, ...spec }: ParamSpec): string => {
  if (itemsEnum !== undefined) return `${description} Items, separated by commas: ${itemsEnum.join(", ")}.`
  return fallsBack === true && spec.enum !== undefined
    ? `${description} One of ${spec.enum.join(", ")}; anything else means ${spec.default}.`
    : description
}

/**
 * The JSON Schema of an argument. A size has no maximum, because larger values are lowered. An instant has no format,
 * because a bare date is accepted too.
 */
export const parameterSchema = (spec: ParamSpec, options: { readonly nullable: boolean }): JsonSchema => ({
  type: options.nullable ? [spec.type, "null"] : spec.type,
  description: described(spec),
  ...(spec.default === undefined ? {} : { default: spec.default }),
  ...(spec.enum === undefined || spec.fallsBack === true
    ? {}
    : { enum: options.nullable ? [...spec.enum, null] : spec.enum }),
  ...(spec.minimum === undefined ? {} : { minimum: spec.minimum }),
  ...(spec.maximum === undefined || spec.lowersToMaximum === true ? {} : { maximum: spec.maximum }),
  ...(spec.minLength === undefined ? {} : { minLength: spec.minLength }),
  ...(spec.maxLength === undefined ? {} : { maxLength: spec.maxLength }),
  ...(spec.format === "uri" || spec.format === "date" ? { format: spec.format } : {})
})

/** The schema of a tool's arguments as an object, without a dialect. */
export const argumentsSchema = (tool: Tool<unknown>): JsonSchema => {
  const specs = Object.entries(tool.parameters)
  const requiredNames = specs.filter(([, spec]) => spec.required).map(([name]) => name)
  return {
    type: "object",
    properties: Object.fromEntries(
      specs.map(([name, spec]) => [name, parameterSchema(spec, { nullable: isNullable(spec) })])
    ),
    ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
    additionalProperties: false
  }
}

/** JSON Schema 2020-12 of a tool's arguments as an object. */
export const inputSchema = (tool: Tool<unknown>): JsonSchema => ({ ...dialect, ...argumentsSchema(tool) })

const asRecord = (value: unknown): JsonSchema => (typeof value === "object" && value !== null ? { ...value } : {})

const definitionPrefix = "#/$defs/"

/** JSON Schema 2020-12 of a tool's answer. Its root declares an object, as the agent protocol requires. */
export const outputSchema = onceForTool((tool): JsonSchema => {
  const root = asRecord(
    withoutLibraryTexts({ ...dialect, ...JSONSchema.make(tool.returns, { target: "jsonSchema2020-12" }) })
  )
  const { $ref, ...rest } = root
  return typeof $ref === "string"
    ? { ...rest, ...asRecord(asRecord(root["$defs"])[$ref.slice(definitionPrefix.length)]) }
    : root
})

/**
 * JSON Schemas for one document: the named `schemas`, and schemas with an identifier, which are written once and
 * referenced below `definitionPath`.
 */
export function* documentSchemas(
  schemas: ReadonlyArray<readonly [name: string, schema: Schema.Schema.AnyNoContext]>,
  definitionPath: string
): Cooperative<{ readonly [name: string]: JsonSchema }> {
  const definitions: Record<string, JSONSchema.JsonSchema7> = {}
  const generated: Array<readonly [name: string, schema: JSONSchema.JsonSchema7]> = []
  for (const [name, { ast }] of schemas) {
    generated.push([name, JSONSchema.fromAST(ast, { definitions, definitionPath, target: "jsonSchema2020-12" })])
    yield
  }
  const clash = schemas.find(([name]) => Object.hasOwn(definitions, name))
  if (clash !== undefined) throw new Error(`Two schemas of the document are called ${clash[0]}.`)
  const writtenSchemas: Record<string, JsonSchema> = {}
  for (const [name, schema] of [...Object.entries(definitions), ...generated]) {
    writtenSchemas[name] = asRecord(withoutLibraryTexts(schema))
    yield
  }
  return writtenSchemas
}

/** A member of a tool's answer for people: its name and a short description. */
export interface AnswerField {
  readonly name: string
  readonly type: string
}

/** The top-level members of a tool's answer. If there are variants, those of all of them. */
export const answerFields = onceForTool((tool): ReadonlyArray<AnswerField> => {
  const root = asRecord(outputSchema(tool))
  const definitions = asRecord(root["$defs"])

  const resolved = (schema: unknown): JsonSchema => {
    const record = asRecord(schema)
    const { $ref, allOf } = record
    if (Array.isArray(allOf)) return resolved(allOf[0])
    return typeof $ref === "string" ? asRecord(definitions[$ref.slice(definitionPrefix.length)]) : record
  }

  /** The names of an object's members, which readers of lists need. */
  const members = (schema: unknown): string => {
    const names = Object.keys(asRecord(resolved(schema)["properties"]))
    return names.length === 0 ? "object" : `object (${names.join(", ")})`
  }

  const words = (schema: unknown): string => {
    const { anyOf, enum: values, format, items, type } = resolved(schema)
    if (Array.isArray(anyOf)) return [...new Set(anyOf.map(words))].join(" or ")
    if (Array.isArray(values) && values.length === 1) return JSON.stringify(values[0])
    if (type === "array") return `list of ${words(items)}`
    if (type === "object") return members(schema)
    if (type === "string") return format === "date-time" ? "date" : "text"
    return typeof type === "string" ? type : "any"
  }

  const fieldsOf = (schema: unknown): ReadonlyArray<AnswerField> => {
    const { anyOf, properties } = resolved(schema)
    if (Array.isArray(anyOf)) return anyOf.flatMap(fieldsOf)
    return Object.entries(asRecord(properties)).map(([name, field]) => ({ name, type: words(field) }))
  }

  const fields = fieldsOf(root)
  return fields.filter(({ name }, index) => fields.findIndex((other) => other.name === name) === index)
})

/** Makes the schemas of a catalog's answers in advance. */
export function* answerSchemas({
  entries
}: {
  readonly entries: ReadonlyArray<{ readonly tool: Tool<unknown> }>
}): Cooperative<void> {
  for (const { tool } of entries) {
    answerFields(tool)
    yield
  }
}
