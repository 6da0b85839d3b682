import { type Language, writtenLanguage } from "../../Text/Language.ts"
import { type AnswerFeatures, type Corpus, corpusOf, type PreparedQuestion, prepareQuestion } from "./AnswerFeatures.ts"
import { type AnswerModel, answerModel, judgeUnits } from "./AnswerModel.ts"
import { type AnswerUnit, readUnit } from "./AnswerUnits.ts"
import { idsIn } from "./BuyerTerms.ts"
import { type AnswerSource, askedCells, longestParagraph } from "./PassageAnswer.ts"
import { rowSentence } from "./RowSentence.ts"
import { type Statement, statementsOf } from "./Statements.ts"

/** A question with the owner's answer to it. */
export interface OwnersEntry {
  readonly question: string
  readonly answer: string
}

/** What an account knows: the owner's answers, and passages of its files. */
export interface AccountKnowledge<A extends OwnersEntry, P extends AnswerSource> {
  readonly answers: ReadonlyArray<A>
  readonly passages: ReadonlyArray<P>
}

/** The best answer that the account's knowledge has. */
export interface ReadAnswer<A, P> {
  readonly text: string
  readonly source: { readonly entry: A } | { readonly passage: P }
  readonly probability: number
  /** Whether it may be sent. Otherwise the owner decides. */
  readonly isCertain: boolean
  /** Whether something speaks against it, however probable it is. */
  readonly isDoubtful: boolean
}

const longestAnswer = 500
const mostCached = 300

/** Reading a text takes longer than comparing it. Several mails ask about the same passages. */
const cache = new Map<string, ReadonlyArray<AnswerUnit>>()

const cached = (key: string, read: () => ReadonlyArray<AnswerUnit>): ReadonlyArray<AnswerUnit> => {
  const units = cache.get(key) ?? read()
  // The entry moves to the end, so that the first one is the one unused for longest.
  cache.delete(key)
  cache.set(key, units)
  const [oldest] = cache.keys()
  if (cache.size > mostCached && oldest !== undefined) cache.delete(oldest)
  return units
}

export const unitsOfEntry = ({ answer, question }: OwnersEntry, language: Language): ReadonlyArray<AnswerUnit> =>
  cached(`${language}\n${question}\n${answer}`, () => [
    readUnit(
      { kind: "answer", text: answer, about: question, paragraph: answer, cells: [] },
      { heading: new Set(), isOwners: true },
      language
    )
  ])

export const unitsOfPassage = (passage: AnswerSource, language: Language): ReadonlyArray<AnswerUnit> =>
  cached(`${language}\n${passage.title}\n${passage.heading}\n${passage.body}`, () => {
    const heading = idsIn(`${passage.title}\n${passage.heading}`, language)
    return statementsOf(passage.body).map((statement) => readUnit(statement, { heading, isOwners: false }, language))
  })

/** What is quoted of a statement: a short paragraph as a whole, because its sentences restrict each other. */
export const quotedText = (
  { isNegated, parsed }: PreparedQuestion,
  { cells, kind, paragraph, text }: Statement
): string => {
  if (kind === "row") return rowSentence(isNegated ? cells : askedCells(parsed, cells), parsed.language)
  const isWhole = kind === "sentence" && paragraph.length <= longestParagraph
  return (isWhole ? paragraph : text).replace(/\s+/g, " ").trim()
}

const leastCommonAbout = 0.6

/**
 * What makes an answer doubtful, however probable it is: a figure or name of the question that it does not have, another
 * kind of information than asked for, and a yes or no to another question.
 */
export const isDoubtful = (features: AnswerFeatures, { kinds }: AnswerUnit): boolean => {
  const has = (name: string): boolean => (features[name] ?? 0) > 0
  const isYesOrNo = kinds.has("yes") || kinds.has("no")
  return (
    has("sizeDiffers") ||
    (has("figureMissing") && !has("sizeFits")) ||
    has("nameMissing") ||
    has("isUnsettled") ||
    (isYesOrNo && (features["aboutCovered"] ?? 0) < leastCommonAbout)
  )
}

/** An answer with the units that give it. */
export interface RankedAnswer {
  readonly text: string
  readonly probability: number
  /** The index of its most probable unit. */
  readonly best: number
  readonly isDoubtful: boolean
}

/** The answers that units give, most probable first. Statements of a paragraph that is quoted as a whole count together. */
export const rankAnswers = (
  message: string,
  question: PreparedQuestion,
  corpus: Corpus,
  model: AnswerModel
): ReadonlyArray<RankedAnswer> => {
  const { features, probabilities } = judgeUnits(question, corpus, message, model)
  const answers = new Map<string, { probability: number; best: number }>()
  for (const [index, { statement }] of corpus.units.entries()) {
    const text = quotedText(question, statement)
    const probability = probabilities[index] ?? 0
    const same = answers.get(text)
    if (same === undefined) answers.set(text, { probability, best: index })
    else {
      same.probability += probability
      if (probability > (probabilities[same.best] ?? 0)) same.best = index
    }
  }
  return [...answers]
    .map(([text, { best, probability }]): RankedAnswer => {
      const unit = corpus.units[best]
      return {
        text,
        probability,
        best,
        isDoubtful: unit === undefined || isDoubtful(features[best] ?? {}, unit)
      }
    })
    .toSorted((a, b) => b.probability - a.probability)
}

interface Sourced<A, P> {
  readonly unit: AnswerUnit
  readonly source: ReadAnswer<A, P>["source"]
}

const sourcedUnits = <A extends OwnersEntry, P extends AnswerSource>(
  { answers, passages }: AccountKnowledge<A, P>,
  language: Language
): ReadonlyArray<Sourced<A, P>> => {
  const isReadable = (text: string): boolean => (writtenLanguage(text) ?? language) === language
  return [
    ...answers
      .filter(({ answer }) => isReadable(answer))
      .flatMap((entry) => unitsOfEntry(entry, language).map((unit) => ({ unit, source: { entry } }))),
    ...passages
      .filter(({ body }) => isReadable(body))
      .flatMap((passage) => unitsOfPassage(passage, language).map((unit) => ({ unit, source: { passage } })))
  ]
}

/**
 * The best answer to a message that asks, by a model trained on questions and statements. Undefined if even the owner
 * would gain nothing from it. Its text is unchanged from its source, except that a table row becomes a sentence.
 */
export const readAnswer = <A extends OwnersEntry, P extends AnswerSource>(
  message: string,
  knowledge: AccountKnowledge<A, P>,
  language: Language
): ReadAnswer<A, P> | undefined => {
  const sourced = sourcedUnits(knowledge, language)
  if (sourced.length === 0) return undefined
  const model = answerModel()
  const corpus = corpusOf(sourced.map(({ unit }) => unit))
  const [best] = rankAnswers(message, prepareQuestion(message, language, corpus), corpus, model)
  const source = best === undefined ? undefined : sourced[best.best]?.source
  if (best === undefined || source === undefined || best.probability < model.likely) return undefined
  const { probability, text } = best
  if (text === "" || text.length > longestAnswer || text.includes(" | ")) return undefined
  const { isDoubtful: isUnsure } = best
  return { text, source, probability, isDoubtful: isUnsure, isCertain: !isUnsure && probability >= model.certain }
}
