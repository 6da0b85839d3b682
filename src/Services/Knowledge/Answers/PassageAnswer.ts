import { type Language, writtenLanguage } from "../../Text/Language.ts"
import { amountsIn } from "../../Text/Links.ts"
import { type AskedQuestion, readQuestion } from "./AskedQuestion.ts"
import { idsIn, type Term } from "./BuyerTerms.ts"
import { hasAny, isMatter, termShare } from "./Coverage.ts"
import { measuresIn, sizeFit } from "./Measures.ts"
import { rowSentence } from "./RowSentence.ts"
import { fitOf, scoreOf } from "./StatementScore.ts"
import { type Cell, type Statement, statementsOf } from "./Statements.ts"
import { wantedIds } from "./WantedKinds.ts"

/** A passage that may hold an answer. */
export interface AnswerSource {
  readonly title: string
  readonly heading: string
  readonly body: string
}

/** What a passage says of a question. */
export interface PassageAnswer<P> {
  readonly passage: P
  /** To be sent as it is. */
  readonly text: string
}

export interface Candidate<P> {
  readonly passage: P
  readonly statement: Statement
  readonly score: number
  /** Room or quantity that was not asked for: the least is best. */
  readonly spare: number
  readonly cells: ReadonlyArray<Cell>
  /** Nothing of the question is left to the rest of its paragraph. */
  readonly coversAll: boolean
}

const longestAnswer = 500
const longestParagraph = 260

const candidatesIn = <P extends AnswerSource>(
  asked: AskedQuestion,
  passage: P,
  language: Language
): ReadonlyArray<Candidate<P>> => {
  const heading = idsIn(`${passage.title}\n${passage.heading}`, language)
  return statementsOf(passage.body).flatMap((statement): ReadonlyArray<Candidate<P>> => {
    const own = new Set(idsIn(statement.text, language))
    // "More than 300 parcels a month" is a large quantity.
    if (measuresIn(statement.text, language).some(({ to }) => to === Number.POSITIVE_INFINITY)) own.add("#volume_bulk")
    const places = {
      own,
      about: idsIn(statement.about, language),
      paragraph: idsIn(statement.paragraph, language),
      heading,
      paragraphShare: statement.paragraph.length <= longestParagraph ? 0.85 : 0.75
    }
    const score = scoreOf(asked, statement, places)
    const spare = fitOf(asked, statement, new Set([...own, ...places.about]))
    if (score === undefined || spare === undefined) return []
    const coversAll = asked.terms.every(
      (term) => term.weight !== "telling" || hasAny(term.ids, wantedIds) || termShare(term, own) > 0
    )
    return [{ passage, statement, score, spare, cells: statement.cells, coversAll }]
  })
}

/** Of several columns with amounts, those that the question names. The first column says what the row is about. */
const askedCells = (asked: AskedQuestion, cells: ReadonlyArray<Cell>): ReadonlyArray<Cell> => {
  const { language } = asked
  const [first, ...rest] = cells
  // "R$ 30 mil to R$ 100 mil" says for whom the row is.
  const amounts = rest.filter(
    ({ value }) => amountsIn(value).length > 0 && !measuresIn(value, language).some(({ isRange }) => isRange)
  )
  if (first === undefined || amounts.length < 2) return cells
  const ofSize = amounts.filter(({ column }) =>
    asked.sizes.some((size) => measuresIn(column, language).some((measure) => sizeFit(size, measure) !== undefined))
  )
  const counted = amounts.map((cell) => {
    const ids = idsIn(cell.column, language)
    const terms = asked.terms.filter((term) => !term.ids.has("#price"))
    return { cell, count: terms.reduce((sum, term) => sum + [...term.ids].filter((id) => ids.has(id)).length, 0) }
  })
  const most = Math.max(...counted.map(({ count }) => count))
  const named = most === 0 ? [] : counted.filter(({ count }) => count === most).map(({ cell }) => cell)
  const chosen = ofSize.length > 0 ? ofSize : named
  return chosen.length === 0 ? cells : cells.filter((cell) => !amounts.includes(cell) || chosen.includes(cell))
}

/** A sentence with what follows it: conditions stand behind what they restrict. */
const fromThere = ({ paragraph, text }: Statement): string => {
  const start = paragraph.indexOf(text)
  return start < 0 ? text : paragraph.slice(start)
}

const textOf = <P>(asked: AskedQuestion, { cells, coversAll, statement }: Candidate<P>): string => {
  if (statement.kind === "row") return rowSentence(askedCells(asked, cells), asked.language)
  const text =
    statement.kind !== "sentence" || statement.paragraph.length > longestParagraph
      ? statement.text
      : coversAll
        ? fromThere(statement)
        : statement.paragraph
  return text.replace(/\s+/g, " ").trim()
}

/** Of the passages that have a word. */
const commonShare = 0.6
/** Of fewer passages nothing can be said. */
const leastPassages = 3

/** Most passages of a print shop speak of printing: such a word is not the point of a question. */
const withoutCommon = <P extends AnswerSource>(asked: AskedQuestion, passages: ReadonlyArray<P>): AskedQuestion => {
  if (passages.length < leastPassages) return asked
  const places = passages.map(({ body, heading, title }) => idsIn(`${title}\n${heading}\n${body}`, asked.language))
  const isCommon = ({ ids }: Term): boolean =>
    places.filter((place) => [...ids].some((id) => !isMatter(id) && place.has(id))).length >=
    passages.length * commonShare
  return {
    ...asked,
    terms: asked.terms.map((term) =>
      term.weight === "telling" && isCommon(term) ? { ...term, weight: "common" as const } : term
    )
  }
}

/** Scores of rows of one table differ by less. */
const nearlyEqual = 0.005

/** Another row or item of the same list that answers as well. */
const isAsGood = <P extends AnswerSource>(other: Candidate<P>, best: Candidate<P>): boolean =>
  other.statement.kind === best.statement.kind &&
  other.passage.title === best.passage.title &&
  other.passage.heading === best.passage.heading &&
  (other.passage === best.passage || other.statement.kind === "row") &&
  best.score - other.score <= nearlyEqual &&
  other.spare === best.spare

/** Everything that answers the question as well as the best, in the passages of one language. */
export const bestCandidates = <P extends AnswerSource>(
  asked: AskedQuestion,
  passages: ReadonlyArray<P>,
  language: Language
): ReadonlyArray<Candidate<P>> => {
  const candidates = passages
    .filter(({ body }) => (writtenLanguage(body) ?? asked.language) === language)
    .flatMap((passage) => candidatesIn(asked, passage, language))
    .toSorted((a, b) => b.score - a.score || a.spare - b.spare)
  const [best] = candidates
  if (best === undefined) return []
  if (best.statement.kind !== "row" && best.statement.kind !== "item") return [best]
  const equals = candidates.filter((other) => isAsGood(other, best))
  // One of three prices would be a wrong one: a table that continues in another passage is the owner's to quote.
  return best.statement.kind === "row" && equals.some(({ passage }) => passage !== best.passage) ? [] : equals
}

/** The answer that the passages hold, by rules alone; undefined where none says everything that is asked. */
export const passageAnswer = <P extends AnswerSource>(
  question: string,
  passages: ReadonlyArray<P>,
  language: Language
): PassageAnswer<P> | undefined => {
  const asked = withoutCommon(readQuestion(question, language), passages)
  const candidates = bestCandidates(asked, passages, language)
  const [best] = candidates
  const text = [...new Set(candidates.map((candidate) => textOf(asked, candidate)))].join(" ")
  return best === undefined || text === "" || text.length > longestAnswer ? undefined : { passage: best.passage, text }
}
