const isWhiteSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

export const quote = 0x22
const backslash = 0x5c

/** The index of the closing quote of the string that opens at `open`, or -1. */
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

/** The text between two quotes, with its escapes decoded. */
export const stringAt = (json: string, open: number, close: number): string => {
  const raw = json.slice(open + 1, close)
  return raw.includes("\\") ? (JSON.parse(json.slice(open, close + 1)) as string) : raw
}

/**
 * Bytes. A longer body is scanned before it is parsed, because parsing millions of values would delay all other calls.
 */
const harmlessLength = 65_536
export const mostValues = 10_000
/** Characters outside of strings: numbers, commas, white space. */
export const mostOutsideTexts = 200_000
/** An escape costs as much as many plain characters: two million take 30 ms. Long files can be sent as plain text. */
export const mostEscapes = 2_000_000

/**
 * Returns which limit the text exceeds: the number of names, strings, objects and lists, or of escapes. `json` may be
 * invalid.
 */
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
 * The source text of an object's member `name`. If there are several, the last one, as with `JSON.parse`. `json` must
 * be an object.
 */
export const memberSource = (json: string, name: string): string | undefined => {
  let source: string | undefined
  let at = skipWhiteSpace(json, skipWhiteSpace(json, 0) + 1)
  while (json.charCodeAt(at) === quote) {
    const keyEnd = closingQuote(json, at)
    const isNamed = stringAt(json, at, keyEnd) === name
    const start = skipWhiteSpace(json, skipWhiteSpace(json, keyEnd + 1) + 1)
    const end = afterValue(json, start)
    if (isNamed) source = json.slice(start, end)
    at = skipWhiteSpace(json, end)
    if (json.charAt(at) === ",") at = skipWhiteSpace(json, at + 1)
  }
  return source
}
