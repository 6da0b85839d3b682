import { detectLanguage, type Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { type AskedQuestion, readQuestion } from "./AskedQuestion.ts"
import type { Term } from "./BuyerTerms.ts"
import { termShare } from "./Coverage.ts"

/** A question's words without accents, capitals and punctuation. */
export const questionKey = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

const tellingOf = ({ terms }: AskedQuestion): ReadonlyArray<Term> => terms.filter(({ weight }) => weight === "telling")

const figuresOf = (text: string): string => (text.match(/\d+/g) ?? []).toSorted().join(" ")

/** How many of the terms occur in the other question, by word or meaning. */
const shareIn = (terms: ReadonlyArray<Term>, other: AskedQuestion): number => {
  const place = new Set(other.terms.flatMap(({ ids, words }) => [...ids, ...words]))
  return terms.filter((term) => termShare(term, place) > 0).length / Math.max(1, terms.length)
}

/**
 * The similarity of two questions' meanings, from 0 to 1. It is 1 only if neither asks for anything more, because an
 * answer to a merely similar question would be wrong.
 */
export const questionNearness = (one: string, other: string): number => {
  if (questionKey(one) === questionKey(other)) return 1
  const language: Language = detectLanguage(`${one} ${other}`) ?? "pt-BR"
  const [first, second] = [readQuestion(one, language), readQuestion(other, language)]
  const [firstTerms, secondTerms] = [tellingOf(first), tellingOf(second)]
  if (firstTerms.length === 0 || secondTerms.length === 0) return 0
  const share = (shareIn(firstTerms, second) + shareIn(secondTerms, first)) / 2
  const wantsSame =
    first.wanted.size === second.wanted.size && [...first.wanted].every((kind) => second.wanted.has(kind))
  const isSame = wantsSame && figuresOf(one) === figuresOf(other)
  return isSame ? share : Math.min(share, mostDifferent)
}

/** The highest similarity of questions with different numbers or about different kinds of things. */
const mostDifferent = 0.9

/** The most questions that a refusal offers as choices. */
const mostCandidates = 5

export interface MatchedQuestion<Q> {
  /** The matching question. Undefined if there is none, or more than one. */
  readonly match: Q | undefined
  /** The most similar questions. */
  readonly candidates: ReadonlyArray<Q>
}

/** Which of the questions a text refers to. `questions` are in order of preference. */
export const matchQuestion = <Q extends { readonly text: string }>(
  text: string,
  questions: ReadonlyArray<Q>
): MatchedQuestion<Q> => {
  const scored = questions
    .map((question) => ({ question, score: questionNearness(text, question.text) }))
    .toSorted((a, b) => b.score - a.score)
  const candidates = scored.slice(0, mostCandidates).map(({ question }) => question)
  const key = questionKey(text)
  const exact = questions.find((question) => questionKey(question.text) === key)
  if (exact !== undefined) return { match: exact, candidates }
  const same = scored.filter(({ score }) => score === 1)
  return { match: same.length === 1 ? same[0]?.question : undefined, candidates }
}
