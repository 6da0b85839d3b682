import { Schema } from "effect"
import type { PromptText } from "../Models/LanguageModel.ts"
import { loadPromptFile } from "../Models/PromptFile.ts"
import { ordersItsReader } from "../Replies/Readers/ReaderOrders.ts"
import { isForeign, type Language, languageNames } from "../Text/Language.ts"
import { preparePassage, prepareQuery, scorePassage, weightByLength } from "../Text/PassageScore.ts"
import { clip, fold, sentencesOf, tidyText } from "../Text/PlainText.ts"
import { delimited, delimiterRule } from "../Text/PromptDelimiter.ts"
import { linksIn } from "../Text/Web/Links.ts"
import { contentWords, stemOf } from "../Text/WordStems.ts"
import { namesIn } from "./SearchPlan.ts"
import type { ReadPage } from "./WebSearch.ts"

/** A page's words that support a statement. `page` is its index among the pages that were read. */
export interface Evidence {
  readonly page: number
  readonly quote: string
}

export interface Statement {
  readonly text: string
  readonly evidence: ReadonlyArray<Evidence>
}

/** The answer of a model. Its page numbers begin at 1. */
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

const isInstruction = (text: string): boolean => ordersItsReader(fold(text))

/** A number in any notation: 1.500,00, 1,500 and 1500 are equal. */
const figureKey = (figure: string): string => {
  const [, whole = figure, decimals = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(figure) ?? []
  const fraction = decimals.replace(/0+$/, "")
  const digits = whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "")
  return fraction === "" ? digits : `${digits}.${fraction}`
}

/** The numbers in a text. */
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

const minimumPassageScore = 0.2
const comparedPassages = 40

/** The passages of all pages that match the question, best first. */
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
    .filter(({ score }) => score >= minimumPassageScore)
    .toSorted((a, b) => b.score - a.score || a.page - b.page)
    .slice(0, comparedPassages)
}

/** Whether a sentence can be quoted: it must be a statement, and not an instruction to the reader. */
const isQuotable = (text: string, isQuestion: boolean): boolean =>
  !isQuestion &&
  text.length >= shortestStatement &&
  text.length <= longestStatement &&
  linksIn(text).length === 0 &&
  contentWords(text).length >= 4 &&
  !isInstruction(text)

const minimumShare = 0.25
/** From this similarity on, two sentences count as the same. */
const sameFrom = 0.75

/**
 * An answer of sentences quoted from the pages: those that match most of the question, from the best passages first. A
 * page that repeats a sentence is cited with it. The same words with other figures are a separate statement.
 */
export const statementsByRules = (
  question: string,
  pages: ReadonlyArray<ReadPage>,
  most: number
): ReadonlyArray<Statement> => {
  const questionStems = stemsOf(question)
  const candidates = rankPassages(question, pages)
    .flatMap(({ page, score, text }) =>
      sentencesOf(text).map((sentence) => ({
        ...sentence,
        page,
        rank: score + shareIn(questionStems, stemsOf(sentence.text))
      }))
    )
    .filter(({ isQuestion, text }) => isQuotable(text, isQuestion))
    .filter(({ text }) => shareIn(questionStems, stemsOf(text)) >= minimumShare)
    .toSorted((a, b) => b.rank - a.rank || a.page - b.page)
  const statements: Array<{ text: string; evidence: Array<Evidence>; stems: ReadonlySet<string>; figures: string }> = []
  for (const { page, text } of candidates) {
    const stems = stemsOf(text)
    const figures = [...figuresOf(text)].sort().join(" ")
    const repeated = statements.find(
      (other) =>
        other.figures === figures && Math.max(shareIn(stems, other.stems), shareIn(other.stems, stems)) >= sameFrom
    )
    if (repeated !== undefined) {
      if (repeated.evidence.every((one) => one.page !== page)) repeated.evidence.push({ page, quote: text })
    } else if (statements.length < most) statements.push({ text, evidence: [{ page, quote: text }], stems, figures })
  }
  return statements.map(({ evidence, text }) => ({ text, evidence }))
}

const plain = (text: string): string =>
  fold(text)
    .replace(/[^a-z0-9]+/g, " ")
    .trim()

/** The share of words that a statement and its quote must have in common, in the same language. */
const minimumCoverage = 0.5

/**
 * Keeps only sentences that a page supports. A quote must be on the page word for word, the quotes must contain the
 * sentence's figures and names, and both must have the same subject. Wrong quotes are removed first.
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
  const plainQuestion = plain(question)
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
            if (isInstruction(quote)) return false
            // A translation shares names and figures with the original, but not words.
            return (
              shareIn(stems, stemsOf(quote)) >= minimumCoverage ||
              [...languages].some((language) => isForeign(quote, language) && !isForeign(statement, language))
            )
          })
      }
    })
    .filter(({ evidence, text }) => {
      if (evidence.length === 0 || text.length < shortestStatement || text.length > longestStatement) return false
      if (linksIn(text).length > 0 || isInstruction(text)) return false
      const figures = figuresOf(evidence.map(({ quote }) => quote).join("\n"))
      if (![...figuresOf(text)].every((figure) => figures.has(figure))) return false
      return namesIn(text).every(
        (name) =>
          plainQuestion.includes(plain(name)) || evidence.some(({ page }) => (texts[page] ?? "").includes(plain(name)))
      )
    })
    .slice(0, most)
}

const languages: ReadonlyArray<Language> = ["pt-BR", "en", "es"]

/** Pairs of statements from different pages about the same subject with different figures. */
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
  number: Schema.Int.annotations({ description: "The number by which the answer cites it, in brackets." }),
  url: Schema.String,
  title: Schema.String,
  date: Schema.NullOr(Schema.String).annotations({ description: "When it was published, where it says so." }),
  passage: Schema.String.annotations({ description: "The quoted words that support the answer." })
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

/** Escapes untrusted text for Markdown, so that it creates no link, heading, list or tag. */
export const markdownText = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_[\]<>#|~]/g, "\\$&")
    .replace(/^([-+]|\d{1,9}[.)])(?=\s)/, "\\$1")

const linkTarget = (url: string): string =>
  url.replace(/[\s()<>\\]/g, (sign) =>
    encodeURIComponent(sign).replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29"))
  )

const longestPassage = 300

/** The answer as text: one statement per line with the numbers of its sources, then the sources. */
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
    const readPage = pages[page]
    if (readPage === undefined || numbers.has(page)) continue
    numbers.set(page, sources.length + 1)
    const { date, title, url } = readPage
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
