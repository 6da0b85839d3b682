import { Schema } from "effect"
import type { PromptText } from "../Models/LanguageModel.ts"
import { loadPromptFile } from "../Models/PromptFile.ts"
import { ordersItsReader } from "../Replies/ReaderOrders.ts"
import { isForeign, type Language, languageNames } from "../Text/Language.ts"
import { linksIn } from "../Text/Links.ts"
import { preparePassage, prepareQuery, scorePassage, weightByLength } from "../Text/PassageScore.ts"
import { clip, fold, sentencesOf, tidyText } from "../Text/PlainText.ts"
import { delimited, delimiterRule } from "../Text/PromptDelimiter.ts"
import { contentWords, stemOf } from "../Text/WordStems.ts"
import { namesIn } from "./SearchPlan.ts"
import type { ReadPage } from "./WebSearch.ts"

/** The words of a page that a statement rests on; `page` is its place among those read. */
export interface Evidence {
  readonly page: number
  readonly quote: string
}

export interface Statement {
  readonly text: string
  readonly evidence: ReadonlyArray<Evidence>
}

/** What a model answers; its page numbers begin at 1. */
export const ModelAnswer = Schema.Struct({
  statements: Schema.Array(
    Schema.Struct({
      text: Schema.String,
      evidence: Schema.Array(Schema.Struct({ page: Schema.Int, quote: Schema.String }))
    })
  )
})

const shortestStatement = 25
const longestStatement = 500
const shortestQuote = 15

const oneLine = (text: string): string => tidyText(text).replace(/\s+/g, " ").trim()

const givesOrders = (text: string): boolean => ordersItsReader(fold(text))

/** A number however it is written: 1.500,00, 1,500 and 1500 are the same. */
const figureKey = (figure: string): string => {
  const [, whole = figure, decimals = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(figure) ?? []
  const fraction = decimals.replace(/0+$/, "")
  const digits = whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "")
  return fraction === "" ? digits : `${digits}.${fraction}`
}

/** The numbers that a text names. */
export const figuresOf = (text: string): ReadonlySet<string> =>
  new Set([...fold(text).matchAll(/\d(?:[\d.,]{0,30}\d)?/g)].map(([figure]) => figureKey(figure)))

const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(
    contentWords(text)
      .filter((word) => !/^\d+$/.test(word))
      .map(stemOf)
  )

const shareIn = (stems: ReadonlySet<string>, others: ReadonlySet<string>): number => {
  if (stems.size === 0) return 0
  let shared = 0
  for (const stem of stems) if (others.has(stem)) shared += 1
  return shared / stems.size
}

interface RankedPassage {
  readonly page: number
  readonly text: string
  readonly score: number
}

const leastPassage = 0.2
const passagesLooked = 40

/** The passages of all pages that speak of the question, best first. */
export const rankPassages = (question: string, pages: ReadonlyArray<ReadPage>): ReadonlyArray<RankedPassage> => {
  const all = pages.flatMap(({ passages, title }, page) =>
    passages.map(({ body, heading }) => ({
      page,
      text: body,
      prepared: preparePassage({ title: `${title}\n${heading}`, text: body })
    }))
  )
  const query = prepareQuery(question, weightByLength)
  return all
    .map(({ page, prepared, text }) => ({ page, text, score: scorePassage(query, prepared) }))
    .filter(({ score }) => score >= leastPassage)
    .toSorted((a, b) => b.score - a.score || a.page - b.page)
    .slice(0, passagesLooked)
}

/** Whether the sentence can be quoted: it is a statement and gives its reader no orders. */
const isQuotable = (text: string, isQuestion: boolean): boolean =>
  !isQuestion &&
  text.length >= shortestStatement &&
  text.length <= longestStatement &&
  linksIn(text).length === 0 &&
  contentWords(text).length >= 4 &&
  !givesOrders(text)

const leastShare = 0.25
/** From here on two sentences say the same. */
const same = 0.75

/**
 * An answer of sentences as the pages have them: those that hold most of the question, of the best passages first. A page
 * that says the same again is named beside the first one; the same words with other figures are a statement of their own.
 */
