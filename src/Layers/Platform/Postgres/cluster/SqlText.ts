/** A word or a sign of a statement, outside quotes and comments. */
export interface Token {
  /** The word in lower case, without double quotes. */
  readonly word: string
  readonly start: number
  readonly end: number
}

const tokenPattern = /'(?:[^']|'')*'|--[^\n]*|\/\*.*?\*\/|"?\w+"?|[^\s\w]/gs

/** Returns the words and signs of a statement, without quoted texts and comments. */
export const tokensOf = (text: string): ReadonlyArray<Token> =>
  [...text.matchAll(tokenPattern)]
    .filter(([token]) => !/^(?:'|--|\/\*)/.test(token))
    .map(({ 0: token, index }) => ({
      word: token.replaceAll('"', "").toLowerCase(),
      start: index,
      end: index + token.length
    }))

/** Replaces the text from `start` to `end`. Both are equal for an insertion. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

export const withEdits = (text: string, edits: ReadonlyArray<Edit>): string => {
  let result = ""
  let from = 0
  for (const { end, replacement, start } of edits.toSorted((one, other) => one.start - other.start)) {
    result += text.slice(from, start) + replacement
    from = end
  }
  return result + text.slice(from)
}

/** Returns the position of the bracket that closes the one at `open`; undefined if there is none. */
export const closingBracket = (text: string, open: number): number | undefined => {
  const signs = /'(?:[^']|'')*'|"[^"]*"|[()]/g
  signs.lastIndex = open
  let depth = 0
  for (let match = signs.exec(text); match !== null; match = signs.exec(text)) {
    if (match[0] === "(") depth++
    if (match[0] === ")" && --depth === 0) return match.index
  }
  return undefined
}

/** Returns the arguments of the call whose bracket opens at `open`, and the position after its closing bracket. */
export const callArguments = (text: string, open: number) => {
  const close = closingBracket(text, open) ?? text.length
  const list = text.slice(open + 1, close)
  const values: Array<string> = []
  const signs = /'(?:[^']|'')*'|[(),[\]]/g
  let depth = 0
  let from = 0
  for (const { 0: sign, index } of list.matchAll(signs)) {
    if (sign === "(" || sign === "[") depth++
    if (sign === ")" || sign === "]") depth--
    if (sign === "," && depth === 0) {
      values.push(list.slice(from, index).trim())
      from = index + 1
    }
  }
  values.push(list.slice(from).trim())
  return { values, end: Math.min(close + 1, text.length) }
}

/** Replaces each parameter (`$1`) of a statement. Quoted texts are unchanged. */
export const withParameters = (text: string, replacement: (number: string) => string): string =>
  text.replaceAll(/'(?:[^']|'')*'|\$(\d+)/g, (match, number: string | undefined) =>
    number === undefined ? match : replacement(number)
  )

/** Removes line comments. They would hide the rest of a statement that is put on one line. */
export const withoutLineComments = (text: string): string =>
  text.replaceAll(/('(?:[^']|'')*')|--[^\n]*/g, (_, quoted: string | undefined) => quoted ?? "")
