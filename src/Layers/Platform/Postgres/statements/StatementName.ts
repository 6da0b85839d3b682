/** The operation and table of a statement, which name its span. */
export interface StatementName {
  /** `SELECT`, `INSERT`, … */
  readonly operation: string
  /** The table, or the function that a select reads from. */
  readonly target: string | undefined
}

/** Returns the statement's names, signs and parameters, without comments and quoted texts. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text.replace(/\/\*[\s\S]*?\*\/|--[^\n]*|'(?:[^']|'')*'/g, " ").match(/"[^"]+"|[A-Za-z_][\w$]*|[().,]|\$\d+/g) ?? []

const isName = (word: string | undefined): word is string =>
  word !== undefined && /^["A-Za-z_]/.test(word) && !/^(?:select|lateral|only|unnest|values)$/i.test(word)

const writes: { readonly [word: string]: string } = { insert: "into", update: "", delete: "from" }

/** Returns the name at a position, without its schema. */
const nameAt = (words: ReadonlyArray<string>, at: number): string | undefined => {
  const name = words[at + 1] === "." ? words[at + 2] : words[at]
  return isName(name) ? name.replaceAll('"', "") : undefined
}

/** Returns the names of the statement's CTEs. */
const partsOf = (words: ReadonlyArray<string>): ReadonlySet<string> => {
  const parts = new Set<string>()
  words.forEach((word, at) => {
    const opens = /^as$/i.test(words[at + 1] ?? "") && (words[at + 2] === "(" || words[at + 3] === "(")
    if (opens && isName(word)) parts.add(word)
  })
  return parts
}

/** Returns the table that the statement or one of its CTEs writes to. */
const written = (words: ReadonlyArray<string>): StatementName | undefined => {
  for (const [at, word] of words.entries()) {
    const operation = word.toLowerCase()
    const follows = writes[operation]
    const before = words[at - 1]?.toLowerCase()
    // Excludes `for update` and `on conflict do update`.
    if (follows === undefined || (at > 0 && before !== "(" && before !== ")")) continue
    const isNamed = follows === "" || words[at + 1]?.toLowerCase() === follows
    const target = isNamed ? nameAt(words, follows === "" ? at + 1 : at + 2) : undefined
    if (target !== undefined) return { operation: operation.toUpperCase(), target }
  }
  return undefined
}

const nameOf = (text: string): StatementName => {
  const words = wordsOf(text)
  const first = words[0]?.toLowerCase() ?? ""
  if (first !== "with" && first !== "select") {
    return written(words) ?? { operation: first.toUpperCase() || "STATEMENT", target: undefined }
  }
  const write = written(words)
  if (write !== undefined) return write
  const parts = partsOf(words)
  for (const [at, word] of words.entries()) {
    const target = /^(?:from|join)$/i.test(word) ? nameAt(words, at + 1) : undefined
    // `extract(field from time)` names no table, and rows can come from a function.
    const isField = words[at - 2] === "(" && words[at - 1]?.toLowerCase() !== "select"
    if (target !== undefined && !parts.has(target) && words[at + 2] !== "(" && !isField)
      return { operation: "SELECT", target }
  }
  const isCall = first === "select" && isName(words[1]) && words[2] === "("
  return { operation: "SELECT", target: isCall ? words[1] : undefined }
}

const kept = new Map<string, StatementName>()
const mostKept = 2_000

/** Returns the name of a statement, cached by its text. */
export const statementName = (text: string): StatementName => {
  const known = kept.get(text)
  if (known !== undefined) return known
  const name = nameOf(text)
  if (kept.size < mostKept) kept.set(text, name)
  return name
}
