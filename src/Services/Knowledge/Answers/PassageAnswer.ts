import { distance } from "fastest-levenshtein"
import { type Language, writtenLanguage } from "../../Text/Language.ts"
import { amountsIn } from "../../Text/Links.ts"
import { fold } from "../../Text/PlainText.ts"
import { type AskedQuestion, readQuestion } from "./AskedQuestion.ts"
import { idsIn, type Term, termsOf } from "./BuyerTerms.ts"
import { type Measure, measuresIn, sizeFit } from "./Measures.ts"
import { rowSentence } from "./RowSentence.ts"
import { type Cell, type Statement, statementsOf } from "./Statements.ts"

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

interface Candidate<P> {
  readonly passage: P
  readonly statement: Statement
  readonly score: number
  /** Room or quantity that was not asked for: the least is best. */
  readonly spare: number
  readonly cells: ReadonlyArray<Cell>
}

const longestAnswer = 500
const longestParagraph = 260

const duration =
  /\d+\s?(?:a|to|-|e|y)?\s?\d*\s?(?:h\b|hs\b|horas?|hours?|hrs?|minut\w*|min\b|seg\w*|seconds?|dias?|days?|semanas?|weeks?|mes(?:es)?|months?|anos?|years?)|\b(?:um|uma|dois|duas|tres|one|two|three|four|five|six|un|una|dos|half|meio|medio|media)\s(?:\w+\s)?(?:horas?|hours?|minut\w*|dias?|days?|semanas?|weeks?|mes(?:es)?|months?|anos?|years?)/
const clock =
  /\d\s?(?:h\b|hs\b|h\d\d|am\b|pm\b|a\.m|p\.m)|\d{1,2}:\d\d|\d{1,2}\.\d\d\b|\bde \d{1,2} a \d{1,2}\b|\b(?:noon|midday|meio-dia|mediodia|any time|qualquer hora)\b|\b(?:antes|before|by|ate|hasta) (?:de las |das |as )?\d/
const frequency =
  /\b(?:a cada|por (?:dia|semana|mes|ano|hora)|cada|every|once|twice|times|per|diari\w+|semana\w*|mensa\w+|mensual\w*|trimestr\w+|anua\w+|daily|weekly|monthly|quarterly|yearly|annual\w*|al (?:dia|mes|ano)|ao (?:dia|mes|ano)|a (?:day|week|month|year|semana))\b/
const free =
  /\b(?:nao|no|sem|sin|without|never)\b[^.]{0,12}\b(?:custos?|cust[ao]|cobra\w*|cost[oe]?s?|cuesta|charges?|charged|cargo)\b/
const figure = /\d|\b(?:um|uma|dois|duas|tres|quatro|cinco|seis|dez|one|two|three|four|five|six|eight|ten|twelve|dos|cuatro|diez|doce)\b/

const hasAny = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => [...one].some((id) => other.has(id))

/** How much of a term a statement has: in itself, in what stands above it, in its paragraph, in the headings. */
interface Places {
  readonly own: ReadonlySet<string>
  readonly about: ReadonlySet<string>
  readonly paragraph: ReadonlySet<string>
  readonly heading: ReadonlySet<string>
  /** A short paragraph is quoted whole, so what stands in it counts more. */
  readonly paragraphShare: number
}

/** What goes without saying: who asks for a place for the car is answered by "parking". */
const impliedBy: { readonly [id: string]: ReadonlyArray<string> } = {
  "#pay_verb": ["#invoice_bill", "#credit_card", "#debit_card", "#pix_transfer", "#cash", "#instalments", "#deposit_security", "#price"],
  "#pay_method": ["#invoice_bill", "#credit_card", "#debit_card", "#pix_transfer", "#cash", "#instalments", "#deposit_security"],
  "#car_vehicle": ["#parking"],
  "#delivery": ["#deadline_time"],
  "#consumption": ["#generation_output"],
  "#absent_home": ["#attempt_try"],
  "#cancel": ["#notice_period"],
  "#instalments": ["#finance_loan"],
  "#saturday": ["#weekend"],
  "#sunday": ["#weekend"],
  "#weekend": ["#saturday", "#sunday"]
}

const isMatter = (id: string): boolean => id.startsWith("#")

/** A word that is there counts for more than another word for the same matter. */
const shareIn = (ids: ReadonlySet<string>, place: ReadonlySet<string>): number => {
  let share = 0
  for (const id of ids) {
    if (!place.has(id)) {
      if (impliedBy[id]?.some((other) => place.has(other)) === true) share = Math.max(share, 0.8)
    } else share = Math.max(share, isMatter(id) ? 0.9 : 1)
  }
  return share
}

