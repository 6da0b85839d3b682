import { type Language, writtenLanguage } from "../../Text/Language.ts"
import { amountsIn } from "../../Text/Web/Links.ts"
import { type AskedQuestion, readQuestion } from "./AskedQuestion.ts"
import { idsIn, type Term } from "./BuyerTerms.ts"
import { hasAny, isMatter, type Places, termShare } from "./Coverage.ts"
import { measuresIn, sizeFit } from "./Measures.ts"
import { rowSentence } from "./RowSentence.ts"
import { fitOf, scoreOf } from "./StatementScore.ts"
import { type Cell, type Statement, statementsOf } from "./Statements.ts"
import { wantedIds } from "./WantedKinds.ts"

/** A passage that may contain an answer. */
export interface AnswerSource {
  readonly title: string
  readonly heading: string
  readonly body: string
}

/** A passage's answer to a question. */
export interface PassageAnswer<P> {
  readonly passage: P
  /** Sent unchanged. */
  readonly text: string
}

export interface Candidate<P> {
  readonly passage: P
  readonly statement: Statement
  readonly score: number
  /** Capacity beyond what was asked for. Less is better. */
  readonly spare: number
  readonly cells: ReadonlyArray<Cell>
  /** Whether the statement alone covers the whole question, without its paragraph. */
  readonly coversAll: boolean
}

const longestAnswer = 500
export const longestParagraph = 260

/** A statement with what every question needs of it. */
interface ReadStatement {
  readonly statement: Statement
  readonly places: Places
  readonly allIds: ReadonlySet<string>
}

/**
 * Caches the statements read from a passage per language while the passage is in use. Reading takes longer than
 * judging, and one message asks several questions of the same passages.
 */
const cachedByPassage = <A>(read: (passage: AnswerSource, language: Language) => A) => {
  const cache = new WeakMap<AnswerSource, Map<Language, A>>()
  return (passage: AnswerSource, language: Language): A => {
    const byLanguage = cache.get(passage) ?? new Map<Language, A>()
    cache.set(passage, byLanguage)
    const cached = byLanguage.get(language)
    if (cached !== undefined) return cached
    const result = read(passage, language)
    byLanguage.set(language, result)
    return result
  }
}

const idsOfPassage = cachedByPassage(({ body, heading, title }, language) =>
  idsIn(`${title}\n${heading}\n${body}`, language)
)

const statementsIn = cachedByPassage((passage, language): ReadonlyArray<ReadStatement> => {
  const heading = idsIn(`${passage.title}\n${passage.heading}`, language)
  return statementsOf(passage.body).map((statement) => {
    const ownIds = new Set(idsIn(statement.text, language))
    // "More than 300 parcels a month" is a large quantity.
    if (measuresIn(statement.text, language).some(({ to }) => to === Number.POSITIVE_INFINITY))
      ownIds.add("#volume_bulk")
    const places = {
      own: ownIds,
      about: idsIn(statement.about, language),
      paragraph: idsIn(statement.paragraph, language),
      heading,
      paragraphShare: statement.paragraph.length <= longestParagraph ? 0.85 : 0.75
    }
    return { statement, places, allIds: new Set([...ownIds, ...places.about]) }
  })
})

const candidatesIn = <P extends AnswerSource>(
  question: AskedQuestion,
  passage: P,
  language: Language
): ReadonlyArray<Candidate<P>> =>
  statementsIn(passage, language).flatMap(({ allIds, places, statement }): ReadonlyArray<Candidate<P>> => {
    const score = scoreOf(question, statement, places)
    if (score === undefined) return []
    const spare = fitOf(question, statement, allIds)
    if (spare === undefined) return []
    const coversAll = question.terms.every(
      (term) => term.weight !== "telling" || hasAny(term.ids, wantedIds) || termShare(term, places.own) > 0
    )
    return [{ passage, statement, score, spare, cells: statement.cells, coversAll }]
  })

