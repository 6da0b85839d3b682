import type { Tool } from "../../Tools/Core/Tool.ts"

/** Characters of JSON that a language model takes a token for, at the least: in Portuguese it takes more tokens than in English. */
const charactersPerToken = 3

/** Tokens that an answer may have before it says how to get less. */
export const longAnswer = 10_000

const sizes = ["page_size", "limit", "max_results"]

const howToGetLess = (tool: Tool<unknown>): string => {
  const size = sizes.find((name) => Object.hasOwn(tool.parameters, name))
  if (size === undefined) return "Ask for one record at a time, or narrow the call by its parameters."
  const page = ["page", "cursor", "since"].find((name) => Object.hasOwn(tool.parameters, name))
  return `Send a smaller ${size}${page === undefined ? "" : `, and go on with ${page}`}.`
}

/** What is said behind an answer that takes up much of a context; undefined for any other. */
export const lengthAdvice = (tool: Tool<unknown>, json: string): string | undefined => {
  const tokens = Math.round(json.length / charactersPerToken)
  return tokens <= longAnswer ? undefined : `This answer has about ${tokens} tokens. ${howToGetLess(tool)}`
}
