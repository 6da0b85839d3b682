import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { concepts } from "../../Text/Sentences/Concepts.ts"
import { idsIn, type Term, termsOf } from "./BuyerTerms.ts"
import { measuresIn } from "./Measures.ts"
import { statedKinds } from "./StatedKinds.ts"
import type { Statement } from "./Statements.ts"

/** How often each letter sequence occurs in a text. */
export type LetterCounts = ReadonlyMap<string, number>

/** A statement with all that questions are compared with. */
export interface AnswerUnit {
  readonly statement: Statement
  /** An answer that the owner gave. */
  readonly isOwners: boolean
  readonly ownIds: ReadonlySet<string>
  readonly about: ReadonlySet<string>
  readonly paragraph: ReadonlySet<string>
  readonly heading: ReadonlySet<string>
  readonly aboutTerms: ReadonlyArray<Term>
  readonly concepts: ReadonlySet<string>
  readonly kinds: ReadonlySet<string>
  readonly letters: LetterCounts
  readonly aboutLetters: LetterCounts
  readonly figures: ReadonlySet<string>
  readonly folded: string
}

const wordPattern = /[\p{L}\p{N}]+(?:'\p{L}+)*/gu

/** The concepts of the thesaurus in a text. If phrases overlap, the longest counts. */
export const conceptsIn = (text: string, language: Language): ReadonlySet<string> => {
  const { longestFrom, of } = concepts()
  const words = fold(text).match(wordPattern) ?? []
  const names = new Set<string>()
  for (let at = 0; at < words.length; ) {
    let size = Math.min(longestFrom(words[at] ?? "", language), words.length - at)
    for (; size > 0; size--) {
      const phraseConcepts = of(words.slice(at, at + size).join(" "), language)
      for (const name of phraseConcepts) names.add(`c${name}`)
      if (phraseConcepts.length > 0) break
    }
    at += Math.max(1, size)
  }
  return names
}

const sequenceLength = 4

/** Letter sequences of a text's words. They match in spite of endings and typing mistakes. */
export const letterCounts = (text: string): LetterCounts => {
  const counts = new Map<string, number>()
  for (const word of fold(text).match(wordPattern) ?? []) {
    if (word.length < sequenceLength - 1) continue
    const marked = `_${word}_`
    for (let from = 0; from + sequenceLength <= marked.length; from++) {
      const sequence = marked.slice(from, from + sequenceLength)
      counts.set(sequence, (counts.get(sequence) ?? 0) + 1)
    }
  }
  return counts
}

/** Figures in a comparable form: "1.500" and "1500" are the same. */
export const figuresIn = (text: string): ReadonlyArray<string> =>
  (text.match(/\d+(?:[.,]\d+)*/g) ?? []).map((figure) => figure.replace(/[.,](?=\d{3}(?!\d))/g, ""))

export const readUnit = (
  statement: Statement,
  { heading, isOwners }: Pick<AnswerUnit, "heading" | "isOwners">,
  language: Language
): AnswerUnit => {
  const { about, paragraph, text } = statement
  const ownIds = new Set(idsIn(text, language))
  // "More than 300 parcels a month" is a large quantity.
  if (measuresIn(text, language).some(({ to }) => to === Number.POSITIVE_INFINITY)) ownIds.add("#volume_bulk")
  const folded = fold(`${about} ${paragraph}`)
  return {
    statement,
    isOwners,
    ownIds,
    about: idsIn(about, language),
    paragraph: paragraph === text ? ownIds : idsIn(paragraph, language),
    heading,
    aboutTerms: termsOf(about, language).filter(({ weight }) => weight !== "empty"),
    concepts: conceptsIn(`${about} ${text}`, language),
    kinds: statedKinds(statement, ownIds),
    letters: letterCounts(text),
    aboutLetters: letterCounts(about),
    figures: new Set(figuresIn(folded)),
    folded
  }
}