/** A word with a typing mistake, or another form of a name: "Ethiopian" and "Ethiopia". */
const isNear = (root: string, place: ReadonlySet<string>): boolean => {
  if (root.length < shortestMisspelt || /\d/.test(root)) return false
  const allowed = root.length >= longMisspelt ? 2 : 1
  return [...place].some(
    (id) => id[0] === root[0] && Math.abs(id.length - root.length) <= allowed && distance(id, root) <= allowed
  )
}

const termShare = ({ ids, words }: Term, place: ReadonlySet<string>): number => {
  const share = Math.max(shareIn(ids, place), words.length > 1 && words.every((word) => place.has(word)) ? 0.9 : 0)
  const [root = ""] = ids
  return share > 0 || ids.size > 1 || words.length > 0 ? share : isNear(root, place) ? 0.8 : 0
}

const shortestMisspelt = 6
const longMisspelt = 9

const shareOf = ({ about, heading, own, paragraph, paragraphShare }: Places, term: Term): number =>
  Math.max(
    termShare(term, own),
    termShare(term, about),
    paragraphShare * termShare(term, paragraph),
    0.7 * termShare(term, heading)
  )

/** Of terms that can mean several things, how many of them a statement speaks of. It decides between equals. */
const breadthOf = (terms: ReadonlyArray<Term>, { about, own }: Places): number => {
  const ids = terms.flatMap((term) => [...term.ids])
  return ids.length === 0 ? 0 : ids.filter((id) => own.has(id) || about.has(id)).length / ids.length
}

const settlesPrice = (text: string, own: ReadonlySet<string>): boolean =>
  amountsIn(text).length > 0 || own.has("#free_of_charge") || own.has("#include") || own.has("#surcharge") || free.test(fold(text))

const wantedIds: ReadonlySet<string> = new Set(["#price", "#deadline_time", "#time_clock", "#opening_hours", "#frequency"])

const settles = ({ wanted }: AskedQuestion, text: string, own: ReadonlySet<string>): boolean => {
  const folded = fold(text)
  if (wanted.has("price") && !settlesPrice(text, own)) return false
  if (wanted.has("duration") && !duration.test(folded)) return false
  if (wanted.has("frequency") && !frequency.test(folded)) return false
  if (wanted.has("time") && !clock.test(folded)) return false
  return !wanted.has("count") || figure.test(folded)
}

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

/** Limits hold for every size: "the minimum age is 16". */
const limits: ReadonlySet<string> = new Set(["#minimum", "#maximum"])

const fitOf = (asked: AskedQuestion, statement: Statement, own: ReadonlySet<string>): number | undefined => {
  let spare = 0
  const offered = measuresOf(statement, asked.language)
  for (const size of asked.sizes) {
    const fits = offered.flatMap((measure) => sizeFit(size, measure) ?? [])
    if (fits.length === 0) {
      const isCounted = offered.some(({ isMoney, units }) => !isMoney && (units.size === 0 || hasAny(units, size.units)))
      if (hasAny(limits, own) && isCounted && !offered.some(({ isRange }) => isRange)) continue
      return undefined
    }
    spare += Math.min(...fits.map((fit) => fit.spare))
  }
  return spare
}

const isSizeTerm = ({ text }: Term): boolean => /^\d/.test(text)

/** "Liability insurance" is not answered by "insurance" alone: one word is no evidence for two. */
const isTwice = ({ ids, words }: Term, { about, heading, own, paragraph }: Places, used: Set<string>): boolean => {
  const all = [own, about, paragraph, heading]
  const present = [...ids].filter((id) => all.some((place) => place.has(id)))
  const isLiteral = present.some((id) => !isMatter(id)) || (words.length > 1 && all.some((place) => words.every((word) => place.has(word))))
  const isUsed = !isLiteral && present.length > 0 && present.every((id) => used.has(id))
  for (const id of present) used.add(id)
  return isUsed
}

