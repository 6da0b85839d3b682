import type { Language } from "../Language.ts"
import type { TimeWord } from "./TimeMeanings.ts"
import { longestPhrase, meaningsOf, mistypedMeanings } from "./TimeWords.ts"
import { type Figures, figuresAt, type Piece } from "./WrittenFigures.ts"

export interface TimeToken extends Figures {
  readonly text: string
  /** Its position in the text: from its first character to behind its last one. */
  readonly from: number
  readonly to: number
  readonly meanings: ReadonlyArray<TimeWord>
}

/** Letters (with an apostrophe inside), figures, or one mark. */
const pieces = /\p{L}+(?:'\p{L}+)?|\d+|[^\s\p{L}\d]/gu

const mostPieces = 500

const piecesOf = (folded: string): ReadonlyArray<Piece> => {
  const found: Array<Piece> = []
  for (const match of folded.matchAll(pieces)) {
    const text = match[0]
    const first = text.charAt(0)
    found.push({ text, from: match.index, to: match.index + text.length, isDigits: first >= "0" && first <= "9" })
    if (found.length === mostPieces) break
  }
  return found
}

const plainFigures: Figures = {
  number: undefined,
  ordinalEnding: undefined,
  clock: undefined,
  date: undefined,
  partOfYear: undefined
}

/** The phrase of some pieces as the table has it: "segunda-feira" is written with a blank there. */
const phraseOf = (some: ReadonlyArray<Piece>): string | undefined =>
  some[0]?.text === "-" || some.at(-1)?.text === "-"
    ? undefined
    : some.flatMap(({ text }) => (text === "-" ? [] : [text])).join(" ")

/** Phrases that are two times in one: "tonight" is today and the evening. */
const expansions: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["tonight", ["today", "evening"]],
  ["this morning", ["today", "morning"]],
  ["this afternoon", ["today", "afternoon"]],
  ["this evening", ["today", "evening"]],
  ["last night", ["yesterday", "evening"]],
  ["esta manha", ["hoje", "manha"]],
  ["hoje cedo", ["hoje", "manha"]],
  ["esta tarde", ["hoy", "tarde"]],
  ["nesta tarde", ["hoje", "tarde"]],
  ["esta noite", ["hoje", "noite"]],
  ["esta noche", ["hoy", "noche"]],
  ["esta manana", ["hoy", "la manana"]],
  ["anoche", ["ayer", "noche"]],
  ["ontem a noite", ["ontem", "noite"]],
  ["para a semana", ["proxima", "semana"]],
  ["pra semana", ["proxima", "semana"]]
])

interface ReadPieces {
  readonly tokens: ReadonlyArray<TimeToken>
  /** Pieces. */
  readonly length: number
}

const phraseAt = (all: ReadonlyArray<Piece>, at: number, language: Language): ReadPieces | undefined => {
  for (let length = Math.min(longestPhrase, all.length - at); length > 0; length--) {
    const [first, last] = [all[at], all[at + length - 1]]
    const phrase = phraseOf(all.slice(at, at + length))
    if (first === undefined || last === undefined || phrase === undefined) continue
    const place = { ...plainFigures, from: first.from, to: last.to }
    const expanded = expansions.get(phrase)
    if (expanded !== undefined) {
      return { tokens: expanded.map((text) => ({ ...place, text, meanings: meaningsOf(text, language) })), length }
    }
    if (length === 1) return undefined
    const meanings = meaningsOf(phrase, language)
    if (meanings.length > 0) return { tokens: [{ ...place, text: phrase, meanings }], length }
  }
  return undefined
}

const wordOrFigures = (all: ReadonlyArray<Piece>, at: number, piece: Piece, language: Language): ReadPieces => {
  const read = figuresAt(all, at)
  const { length = 1, ...figures } = read ?? {}
  const to = all[at + length - 1]?.to ?? piece.to
  const exactMeanings = meaningsOf(piece.text, language)
  const meanings =
    length > 1 || piece.isDigits
      ? []
      : exactMeanings.length > 0
        ? exactMeanings
        : mistypedMeanings(piece.text, language)
  const text = all
    .slice(at, at + length)
    .map((each) => each.text)
    .join("")
  return { tokens: [{ ...plainFigures, ...figures, text, from: piece.from, to, meanings }], length }
}

/** The words, figures and marks of a folded text; phrases of the table of time words are one token each. */
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
