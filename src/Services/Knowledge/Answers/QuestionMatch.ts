import { detectLanguage, type Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { type AskedQuestion, readQuestion } from "./AskedQuestion.ts"
import type { Term } from "./BuyerTerms.ts"
import { termShare } from "./Coverage.ts"

/** A question by its words alone: without accents, capitals and punctuation. */
export const questionKey = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

const tellingOf = ({ terms }: AskedQuestion): ReadonlyArray<Term> => terms.filter(({ weight }) => weight === "telling")

const figuresOf = (text: string): string => (text.match(/\d+/g) ?? []).toSorted().join(" ")

/** How many of the terms are in the other question, by their words or by what they mean. */
const shareIn = (terms: ReadonlyArray<Term>, other: AskedQuestion): number => {
  const place = new Set(other.terms.flatMap(({ ids, words }) => [...ids, ...words]))
  return terms.filter((term) => termShare(term, place) > 0).length / Math.max(1, terms.length)
}

/**
 * How near two questions are in meaning, from 0 to 1. It is 1 only if neither asks for anything that the other does not:
 * an answer to a question that is merely similar would be a wrong one.
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

/** Two questions with other figures, or about another kind of thing, are never the same one. */
const mostDifferent = 0.9

/** How many questions a refusal offers to choose from. */
const mostCandidates = 5

export interface MatchedQuestion<Q> {
  /** The question that is meant. Undefined where none is, or where several may be. */
  readonly match: Q | undefined
  /** The nearest ones. */
  readonly candidates: ReadonlyArray<Q>
}

/** Which of the questions a text means. `questions` come in the order in which they are preferred. */
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
