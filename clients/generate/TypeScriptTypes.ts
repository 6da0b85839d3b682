import { type JsonSchema, refName } from "./Document.ts"
import { pascal } from "./Names.ts"

const lineWidth = 110

/** Lines of at most about 110 characters. */
export const wrapped = (text: string, width = lineWidth): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** A comment for editors. */
export const docComment = (lines: ReadonlyArray<string>, indent: string): string => {
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"))
  if (safe.length === 0) return ""
  return safe.length === 1
    ? `${indent}/** ${safe[0]} */\n`
    : `${indent}/**\n${safe.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`
}

const union = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" | ")

const isWord = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)

const inArray = (type: string): string => `ReadonlyArray<${type}>`

/** The type of an object. A caller may also set an optional member to undefined. */
export const objectType = (
  { additionalProperties, properties, required = [] }: JsonSchema,
  indent: string,
  isWritten = false
): string => {
  const members = Object.entries(properties ?? {})
  if (members.length === 0) {
    const value = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown"
    return `Readonly<Record<string, ${value}>>`
  }
  const inner = `${indent}  `
  const text = members.map(([name, schema]) => {
    const isRequired = required.includes(name)
    const comment = schema.description === undefined ? "" : docComment(wrapped(schema.description), inner)
    const key = isWord(name) ? name : JSON.stringify(name)
    return `${comment}${inner}readonly ${key}${isRequired ? "" : "?"}: ${typeOf(schema, inner)}${!isRequired && isWritten ? " | undefined" : ""}\n`
  })
  return `{\n${text.join("")}${indent}}`
}

const typeOfKind = (type: string, schema: JsonSchema, indent: string): string => {
  switch (type) {
    case "integer":
    case "number":
      return "number"
    case "string":
    case "boolean":
    case "null":
      return type
    case "array": {
      if (schema.prefixItems !== undefined) {
        return `readonly [${schema.prefixItems.map((item) => typeOf(item, indent)).join(", ")}]`
      }
      return inArray(schema.items === undefined || schema.items === false ? "unknown" : typeOf(schema.items, indent))
    }
    case "object":
      return objectType(schema, indent)
    default:
      throw new Error(`There is no type for ${type}.`)
  }
}

/** The type of a schema. Objects are written over several lines, indented by `indent`. */
export const typeOf = (schema: JsonSchema, indent = ""): string => {
  if (schema.$ref !== undefined) return pascal(refName(schema.$ref))
  if ("const" in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return union(choices.map((choice) => typeOf(choice, indent)))
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.map((part) => typeOf(part, indent)).filter((part) => part !== "unknown")
    return parts.length === 0 ? "unknown" : parts.map((part) => (part.includes("|") ? `(${part})` : part)).join(" & ")
  }
  const types = schema.type === undefined ? [] : typeof schema.type === "string" ? [schema.type] : schema.type
  return types.length === 0 ? "unknown" : union(types.map((type) => typeOfKind(type, schema, indent)))
}

/** The names of schemas that a schema refers to itself. */
export const refsIn = (schema: JsonSchema): ReadonlyArray<string> => [
  ...(schema.$ref === undefined ? [] : [refName(schema.$ref)]),
  ...Object.values(schema.properties ?? {}).flatMap(refsIn),
  ...(typeof schema.additionalProperties === "object" ? refsIn(schema.additionalProperties) : []),
  ...(schema.items === undefined || schema.items === false ? [] : refsIn(schema.items)),
  ...[...(schema.prefixItems ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(
    refsIn
  )
]
