/** A query in the part of the platform's language that the gateway uses. */
export interface Query {
  readonly select: ReadonlyArray<string>
  readonly from: string
  readonly where: ReadonlyArray<Condition>
}

interface Condition {
  readonly field: string
  readonly operator: "=" | "!=" | "BETWEEN" | "IN"
  readonly values: ReadonlyArray<string>
}

const tokensOf = (text: string): ReadonlyArray<string> => {
  const tokens: Array<string> = []
  let token = ""
  let isQuoted = false
  const end = () => {
    if (token !== "") tokens.push(token)
    token = ""
  }
  for (const character of text) {
    if (character === "'") {
      isQuoted = !isQuoted
      token += character
    } else if (!isQuoted && (character === " " || character === ",")) end()
    else token += character
  }
  end()
  return tokens
}

const valueOf = (token: string): string => (token.startsWith("'") ? token.slice(1, -1) : token)

/** Parses a query. Undefined if it is not in the supported part of the language. */
export const parseQuery = (text: string): Query | undefined => {
  const tokens = tokensOf(text)
  const from = tokens.indexOf("FROM")
  if (tokens[0] !== "SELECT" || from < 2 || tokens[from + 1] === undefined) return undefined
  const where: Array<Condition> = []
  let at = from + 2
  if (tokens[at] !== undefined && tokens[at] !== "WHERE") return undefined
  while (at < tokens.length) {
    const field = tokens[at + 1]
    const operator = tokens[at + 2]
    const value = tokens[at + 3]
    if (field === undefined || value === undefined) return undefined
    if (operator === "BETWEEN") {
      const to = tokens[at + 5]
      if (tokens[at + 4] !== "AND" || to === undefined) return undefined
      where.push({ field, operator, values: [valueOf(value), valueOf(to)] })
      at += 6
    } else if (operator === "=" || operator === "!=") {
      where.push({ field, operator, values: [valueOf(value)] })
      at += 4
    } else if (operator === "IN" && value.startsWith("(")) {
      const end = tokens.findIndex((token, index) => index >= at + 3 && token.endsWith(")"))
      if (end < 0) return undefined
      const list = tokens.slice(at + 3, end + 1).map((token) => valueOf(token.replaceAll("(", "").replaceAll(")", "")))
      where.push({ field, operator, values: list })
      at = end + 1
    } else return undefined
    if (at < tokens.length && tokens[at] !== "AND") return undefined
  }
  return { select: tokens.slice(1, from), from: tokens[from + 1] ?? "", where }
}

export const holds = ({ operator, values }: Condition, value: unknown): boolean => {
  const text = typeof value === "boolean" ? (value ? "TRUE" : "FALSE") : `${String(value)}`
  const [first = "", last = ""] = values
  if (operator === "IN") return values.includes(text)
  return operator === "=" ? text === first : operator === "!=" ? text !== first : text >= first && text <= last
}

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

interface Nested {
  [name: string]: unknown
}

const isNested = (value: unknown): value is Nested =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A row in the platform's format: fields by path, in camel case. */
export const rowOf = (fields: ReadonlyMap<string, unknown>): Nested => {
  const row: Nested = {}
  for (const [path, value] of fields) {
    if (value === undefined) continue
    const names = path.split(".").map(camel)
    let place = row
    for (const name of names.slice(0, -1)) {
      const found = place[name]
      const next = isNested(found) ? found : {}
      place[name] = next
      place = next
    }
    place[names.at(-1) ?? ""] = value
  }
  return row
}
