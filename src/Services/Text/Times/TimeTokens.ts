import type { Language } from "../Language.ts"
import type { TimeWord } from "./TimeMeanings.ts"
import { expansions } from "./TimePhrases.ts"
import { isBeginning, meaningsOf, mistypedMeanings } from "./TimeWords.ts"
import { type Figures, figuresAt, type Piece } from "./WrittenFigures.ts"

export interface TimeToken extends Figures {
  readonly text: string
  /** The positions of its first character, and after its last. */
  readonly from: number
  readonly to: number
  readonly meanings: ReadonlyArray<TimeWord>
}

/** Letters (with apostrophes inside), digits, or one mark. */
const pieces = /\p{L}+(?:'\p{L}+)?|\d+|[^\s\p{L}\d]/gu

const mostPieces = 500

const piecesOf = (folded: string): ReadonlyArray<Piece> => {
  const all: Array<Piece> = []
  for (const match of folded.matchAll(pieces)) {
    const text = match[0]
    const first = text.charAt(0)
    all.push({ text, from: match.index, to: match.index + text.length, isDigits: first >= "0" && first <= "9" })
    if (all.length === mostPieces) break
  }
  return all
}

interface ReadPieces {
  readonly tokens: ReadonlyArray<TimeToken>
  /** Pieces. */
  readonly length: number
}

/** The longest phrase that begins at a piece, and its number of pieces. The table has "segunda-feira" with a blank. */
const longestPhrase = (
  all: ReadonlyArray<Piece>,
  at: number,
  language: Language
): { readonly text: string; readonly length: number } | undefined => {
  let words = all[at]?.text ?? ""
  let longest = expansions.has(words) ? { text: words, length: 1 } : undefined
  for (let next = at + 1; next < all.length && isBeginning(words, language); next++) {
    const text = all[next]?.text ?? ""
    if (text === "-") continue
    words = `${words} ${text}`
    if (expansions.has(words) || meaningsOf(words, language).length > 0) {
      longest = { text: words, length: next + 1 - at }
    }
  }
  return longest
}

const phraseAt = (all: ReadonlyArray<Piece>, at: number, language: Language): ReadPieces | undefined => {
  const phrase = longestPhrase(all, at, language)
  if (phrase === undefined) return undefined
  const { length, text } = phrase
  const from = all[at]?.from ?? 0
  const to = all[at + length - 1]?.to ?? from
  const parts = expansions.get(text) ?? [text]
  return { tokens: parts.map((part) => plainToken(part, from, to, meaningsOf(part, language))), length }
}

/**
 * A token without figures. The fields are listed because a spread takes ten times as long, and most tokens have no
 * figures.
 */
const plainToken = (text: string, from: number, to: number, meanings: ReadonlyArray<TimeWord>): TimeToken => ({
  text,
  from,
  to,
  meanings,
  number: undefined,
  ordinalEnding: undefined,
  clock: undefined,
  date: undefined,
  partOfYear: undefined
})

const wordOf = ({ from, text, to }: Piece, language: Language): TimeToken => {
  const meanings = meaningsOf(text, language)
  return plainToken(text, from, to, meanings.length > 0 ? meanings : mistypedMeanings(text, language))
}

const wordOrFigures = (all: ReadonlyArray<Piece>, at: number, piece: Piece, language: Language): ReadPieces => {
  const read = figuresAt(all, at)
  if (read === undefined) return { tokens: [wordOf(piece, language)], length: 1 }
  const { length, ...figures } = read
  const text = all
    .slice(at, at + length)
    .map((each) => each.text)
    .join("")
  const to = all[at + length - 1]?.to ?? piece.to
  return { tokens: [{ ...plainToken(text, piece.from, to, []), ...figures }], length }
}

/** The words, figures and marks of a folded text. Phrases of the table of time words become one token each. */
export const timeTokens = (folded: string, language: Language): ReadonlyArray<TimeToken> => {
  const all = piecesOf(folded)
  const tokens: Array<TimeToken> = []
  for (let at = 0; at < all.length; ) {
    const piece = all[at]
    if (piece === undefined) break
    const read = phraseAt(all, at, language) ?? wordOrFigures(all, at, piece, language)
    tokens.push(...read.tokens)
    at += read.length
  }
  return tokens
}
