import type { Tool } from "../../Tools/Core/Tool.ts"

/** The fewest characters of JSON per token of a language model. Portuguese needs more tokens than English. */
const charactersPerToken = 3

/** Tokens from which an answer includes advice on how to get less. */
export const longAnswer = 10_000

const sizes = ["page_size", "limit", "max_results"]

const howToGetLess = (tool: Tool<unknown>): string => {
  const size = sizes.find((name) => Object.hasOwn(tool.parameters, name))
  if (size === undefined) return "Ask for one record at a time, or narrow the call by its parameters."
  const page = ["page", "cursor", "since"].find((name) => Object.hasOwn(tool.parameters, name))
  return `Send a smaller ${size}${page === undefined ? "" : `, and go on with ${page}`}.`
}

/** Returns advice after an answer that uses much of a model's context. Undefined for any other answer. */
export const lengthAdvice = (tool: Tool<unknown>, json: string): string | undefined => {
  const tokens = Math.round(json.length / charactersPerToken)
  return tokens <= longAnswer ? undefined : `This answer has about ${tokens} tokens. ${howToGetLess(tool)}`
}
