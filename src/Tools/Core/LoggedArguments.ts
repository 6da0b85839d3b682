import type { LoggedArguments } from "../../Services/Core/RequestLog.ts"
import { NumberLiteral } from "./ArgumentCoercion.ts"
import type { ParamSpec } from "./Param.ts"

/** Characters of a logged value. No number is longer, and longer lists are left out. */
const longestValue = 200

const number = /^-?\d{1,20}(?:\.\d{1,20})?$/
const ids = /^\d{1,16}(?: ?, ?\d{1,16})*$/

const wordsOf = (text: string): ReadonlyArray<string> => text.split(",").map((word) => word.trim())

/** The value, if no one can have written free text into the parameter. */
const loggedText = ({ enum: values, format, itemsEnum, type }: ParamSpec, text: string) => {
  if (text.length > longestValue) return undefined
  switch (type) {
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : undefined
    case "integer":
    case "number":
      return number.test(text) ? Number(text) : undefined
    case "string":
      if (values !== undefined) return values.includes(text) ? text : undefined
      if (itemsEnum !== undefined) return wordsOf(text).every((word) => itemsEnum.includes(word)) ? text : undefined
      return format === "ids" && ids.test(text) ? text : undefined
  }
}

const loggedValue = (spec: ParamSpec, value: unknown): string | number | boolean | undefined => {
  switch (typeof value) {
    case "boolean":
      return value
    case "number":
      return spec.type === "string" ? undefined : value
    case "string":
      return loggedText(spec, value)
    default:
      return value instanceof NumberLiteral ? loggedText(spec, value.source) : undefined
  }
}

/**
 * Returns the part of a call's arguments that the request log stores. Names that are not parameters of the tool are the
 * caller's own words, so they are left out. `valueOf` returns undefined for a parameter that was not sent.
 */
export const loggedArguments = (
  parameters: { readonly [name: string]: ParamSpec },
  valueOf: (name: string) => unknown
): LoggedArguments => {
  const names: Array<string> = []
  const values: { [name: string]: string | number | boolean } = {}
  for (const [name, spec] of Object.entries(parameters)) {
    const value = valueOf(name)
    if (value === undefined) continue
    names.push(name)
    const logged = loggedValue(spec, value)
    if (logged !== undefined) values[name] = logged
  }
  return { names, values }
}
