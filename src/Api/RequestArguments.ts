import { isAscii, isUtf8 } from "node:buffer"
import { badRequest, RequestRefused } from "../Errors.ts"
import { NestedValue, NumberLiteral, type RawArguments, type RawValue } from "../Tools/Core/ArgumentCoercion.ts"
import { afterLiteral, afterNested, closingQuote, overloadOf, quote, skipWhiteSpace, stringAt } from "./JsonSource.ts"

const none: RawArguments = new Map()

/**
 * The members of a JSON object with the source text of each number. Duplicate members are an error. `JSON.parse` would
 * lose both. `json` must be an object.
 */
const membersOf = (json: string): RawArguments | RequestRefused => {
  const members = new Map<string, RawValue>()
  let at = skipWhiteSpace(json, skipWhiteSpace(json, 0) + 1)
  while (json.charCodeAt(at) === quote) {
    const keyEnd = closingQuote(json, at)
    const key = stringAt(json, at, keyEnd)
    if (members.has(key)) {
      return badRequest(
        "InvalidRequestBody",
        "The body has the same parameter twice.",
        "Send each parameter once: of two values one would be lost."
      )
    }
    const start = skipWhiteSpace(json, skipWhiteSpace(json, keyEnd + 1) + 1)
    let end: number
    switch (json.charAt(start)) {
      case '"':
        end = closingQuote(json, start) + 1
        members.set(key, stringAt(json, start, end - 1))
        break
      case "{":
      case "[":
        end = afterNested(json, start)
        members.set(key, new NestedValue(json.charAt(start) === "{" ? "object" : "list"))
        break
      case "t":
      case "f":
      case "n":
        end = afterLiteral(json, start)
        members.set(key, json.charAt(start) === "n" ? null : json.charAt(start) === "t")
        break
      default:
        end = afterLiteral(json, start)
        members.set(key, new NumberLiteral(json.slice(start, end)))
    }
    at = skipWhiteSpace(json, end)
    if (json.charAt(at) === ",") at = skipWhiteSpace(json, at + 1)
  }
  return members
}

const overloaded = {
  values: badRequest(
    "InvalidRequestBody",
    "The body has too many values.",
    "Send one JSON object of single values; no tool takes objects or lists."
  ),
  escapes: badRequest(
    "InvalidRequestBody",
    "The body's texts have too many escaped characters.",
    "Send at most 2000000 of them: letters of any script as they are, and a long file in Base64 or in parts."
  )
} as const

const notUtf8 = badRequest("JsonException", "The body is not valid UTF-8.", "Send the JSON encoded as UTF-8.")

const notAnObject = badRequest(
  "InvalidRequestBody",
  "The body is not an object of named parameters.",
  'Send a JSON object such as {"lead_id": 12}; an empty body, {} and null mean no arguments.'
)

/** The arguments from the source text of a valid JSON object. */
export const fromObjectSource = (json: string): RawArguments | RequestRefused => membersOf(json)

/** Parses a request's body: empty, `null`, or an object whose members are the arguments. */
export const fromJsonBody = (body: Buffer): RawArguments | RequestRefused => {
  if (body.length === 0) return none
  // In ASCII, each byte is a character, which makes decoding a long body ten times as fast.
  const isPlain = isAscii(body)
  if (!isPlain && !isUtf8(body)) return notUtf8
  const text = body.toString(isPlain ? "latin1" : "utf8")
  // Some systems put a byte order mark before everything they send.
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text
  if (/^[ \t\r\n]*$/.test(json)) return none
  const overload = overloadOf(json)
  if (overload !== undefined) return overloaded[overload]
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return badRequest(
      "JsonException",
      "The body is not valid JSON.",
      "Check quotes, commas and brackets; the body must be one JSON object."
    )
  }
  if (parsed === null) return none
  return typeof parsed === "object" && !Array.isArray(parsed) ? membersOf(json) : notAnObject
}

const undecodable = badRequest(
  "ParameterTypeMismatch",
  "The query string is not valid percent-encoded UTF-8.",
  "Encode names and values as UTF-8 and then with percent signs, as URL libraries do."
)

const decode = (text: string): string | undefined => {
  if (!text.includes("%") && !text.includes("+")) return text
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** Parses a query string (without the `?`). Every value is text, and none can be null. */
export const fromQueryString = (query: string): RawArguments | RequestRefused => {
  if (query === "") return none
  const args = new Map<string, RawValue>()
  for (const pair of query.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = decode(equals < 0 ? "" : pair.slice(equals + 1))
    if (name === undefined || value === undefined) return undecodable
    if (args.has(name)) {
      return badRequest(
        "ParameterTypeMismatch",
        "The query string has the same parameter twice.",
        "Send each parameter once: of two values one would be lost. Lists are comma-separated in one value."
      )
    }
    args.set(name, value)
  }
  return args
}

export const isRefused = (args: RawArguments | RequestRefused): args is RequestRefused => args instanceof RequestRefused