export const statementsByRules = (
  question: string,
  pages: ReadonlyArray<ReadPage>,
  most: number
): ReadonlyArray<Statement> => {
  const asked = stemsOf(question)
  const candidates = rankPassages(question, pages)
    .flatMap(({ page, score, text }) =>
      sentencesOf(text).map((sentence) => ({ ...sentence, page, rank: score + shareIn(asked, stemsOf(sentence.text)) }))
    )
    .filter(({ isQuestion, text }) => isQuotable(text, isQuestion))
    .filter(({ text }) => shareIn(asked, stemsOf(text)) >= leastShare)
    .toSorted((a, b) => b.rank - a.rank || a.page - b.page)
  const chosen: Array<{ text: string; evidence: Array<Evidence>; stems: ReadonlySet<string>; figures: string }> = []
  for (const { page, text } of candidates) {
    const stems = stemsOf(text)
    const figures = [...figuresOf(text)].sort().join(" ")
    const said = chosen.find(
      (other) => other.figures === figures && Math.max(shareIn(stems, other.stems), shareIn(other.stems, stems)) >= same
    )
    if (said !== undefined) {
      if (said.evidence.every((one) => one.page !== page)) said.evidence.push({ page, quote: text })
    } else if (chosen.length < most) chosen.push({ text, evidence: [{ page, quote: text }], stems, figures })
  }
  return chosen.map(({ evidence, text }) => ({ text, evidence }))
}

const plain = (text: string): string =>
  fold(text)
    .replace(/[^a-z0-9]+/g, " ")
    .trim()

/** What must be shared by a statement and its quote in the same language. */
const leastCovered = 0.5

/**
 * What is left of an answer when each sentence must be said by a page that was read: its quotes stand there word by word,
 * its figures and names in these, and it speaks of the same; quotes that do not are taken from it first.
 */
export const checkedStatements = (
  statements: ReadonlyArray<Statement>,
  question: string,
  pages: ReadonlyArray<ReadPage>,
  most: number
): ReadonlyArray<Statement> => {
  const texts = pages.map(({ passages, title }) =>
    plain([title, ...passages.map(({ body, heading }) => `${heading} ${body}`)].join("\n"))
  )
  const asked = plain(question)
  return statements
    .map(({ evidence, text }): Statement => {
      const statement = oneLine(text)
      const stems = stemsOf(statement)
      return {
        text: statement,
        evidence: evidence
          .map(({ page, quote }) => ({ page, quote: clip(oneLine(quote), longestStatement) }))
          .filter(({ page, quote }) => {
            const words = plain(quote)
            if (words.length < shortestQuote || !(texts[page] ?? "").includes(words)) return false
            if (givesOrders(quote)) return false
            // A translation shares names and figures with what it translates, not words.
            return (
              shareIn(stems, stemsOf(quote)) >= leastCovered ||
              [...languages].some((language) => isForeign(quote, language) && !isForeign(statement, language))
            )
          })
      }
    })
    .filter(({ evidence, text }) => {
      if (evidence.length === 0 || text.length < shortestStatement || text.length > longestStatement) return false
      if (linksIn(text).length > 0 || givesOrders(text)) return false
      const figures = figuresOf(evidence.map(({ quote }) => quote).join("\n"))
      if (![...figuresOf(text)].every((figure) => figures.has(figure))) return false
      return namesIn(text).every(
        (name) => asked.includes(plain(name)) || evidence.some(({ page }) => (texts[page] ?? "").includes(plain(name)))
      )
    })
    .slice(0, most)
}

const languages: ReadonlyArray<Language> = ["pt-BR", "en", "es"]

/** Pairs of statements of different pages that speak of the same with other figures. */
export const disagreements = (
  statements: ReadonlyArray<Statement>
): ReadonlyArray<readonly [first: number, second: number]> =>
  statements.flatMap((one, first) =>
    statements.slice(first + 1).flatMap((other, rest) => {
      const figures = figuresOf(one.text)
      const others = figuresOf(other.text)
      const samePages = one.evidence.some(({ page }) => other.evidence.some((evidence) => evidence.page === page))
      if (samePages || figures.size === 0 || others.size === 0) return []
      if ([...figures].every((figure) => others.has(figure)) || [...others].every((figure) => figures.has(figure)))
        return []
      const stems = stemsOf(one.text)
      const otherStems = stemsOf(other.text)
      return Math.min(shareIn(stems, otherStems), shareIn(otherStems, stems)) >= 0.6
        ? [[first, first + 1 + rest] as const]
        : []
    })
  )

/** A page that the answer cites. */
export const SearchSourceView = Schema.Struct({
  number: Schema.Int.annotations({ description: "As the answer cites it, in brackets." }),
  url: Schema.String,
  title: Schema.String,
  date: Schema.NullOr(Schema.String).annotations({ description: "When it was published, where it says so." }),
  passage: Schema.String.annotations({ description: "The words that the answer rests on." })
})
export type SearchSourceView = typeof SearchSourceView.Type

export interface WrittenAnswer {
  /** Markdown. */
  readonly result: string
  readonly sources: ReadonlyArray<SearchSourceView>
}

