import { distance } from "fastest-levenshtein"
import { fold } from "../../../Text/PlainText.ts"
import { stemOf } from "../../../Text/WordStems.ts"
import { phonesIn } from "../../Material/MaterialContacts.ts"
import { hasRole, type Role } from "./EditWords.ts"

/** The kind of a token. It decides whether the token can be a new or an old value. */
export type TokenKind = "word" | "mark" | "quote" | "email" | "url" | "handle" | "phone" | "money" | "time" | "number"

/** A word, value or mark, with its position in the text. */
export interface Token {
  readonly kind: TokenKind
  /** The text as written. For a quote, the text between the quotation marks. */
  readonly text: string
  /** The folded form, without case and accents. "e-mail" and "email" are the same word. */
  readonly word: string
  readonly start: number
  readonly end: number
}

const shapes: ReadonlyArray<readonly [TokenKind, RegExp]> = [
  ["quote", /“([^”]{1,2000})”|«([^»]{1,2000})»|"([^"]{1,2000})"/y],
  ["url", /(?:https?:\/\/|www\.)[^\s<>"”]{3,2000}/iy],
  ["email", /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/y],
  ["handle", /@[\w.]{3,30}/y],
  ["money", /(?:R\$|US\$|S\/|€|£|\$)\s?\d+(?:[.,]\d+)*/iy],
  ["money", /\d+(?:[.,]\d+)*\s?[€£$]/y],
  ["time", /\d{1,2}(?::\d{2}|h\d{2})?(?:\s?(?:h|hs|hrs|am|pm|a\.m\.|p\.m\.))?(?![\w:%/]|[.,]\d)/iy],
  ["number", /[±]?\d+(?:[.,:/]\d+)*%?\p{L}{0,3}/uy],
  ["word", /\p{L}[\p{L}\d]*(?:[-'’.][\p{L}\d]+)*/uy],
  ["mark", /\S/y]
]

const plain = (text: string): string => {
  const folded = fold(text)
  const word = folded.endsWith("'s") && folded !== "it's" ? folded.slice(0, -2) : folded
  return word === "e-mail" || word === "e-mails" ? word.replace("-", "") : word
}

/** True if the text can only be a time of day. */
const isClock = (text: string): boolean => /[:hm]/i.test(text)

const nextToken = (text: string, at: number): Token | undefined => {
  for (const [kind, shape] of shapes) {
    shape.lastIndex = at
    const match = shape.exec(text)
    if (match === null || (kind === "time" && !isClock(match[0]))) continue
    const inner = kind === "quote" ? (match[1] ?? match[2] ?? match[3] ?? "") : match[0]
    return { kind, text: inner, word: plain(inner), start: at, end: at + match[0].length }
  }
  return undefined
}

/** Joins a number with a currency word after it: "16 reais". */
const withCurrency = (text: string, tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const merged: Array<Token> = []
  for (const token of tokens) {
    const last = merged.at(-1)
    if (last !== undefined && token.kind === "word" && hasRole(token.word, "money")) {
      if (last.kind === "number" || last.kind === "money") {
        merged[merged.length - 1] = {
          kind: "money",
          text: text.slice(last.start, token.end),
          word: last.word,
          start: last.start,
          end: token.end
        }
        continue
      }
    }
    merged.push(token)
  }
  return merged
}

const oneWord: ReadonlySet<string> = new Set(["email", "emails", "meio-dia", "sans-serif", "off-white"])

/** Splits a hyphenated word, so that "call out" matches "call-out". */
const hyphenParts = (token: Token): ReadonlyArray<Token> => {
  if (token.kind !== "word" || !token.text.includes("-") || oneWord.has(token.word)) return [token]
  let start = token.start
  return token.text.split("-").map((text) => {
    const part: Token = { kind: "word", text, word: plain(text), start, end: start + text.length }
    start = part.end + 1
    return part
  })
}

const longNumber = /(?<![\w.,/-])\+?\(?\d{2,5}\)?[ .-]\d{3,6}(?:[ .-]\d{2,4}){0,2}(?![\w/])/g
const shortestPhone = 9

/** Phone numbers in two groups, such as "01632 960412". */
const longNumbers = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(longNumber)]
    .map(([number]) => number)
    .filter((number) => number.replace(/\D/g, "").length >= shortestPhone && number.length <= 20)

/** The tokens of a text in their order. */
export const tokensOf = (text: string): ReadonlyArray<Token> => {
  const phones = new Map<number, string>()
  let from = 0
  for (const phone of [...new Set([...phonesIn(text), ...longNumbers(text)])].toSorted(
    (one, other) => text.indexOf(one) - text.indexOf(other)
  )) {
    const at = text.indexOf(phone, from)
    if (at < 0) continue
    phones.set(at, phone)
    from = at + phone.length
  }
  const tokens: Array<Token> = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at++
      continue
    }
    const phone = phones.get(at)
    const token =
      phone === undefined
        ? nextToken(text, at)
        : { kind: "phone" as const, text: phone, word: plain(phone), start: at, end: at + phone.length }
    if (token === undefined) {
      at++
      continue
    }
    tokens.push(...hyphenParts(token))
    at = token.end
  }
  return withCurrency(text, tokens)
}

export const isWord = ({ kind }: Token): boolean => kind === "word"

/** True if a token carries meaning by itself: it is neither a mark nor a function word. */
export const isContent = ({ kind, word }: Token): boolean =>
  kind !== "mark" && !(kind === "word" && hasRole(word, "function"))

/** The words and values of a text that carry meaning, or all its words if none does. */
export const contentWords = (text: string): ReadonlyArray<string> => {
  const tokens = tokensOf(text).filter(({ kind }) => kind !== "mark")
  const content = tokens.filter(isContent)
  return (content.length > 0 ? content : tokens).flatMap(({ kind, word }) =>
    kind === "quote" ? word.split(/[^\p{L}\d]+/u).filter((each) => each !== "") : [word]
  )
}

/** From these lengths on, a word may have one or two wrong letters and still count as a typing mistake. */
const shortestTypo = 5
const shortestDoubleTypo = 9

/** True if two words are forms of the same word, such as singular and plural. Numbers must be equal. */
export const sameWord = (one: string, other: string): boolean =>
  one === other ||
  (one.length > 2 && other.length > 2 && (`${one}s` === other || one === `${other}s`)) ||
  (!/\d/.test(one) && one.length > 3 && other.length > 3 && stemOf(one) === stemOf(other))

/** True if one word is the other with a typing mistake. */
export const isTypoOf = (one: string, other: string): boolean => {
  const shorter = Math.min(one.length, other.length)
  if (shorter < shortestTypo || /\d/.test(one + other) || one.charAt(0) !== other.charAt(0)) return false
  return distance(one, other) <= (shorter >= shortestDoubleTypo ? 2 : 1)
}

export const has = ({ word }: Token, ...any: ReadonlyArray<Role>): boolean => hasRole(word, ...any)

/** The amount in a text. Undefined if its separators are ambiguous. */
export const amountOf = (text: string): number | undefined => {
  const digits = /\d+(?:[.,]\d+)*/.exec(text)?.[0]
  if (digits === undefined) return undefined
  const groups = digits.split(/[.,]/)
  const [last = ""] = groups.slice(-1)
  // "1.450" is 1450, "9.50" and "16,00" have cents, and "1.500,00" has both separators.
  const isWhole = groups.length > 1 && groups.slice(1).every((group) => group.length === 3)
  if (groups.length === 1 || isWhole) return Number(groups.join(""))
  return last.length > 2 ? undefined : Number(`${groups.slice(0, -1).join("")}.${last}`)
}

const wordShape = /[\p{L}\d]+(?:[-'’][\p{L}\d]+)*/gu

/** The words of a text without its marks, folded. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(wordShape)].flatMap(([shape]) => {
    const word = plain(shape)
    return word.includes("-") && !oneWord.has(word) ? word.split("-") : [word]
  })

/** Characters with a special meaning in a regular expression. */
const special = /[.*+?^${}()|[\]\\/]/g

/** Matches a text only as whole words, never inside another word. */
export const boundedPattern = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])${text.replace(special, "\\$&")}(?![\\p{L}\\d])`, "gu")

export const hasDigit = ({ text }: Token): boolean => /\d/.test(text)
