import { JSONSchema } from "effect"
import { isNullable, type ParamSpec } from "./Param.ts"
import type { Tool } from "./Tool.ts"

const withDialect = (schema: object): object => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  ...schema
})

const specSchema = (spec: ParamSpec): object => ({
  type: isNullable(spec) ? [spec.type, "null"] : spec.type,
  description: spec.description,
  ...(spec.default === undefined ? {} : { default: spec.default }),
  ...(spec.enum === undefined || spec.fallsBack === true
    ? {}
    : { enum: isNullable(spec) ? [...spec.enum, null] : spec.enum }),
  ...(spec.minimum === undefined ? {} : { minimum: spec.minimum }),
  ...(spec.maximum === undefined || spec.lowersToMaximum === true ? {} : { maximum: spec.maximum }),
  ...(spec.minLength === undefined ? {} : { minLength: spec.minLength }),
  ...(spec.maxLength === undefined ? {} : { maxLength: spec.maxLength })
})

/** JSON Schema 2020-12 of a tool's arguments as a JSON object. */
export const inputSchema = (tool: Tool<unknown>): object => {
  const specs = Object.entries(tool.parameters)
  const requiredNames = specs.filter(([, spec]) => spec.required).map(([name]) => name)
  return withDialect({
    type: "object",
    properties: Object.fromEntries(specs.map(([name, spec]) => [name, specSchema(spec)])),
    ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
    additionalProperties: false
  })
}

/** JSON Schema 2020-12 of a tool's answer. */
export const outputSchema = (tool: Tool<unknown>): object =>
  withDialect(JSONSchema.make(tool.returns, { target: "jsonSchema2020-12" }))