const texts: {
  readonly [L in Language]: {
    readonly sources: string
    readonly disagree: (first: string, second: string) => string
    readonly nothing: (queries: string, pages: number) => string
  }
} = {
  "pt-BR": {
    sources: "Fontes",
    disagree: (first, second) => `As fontes divergem: ${first} e ${second} trazem números diferentes.`,
    nothing: (queries, pages) =>
      `Nada foi encontrado que responda à pergunta. Buscas feitas: ${queries}. Páginas lidas: ${pages}.`
  },
  en: {
    sources: "Sources",
    disagree: (first, second) => `The sources disagree: ${first} and ${second} give different figures.`,
    nothing: (queries, pages) =>
      `Nothing was found that answers the question. Searched for: ${queries}. Pages read: ${pages}.`
  },
  es: {
    sources: "Fuentes",
    disagree: (first, second) => `Las fuentes no coinciden: ${first} y ${second} dan cifras distintas.`,
    nothing: (queries, pages) =>
      `No se encontró nada que responda a la pregunta. Búsquedas hechas: ${queries}. Páginas leídas: ${pages}.`
  }
}

/** Text of strangers as text in Markdown: it makes no link, no heading, no list and no tag. */
export const markdownText = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_[\]<>#|~]/g, "\\$&")
    .replace(/^([-+]|\d{1,9}[.)])(?=\s)/, "\\$1")

const linkTarget = (url: string): string =>
  url.replace(/[\s()<>\\]/g, (sign) =>
    encodeURIComponent(sign).replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29"))
  )

const longestPassage = 300

/** The answer as it is read: a statement a line with the numbers of its sources, then the sources. */
export const writtenAnswer = (
  statements: ReadonlyArray<Statement>,
  pages: ReadonlyArray<ReadPage>,
  { language, queries }: { readonly language: Language; readonly queries: ReadonlyArray<string> }
): WrittenAnswer => {
  const words = texts[language]
  if (statements.length === 0) {
    return {
      result: words.nothing(queries.map((query) => `“${markdownText(query)}”`).join(", "), pages.length),
      sources: []
    }
  }
  const numbers = new Map<number, number>()
  const sources: Array<SearchSourceView> = []
  for (const { page, quote } of statements.flatMap(({ evidence }) => evidence)) {
    const read = pages[page]
    if (read === undefined || numbers.has(page)) continue
    numbers.set(page, sources.length + 1)
    const { date, title, url } = read
    sources.push({ number: sources.length + 1, url, title, date, passage: clip(quote, longestPassage) })
  }
  const marks = ({ evidence }: Statement): string =>
    [...new Set(evidence.flatMap(({ page }) => numbers.get(page) ?? []))]
      .toSorted((a, b) => a - b)
      .map((number) => `[${number}]`)
      .join("")
  const lines = statements.map((statement) => `${markdownText(statement.text)} ${marks(statement)}`)
  const notes = disagreements(statements).flatMap(([first, second]) => {
    const one = statements[first]
    const other = statements[second]
    return one === undefined || other === undefined ? [] : [`> ${words.disagree(marks(one), marks(other))}`]
  })
  const list = sources.map(
    ({ date, number, passage, title, url }) =>
      `${number}. [${markdownText(title)}](${linkTarget(url)})${date === null ? "" : ` (${date})`}: “${markdownText(passage)}”`
  )
  return {
    result: [...lines, ...new Set(notes), `## ${words.sources}`, list.join("\n")].join("\n\n"),
    sources
  }
}

const file = loadPromptFile(new URL("./online-search.md", import.meta.url))
const longestMaterial = 60_000

/** The prompt for the answer: the best passages, page by page. */
export const answerPrompt = (answer: {
  readonly question: string
  readonly pages: ReadonlyArray<ReadPage>
  readonly count: number
  readonly language: Language
  readonly word: string
}): PromptText => {
  const ofPages = new Map<number, Array<string>>()
  let length = 0
  for (const { page, text } of rankPassages(answer.question, answer.pages)) {
    length += text.length
    if (length > longestMaterial) break
    ofPages.set(page, [...(ofPages.get(page) ?? []), text])
  }
  const material = [...ofPages]
    .map(([page, passages]) => {
      const { date = null, title = "" } = answer.pages[page] ?? {}
      return delimited(
        answer.word,
        `page_${page + 1}`,
        [`${title}${date === null ? "" : ` (${date})`}`, ...passages].join("\n\n"),
        longestMaterial
      )
    })
    .join("\n\n")
  return {
    system: file.section("answer system", { delimiter_rule: delimiterRule(answer.word) }),
    user: file.section("answer task", {
      language: languageNames[answer.language],
      count: String(answer.count),
      question: delimited(answer.word, "question", answer.question, 4000),
      pages: material
    })
  }
}
