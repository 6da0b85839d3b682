import type { Language } from "../../Text/Language.ts"
import { amountsIn } from "../../Text/Web/Links.ts"
import type { AskedQuestion } from "./AskedQuestion.ts"
import { idsIn, type Term, termsOf } from "./BuyerTerms.ts"
import { breadthOf, hasAny, isTwice, type Places, shareOf } from "./Coverage.ts"
import { type Measure, measuresIn, sizeFit } from "./Measures.ts"
import type { Statement } from "./Statements.ts"
import { settles, wantedIds } from "./WantedKinds.ts"

const measuresOf = ({ cells, text }: Statement, language: Language): ReadonlyArray<Measure> =>
  cells.length === 0
    ? measuresIn(text, language)
    : cells.flatMap(({ column, value }) => {
        const ids = idsIn(column, language)
        return [...measuresIn(value, language), ...measuresIn(column, language)].map((measure) => ({
          ...measure,
          units: new Set([...measure.units, ...ids])
        }))
      })

/** Limits apply to every size: "the minimum age is 16". */
const limits: ReadonlySet<string> = new Set(["#minimum", "#maximum"])

/** The amount by which an offer exceeds the request. Undefined if it does not match. */
export const fitOf = (
  question: AskedQuestion,
  statement: Statement,
  ownIds: ReadonlySet<string>
): number | undefined => {
  if (question.sizes.length === 0) return 0
  let spare = 0
  const offered = measuresOf(statement, question.language)
  for (const size of question.sizes) {
    const fits = offered.flatMap((measure) => sizeFit(size, measure) ?? [])
    if (fits.length === 0) {
      const isCounted = offered.some(
        ({ isMoney, units }) => !isMoney && (units.size === 0 || hasAny(units, size.units))
      )
      if (hasAny(limits, ownIds) && isCounted && !offered.some(({ isRange }) => isRange)) continue
      return undefined
    }
    spare += Math.min(...fits.map((fit) => fit.spare))
  }
  return spare
}

const isSizeTerm = ({ text }: Term): boolean => /^\d/.test(text)

/** The weight of words that an answer need not contain. */
const weakWeight = 0.2
/** The share of coverage from a figure that answers the question, even without the question's word. */
const settledShare = 0.9
/** From this share on, the statement itself covers a term, and not just the text around it. */
const surelyCovered = 0.8
const breadthWeight = 0.04
const sameQuestionWeight = 0.05

/** How much of the terms is covered, and how many telling ones are certain. Undefined if one is missing. */
const coverageOf = ({ terms }: AskedQuestion, places: Places) => {
  let covered = 0
  let total = 0
  let telling = 0
  const used = new Set<string>()
  for (const term of terms) {
    if (isSizeTerm(term)) continue
    const isWanted = hasAny(term.ids, wantedIds)
    const repeats = isTwice(term, places, used)
    const share = repeats && term.words.length > 1 ? 0 : shareOf(places, term)
    if (term.weight === "weak" || (repeats && term.words.length <= 1)) {
      total += weakWeight
      covered += weakWeight * share
      continue
    }
    total += 1
    if (share === 0 && !isWanted && term.weight !== "common") return undefined
    covered += isWanted ? settledShare : share
    if (!isWanted && share >= surelyCovered) telling++
  }
  return total === 0 ? undefined : { share: covered / total, telling }
}

/** How well a statement answers a question. Undefined if it does not cover everything that is asked. */
export const scoreOf = (question: AskedQuestion, statement: Statement, places: Places): number | undefined => {
  if (!settles(question, statement.text, places.own)) return undefined
  const coverage = coverageOf(question, places)
  if (coverage === undefined) return undefined
  const isBare = question.terms.every(
    (term) => term.weight === "weak" || isSizeTerm(term) || hasAny(term.ids, wantedIds)
  )
  if (coverage.telling === 0 && !isBare) return undefined
  if (isBare && !namesItsPrice(question, statement, places)) return undefined
  const questionFit = statement.kind === "answer" ? overlapOf(question, statement) : 0
  return coverage.share + breadthWeight * breadthOf(question.terms, places) + sameQuestionWeight * questionFit
}

/** How much of the question that a statement answers is also asked here. */
const overlapOf = ({ language, terms }: AskedQuestion, { about }: Statement): number => {
  const questionIds = new Set(terms.flatMap(({ ids }) => [...ids]))
  const telling = termsOf(about, language).filter(({ weight }) => weight === "telling")
  return telling.length === 0 ? 0 : telling.filter(({ ids }) => hasAny(ids, questionIds)).length / telling.length
}

/** "How much is it?" asks for something that is called a price, not for the cost of setting up. */
const namesItsPrice = ({ wanted }: AskedQuestion, { text }: Statement, { about, heading, own }: Places): boolean =>
  wanted.has("price") && amountsIn(text).length > 0 && [own, about, heading].some((place) => place.has("#price"))
