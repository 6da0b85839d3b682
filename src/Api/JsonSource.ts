const isWhiteSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

export const quote = 0x22
const backslash = 0x5c

/** Where the string that opens at `open` ends: the index of its closing quote, or -1 where it has none. */
export const closingQuote = (json: string, open: number): number => {
  let at = json.indexOf('"', open + 1)
  while (true) {
    let before = at - 1
    while (json.charCodeAt(before) === backslash) before--
    if ((at - before) % 2 === 1) return at
    at = json.indexOf('"', at + 1)
  }
}

/** The index after the object or list that opens at `open`. */
export const afterNested = (json: string, open: number): number => {
  let depth = 0
  for (let at = open; ; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) at = closingQuote(json, at)
    else if (code === 0x7b || code === 0x5b) depth++
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1
  }
}

export const afterLiteral = (json: string, start: number): number => {
  let at = start
  for (let code = json.charCodeAt(at); code !== 0x2c && code !== 0x7d && !isWhiteSpace(code); ) {
    code = json.charCodeAt(++at)
  }
  return at
}

export const skipWhiteSpace = (json: string, start: number): number => {
  let at = start
  while (isWhiteSpace(json.charCodeAt(at))) at++
  return at
}

/** The text between two quotes, its escapes resolved. */
export const stringAt = (json: string, open: number, close: number): string => {
  const raw = json.slice(open + 1, close)
  return raw.includes("\\") ? (JSON.parse(json.slice(open, close + 1)) as string) : raw
}

/** Bytes. A longer body is looked over before it is parsed: one of millions of values would stop everyone else's calls. */
const harmlessLength = 65_536
export const mostValues = 10_000
/** Characters that are part of no text: numbers, commas, white space. */
export const mostOutsideTexts = 200_000
/** Each costs as much as many plain characters: two million take 30 ms. A file of so many lines can be sent as text. */
export const mostEscapes = 2_000_000

/** What `json`, which may not be valid, has more of than any tool could take: names, texts, objects and lists, or escapes. */
export const overloadOf = (json: string): "values" | "escapes" | undefined => {
  if (json.length <= harmlessLength) return undefined
  let escapes = 0
  for (let at = json.indexOf("\\"); at >= 0; at = json.indexOf("\\", at + 2))
    if (++escapes > mostEscapes) return "escapes"
  let values = 0
  let outside = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) {
      at = closingQuote(json, at)
      if (at < 0) return undefined
      values++
    } else {
      outside++
      if (code === 0x7b || code === 0x5b) values++
    }
    if (values > mostValues || outside > mostOutsideTexts) return "values"
  }
  return undefined
}

const afterValue = (json: string, start: number): number => {
  switch (json.charAt(start)) {
    case '"':
      return closingQuote(json, start) + 1
    case "{":
    case "[":
      return afterNested(json, start)
    default:
      return afterLiteral(json, start)
  }
}

/**
 * The source text of the member `name` of an object that `json` is known to be: of several the last, as `JSON.parse`
 * takes it.
 */
export const memberSource = (json: string, name: string): string | undefined => {
  let found: string | undefined
  let at = skipWhiteSpace(json, skipWhiteSpace(json, 0) + 1)
  while (json.charCodeAt(at) === quote) {
    const keyEnd = closingQuote(json, at)
    const isNamed = stringAt(json, at, keyEnd) === name
    const start = skipWhiteSpace(json, skipWhiteSpace(json, keyEnd + 1) + 1)
    const end = afterValue(json, start)
    if (isNamed) found = json.slice(start, end)
    at = skipWhiteSpace(json, end)
    if (json.charAt(at) === ",") at = skipWhiteSpace(json, at + 1)
  }
  return found
}