const scoreOf = (asked: AskedQuestion, statement: Statement, places: Places): number | undefined => {
  if (!settles(asked, statement.text, places.own)) return undefined
  let covered = 0
  let total = 0
  let telling = 0
  const used = new Set<string>()
  for (const term of asked.terms) {
    if (isSizeTerm(term)) continue
    const isWanted = hasAny(term.ids, wantedIds)
    const repeats = isTwice(term, places, used)
    const share = repeats && term.words.length > 1 ? 0 : shareOf(places, term)
    if (term.weight === "weak" || (repeats && term.words.length <= 1)) {
      total += 0.2
      covered += 0.2 * share
      continue
    }
    total += 1
    if (share === 0 && !isWanted && term.weight !== "common") return undefined
    covered += isWanted ? 0.9 : share
    if (!isWanted && share >= 0.8) telling++
  }
  if (total === 0) return undefined
  const isBare = asked.terms.every((term) => term.weight === "weak" || isSizeTerm(term) || hasAny(term.ids, wantedIds))
  if (telling === 0 && !isBare) return undefined
  if (isBare && ![...asked.terms].some((term) => term.weight !== "weak" && shareOf(places, term) > 0)) return undefined
  const questionFit = statement.kind === "answer" ? overlapOf(asked, statement) : 0
  return covered / total + 0.04 * breadthOf(asked.terms, places) + 0.05 * questionFit
}

/** How much of the question that a statement answers is asked here too. */
const overlapOf = ({ language, terms }: AskedQuestion, { about }: Statement): number => {
  const wanted = new Set(terms.flatMap(({ ids }) => [...ids]))
  const telling = termsOf(about, language).filter(({ weight }) => weight === "telling")
  return telling.length === 0 ? 0 : telling.filter(({ ids }) => hasAny(ids, wanted)).length / telling.length
}

const candidatesIn = <P extends AnswerSource>(asked: AskedQuestion, passage: P): ReadonlyArray<Candidate<P>> => {
  const { language } = asked
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
    return [{ passage, statement, score, spare, cells: statement.cells }]
  })
}

/** Of several columns with amounts, those that the question names. The first column says what the row is about. */
const askedCells = (asked: AskedQuestion, cells: ReadonlyArray<Cell>): ReadonlyArray<Cell> => {
  const { language } = asked
  const [first, ...rest] = cells
  const amounts = rest.filter(({ value }) => amountsIn(value).length > 0)
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

const textOf = <P>(asked: AskedQuestion, { cells, statement }: Candidate<P>): string => {
  if (statement.kind === "row") return rowSentence(askedCells(asked, cells), asked.language)
  const text = statement.kind === "sentence" && statement.paragraph.length <= longestParagraph ? statement.paragraph : statement.text
  return text.replace(/\s+/g, " ").trim()
}

/** Most passages of a print shop speak of printing: such a word is not the point of a question. */
const withoutCommon = <P extends AnswerSource>(asked: AskedQuestion, passages: ReadonlyArray<P>): AskedQuestion => {
  if (passages.length < leastPassages) return asked
  const places = passages.map(({ body, heading, title }) => idsIn(`${title}\n${heading}\n${body}`, asked.language))
  const isCommon = ({ ids }: Term): boolean =>
    places.filter((place) => [...ids].some((id) => !isMatter(id) && place.has(id))).length >= passages.length * commonShare
  return {
    ...asked,
    terms: asked.terms.map((term) => (term.weight === "telling" && isCommon(term) ? { ...term, weight: "common" as const } : term))
  }
}

const commonShare = 0.6
const leastPassages = 3
const nearlyEqual = 0.005

/** The answer that the passages hold, by rules alone; undefined where none says everything that is asked. */
export const passageAnswer = <P extends AnswerSource>(
  question: string,
  passages: ReadonlyArray<P>,
  language: Language
): PassageAnswer<P> | undefined => {
  const asked = withoutCommon(readQuestion(question, language), passages)
  const candidates = passages
    .filter(({ body }) => (writtenLanguage(body) ?? language) === language)
    .flatMap((passage) => candidatesIn(asked, passage))
    .toSorted((a, b) => b.score - a.score || a.spare - b.spare)
  const [best] = candidates
  if (best === undefined) return undefined
  const tied = candidates.filter(
    ({ passage, score, spare, statement }) =>
      statement.kind === best.statement.kind &&
      passage === best.passage &&
      best.score - score <= nearlyEqual &&
      spare === best.spare
  )
  const isList = best.statement.kind === "row" || best.statement.kind === "item"
  const chosen = isList ? tied : [best]
  const text = [...new Set(chosen.map((candidate) => textOf(asked, candidate)))].join(" ")
  return text === "" || text.length > longestAnswer ? undefined : { passage: best.passage, text }
}
