import type { Language } from "../Language.ts"
import { longestPhrase, meaningsOf, type TimeWord } from "./TimeWords.ts"

/** A clock as match: "14:30", "14h", "9hs". */
export interface WrittenClock {
  readonly hour: number
  readonly minute: number
  /** "08:00" can only be the morning; "8:00" can be either half of the day. */
  readonly isTwentyFourHours: boolean
}

/** A date in figures; which of the first two is the month depends on where it was match. */
export type WrittenDate =
  | { readonly kind: "iso"; readonly year: number; readonly month: number; readonly day: number }
  | { readonly kind: "figures"; readonly first: number; readonly second: number; readonly year: number | undefined }

export interface TimeToken {
  readonly text: string
  /** Its position in the text: from its first character to behind its last one. */
  readonly from: number
  readonly to: number
  readonly meanings: ReadonlyArray<TimeWord>
  readonly number: number | undefined
  /** "3rd", "1º". */
  readonly isOrdinal: boolean
  readonly clock: WrittenClock | undefined
  readonly date: WrittenDate | undefined
  /** The number of a quarter match as "Q2". */
  readonly quarter: number | undefined
}

const pattern =
  /20\d\d-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}(?:[/.](?:20)?\d\d)?(?![\d/]|[.,]\d|\s?%)|\d{1,2}[:.]\d{2}(?!\d)|\d{1,2} ?h ?\d{2}(?!\d)|\d+(?:st|nd|rd|th|º|ª|o|a)\b|\d+|[a-z]\.[a-z]\.|[qt][1-4](?![\p{L}\d])|[\p{L}]+(?:'[\p{L}]+)?|[^\s\p{L}\d]/gu

const isoDate = /^(20\d\d)-(\d{1,2})-(\d{1,2})$/
const figures = /^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{2,4}))?$/
const clockFigures = /^(\d{1,2})(?:[:.]| ?h ?)(\d{2})$/
const ordinalFigures = /^(\d+)(?:st|nd|rd|th|º|ª|o|a)$/
const quarterFigures = /^[qt]([1-4])$/

const dateOf = (text: string): WrittenDate | undefined => {
  const iso = isoDate.exec(text)
  if (iso !== null) return { kind: "iso", year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const match = figures.exec(text)
  if (match === null) return undefined
  const [, first, second, year] = match
  // "10.30" is a clock, and "1.5" a number: with a dot only a whole date counts.
  if (text.includes(".") && year === undefined) return undefined
  const whole = year === undefined ? undefined : year.length === 2 ? 2000 + Number(year) : Number(year)
  return { kind: "figures", first: Number(first), second: Number(second), year: whole }
}

const clockOf = (text: string): WrittenClock | undefined => {
  const match = clockFigures.exec(text)
  if (match === null) return undefined
  const [, hour = "", minute] = match
  if (Number(hour) > 24 || Number(minute) > 59) return undefined
  return { hour: Number(hour) % 24, minute: Number(minute), isTwentyFourHours: Number(hour) > 12 || /^0/.test(hour) }
}

const tokenOf = (text: string, from: number, language: Language): TimeToken => {
  const ordinal = ordinalFigures.exec(text)
  const quarter = quarterFigures.exec(text)
  return {
    text,
    from,
    to: from + text.length,
    meanings: meaningsOf(text, language),
    number: ordinal !== null ? Number(ordinal[1]) : /^\d{1,4}$/.test(text) ? Number(text) : undefined,
    isOrdinal: ordinal !== null,
    clock: clockOf(text),
    date: dateOf(text),
    quarter: quarter === null ? undefined : Number(quarter[1])
  }
}

const mostTokens = 400

/** The phrase of some pieces as the table has it: "segunda-feira" is match with a blank there. */
const phraseOf = (pieces: ReadonlyArray<string>): string | undefined =>
  pieces[0] === "-" || pieces.at(-1) === "-" ? undefined : pieces.filter((piece) => piece !== "-").join(" ")

/** The words, figures and marks of a folded text; phrases of the table of time words are one token each. */
export const timeTokens = (folded: string, language: Language): ReadonlyArray<TimeToken> => {
  const pieces = [...folded.matchAll(pattern)].slice(0, mostTokens)
  const tokens: Array<TimeToken> = []
  const phraseAt = (at: number, size: number): TimeToken | undefined => {
    const [first, last] = [pieces[at], pieces[at + size - 1]]
    const phrase = phraseOf(pieces.slice(at, at + size).map(([piece]) => piece))
    if (first === undefined || last === undefined || phrase === undefined) return undefined
    const meanings = meaningsOf(phrase, language)
    if (meanings.length === 0) return undefined
    const plain = tokenOf("", first.index, language)
    return { ...plain, text: phrase, to: last.index + last[0].length, meanings }
  }
  for (let at = 0; at < pieces.length; ) {
    let size = Math.min(longestPhrase, pieces.length - at)
    let token: TimeToken | undefined
    while (size > 1 && token === undefined) {
      token = phraseAt(at, size)
      if (token === undefined) size--
    }
    const piece = pieces[at]
    if (token === undefined && piece !== undefined) token = tokenOf(piece[0], piece.index, language)
    if (token !== undefined) tokens.push(token)
    at += Math.max(1, size)
  }
  return tokens
}
