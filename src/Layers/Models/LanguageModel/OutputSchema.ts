import { JSONSchema, Predicate, type Schema } from "effect"

/**
 * Keywords that strict modes refuse, or that do not help a model. The answer is checked with the whole schema in any
 * case.
 */
const dropped: ReadonlySet<string> = new Set([
  "$schema",
  "title",
  "default",
  "examples",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems"
])

const strict = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(strict)
  if (!Predicate.isRecord(node)) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([keyword]) => !dropped.has(keyword))
      .map(([keyword, value]) => [
        keyword,
        // The keys below these keywords are property names, which may equal keywords.
        (keyword === "properties" || keyword === "$defs") && Predicate.isRecord(value)
          ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, strict(schema)]))
          : strict(value)
      ])
  )
}

/** The JSON Schema of an output, in the subset that the providers' strict modes take. */
export const outputSchemaOf = <A, I>(schema: Schema.Schema<A, I>): { readonly [keyword: string]: unknown } => {
  const converted = strict(JSONSchema.make(schema))
  return Predicate.isRecord(converted) ? converted : {}
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const withoutThinking = (text: string): string => {
  const end = text.lastIndexOf("</think>")
  return end < 0 ? text : text.slice(end + "</think>".length)
}

/** Returns the JSON object in a model's text, from a code block or between sentences. Undefined if there is none. */
export const jsonObjectIn = (text: string): unknown => {
  const rest = withoutThinking(text).trim()
  const whole = parsed(rest)
  if (Predicate.isRecord(whole)) return whole
  const start = rest.indexOf("{")
  const end = rest.lastIndexOf("}")
  const inner = start >= 0 && end > start ? parsed(rest.slice(start, end + 1)) : undefined
  return Predicate.isRecord(inner) ? inner : undefined
}