/** If several columns contain amounts, those that the question names. The first column says what the row is about. */
export const askedCells = (question: AskedQuestion, cells: ReadonlyArray<Cell>): ReadonlyArray<Cell> => {
  const { language } = question
  const [first, ...rest] = cells
  // "R$ 30 mil to R$ 100 mil" states which customers the row is for.
  const amounts = rest.filter(
    ({ value }) => amountsIn(value).length > 0 && !measuresIn(value, language).some(({ isRange }) => isRange)
  )
  if (first === undefined || amounts.length < 2) return cells
  const ofSize = amounts.filter(({ column }) =>
    question.sizes.some((size) => measuresIn(column, language).some((measure) => sizeFit(size, measure) !== undefined))
  )
  const counted = amounts.map((cell) => {
    const ids = idsIn(cell.column, language)
    const terms = question.terms.filter((term) => !term.ids.has("#price"))
    return { cell, count: terms.reduce((sum, term) => sum + [...term.ids].filter((id) => ids.has(id)).length, 0) }
  })
  const most = Math.max(...counted.map(({ count }) => count))
  const named = most === 0 ? [] : counted.filter(({ count }) => count === most).map(({ cell }) => cell)
  const chosenCells = ofSize.length > 0 ? ofSize : named
  return chosenCells.length === 0
    ? cells
    : cells.filter((cell) => !amounts.includes(cell) || chosenCells.includes(cell))
}

/** A sentence and the text after it, because conditions follow what they restrict. */
const fromThere = ({ paragraph, text }: Statement): string => {
  const start = paragraph.indexOf(text)
  return start < 0 ? text : paragraph.slice(start)
}

const textOf = <P>(question: AskedQuestion, { cells, coversAll, statement }: Candidate<P>): string => {
  if (statement.kind === "row") return rowSentence(askedCells(question, cells), question.language)
  const text =
    statement.kind !== "sentence" || statement.paragraph.length > longestParagraph
      ? statement.text
      : coversAll
        ? fromThere(statement)
        : statement.paragraph
  return text.replace(/\s+/g, " ").trim()
}

/** The share of passages that contain a common word. */
const commonShare = 0.6
/** With fewer passages, no word can be called common. */
const leastPassages = 3

/** Words that most passages contain are not the point of a question, such as printing for a print shop. */
const withoutCommon = <P extends AnswerSource>(question: AskedQuestion, passages: ReadonlyArray<P>): AskedQuestion => {
  if (passages.length < leastPassages) return question
  const places = passages.map((passage) => idsOfPassage(passage, question.language))
  const isCommon = ({ ids }: Term): boolean =>
    places.filter((place) => [...ids].some((id) => !isMatter(id) && place.has(id))).length >=
    passages.length * commonShare
  return {
    ...question,
    terms: question.terms.map((term) =>
      term.weight === "telling" && isCommon(term) ? { ...term, weight: "common" as const } : term
    )
  }
}

/** Rows of one table differ by less than this in their scores. */
const nearlyEqual = 0.005

/** Another row or item of the same list with an equally good answer. */
const isAsGood = <P extends AnswerSource>(other: Candidate<P>, best: Candidate<P>): boolean =>
  other.statement.kind === best.statement.kind &&
  other.passage.title === best.passage.title &&
  other.passage.heading === best.passage.heading &&
  (other.passage === best.passage || other.statement.kind === "row") &&
  best.score - other.score <= nearlyEqual &&
  other.spare === best.spare

/** All answers that are as good as the best one, in the passages of one language. */
export const bestCandidates = <P extends AnswerSource>(
  question: AskedQuestion,
  passages: ReadonlyArray<P>,
  language: Language
): ReadonlyArray<Candidate<P>> => {
  const candidates = passages
    .filter(({ body }) => (writtenLanguage(body) ?? question.language) === language)
    .flatMap((passage) => candidatesIn(question, passage, language))
    .toSorted((a, b) => b.score - a.score || a.spare - b.spare)
  const [best] = candidates
  if (best === undefined) return []
  if (best.statement.kind !== "row" && best.statement.kind !== "item") return [best]
  const equals = candidates.filter((other) => isAsGood(other, best))
  // Quoting one of three prices would be wrong. If a table continues in another passage, the owner must answer.
  return best.statement.kind === "row" && equals.some(({ passage }) => passage !== best.passage) ? [] : equals
}

/** The answer in the passages, by rules alone; undefined if none covers everything that is asked. */
export const passageAnswer = <P extends AnswerSource>(
  question: string,
  passages: ReadonlyArray<P>,
  language: Language
): PassageAnswer<P> | undefined => {
  const tellingQuestion = withoutCommon(readQuestion(question, language), passages)
  const candidates = bestCandidates(tellingQuestion, passages, language)
  const [best] = candidates
  const text = [...new Set(candidates.map((candidate) => textOf(tellingQuestion, candidate)))].join(" ")
  return best === undefined || text === "" || text.length > longestAnswer ? undefined : { passage: best.passage, text }
}
