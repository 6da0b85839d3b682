import { JSONSchema, type Schema } from "effect"
import type { Cooperative } from "../../Services/Core/Cooperative.ts"
import { isNullable, type ParamSpec } from "./Param.ts"
import type { Tool } from "./Tool.ts"

/** A JSON Schema, or a part of one. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

const dialect: JsonSchema = { $schema: "https://json-schema.org/draft/2020-12/schema" }

/** Members of a JSON Schema that hold data, not schemas. */
const dataKeywords = new Set(["const", "default", "enum", "examples"])

/** What the schema library says of every schema ("int", "an integer"): no news to a reader, and its ids would repeat. */
const isLibraryText = (keyword: string, value: unknown): boolean =>
  typeof value === "string" &&
  ((keyword === "title" && /^[a-z]/.test(value)) ||
    (keyword === "description" && /^an? [a-zA-Z]/.test(value)) ||
    (keyword === "$id" && value.startsWith("/schemas/")))

const withoutLibraryTexts = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutLibraryTexts)
  if (typeof schema !== "object" || schema === null) return schema
  const kept: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (isLibraryText(keyword, value)) continue
    kept[keyword] = dataKeywords.has(keyword) ? value : withoutLibraryTexts(value)
  }
  return kept
}

/** What is made of a tool the first time that it is asked for. */
const onceForTool = <A extends object>(make: (tool: Tool<unknown>) => A): ((tool: Tool<unknown>) => A) => {
  const made = new WeakMap<Tool<unknown>, A>()
  return (tool) => {
    const known = made.get(tool)
    if (known !== undefined) return known
    const fresh = make(tool)
    made.set(tool, fresh)
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
 * JSON Schema of one argument. A size's maximum is left out, since a larger value is lowered and not refused; so is
 * the format of an instant, since a bare day is taken too.
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

/** Schema of a tool's arguments as a JSON object, without a dialect. */
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

/** JSON Schema 2020-12 of a tool's arguments as a JSON object. */
export const inputSchema = (tool: Tool<unknown>): JsonSchema => ({ ...dialect, ...argumentsSchema(tool) })

const asRecord = (value: unknown): JsonSchema => (typeof value === "object" && value !== null ? { ...value } : {})

const definitionPrefix = "#/$defs/"

/** JSON Schema 2020-12 of a tool's answer. Its root says itself that it is an object, as the agent protocol demands. */
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
 * JSON Schemas for one document: those of `schemas` by their names, and those that carry a name of their own, which are
 * written once and referred to under `definitionPath`.
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
  const written: Record<string, JsonSchema> = {}
  for (const [name, schema] of [...Object.entries(definitions), ...generated]) {
    written[name] = asRecord(withoutLibraryTexts(schema))
    yield
  }
  return written
}

/** A member of a tool's answer, for people: its name, and what it is in a word or two. */
export interface AnswerField {
  readonly name: string
  readonly type: string
}

/** The top-level members of a tool's answer, those of all variants where it has several. */
export const answerFields = onceForTool((tool): ReadonlyArray<AnswerField> => {
  const root = asRecord(outputSchema(tool))
  const definitions = asRecord(root["$defs"])

  const resolved = (schema: unknown): JsonSchema => {
    const record = asRecord(schema)
    const { $ref, allOf } = record
    if (Array.isArray(allOf)) return resolved(allOf[0])
    return typeof $ref === "string" ? asRecord(definitions[$ref.slice(definitionPrefix.length)]) : record
  }

  /** What is in an object, of which a reader of lists has to know: its members' names. */
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

/** Makes the answers' schemas of a catalog, for what is written from them afterwards. */
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
