import { asksForDetails } from "../Replies/LeadWishes.ts"
import { ordersItsReader } from "../Replies/ReaderOrders.ts"
import { questionOf } from "../Replies/ReplyReading.ts"
import { detectLanguage, type Language } from "../Text/Language.ts"
import { amountsIn } from "../Text/Links.ts"
import { clip, fold, sentencesOf } from "../Text/PlainText.ts"
import { inSharedTerms, mattersOf, priceTerm } from "../Text/SalesTerms.ts"
import { contentWords, stemOf } from "../Text/WordStems.ts"
import { detailsFor, wantsDetails } from "./Details.ts"
import type { FactSource } from "./FactSource.ts"
import type { KnownAnswer, KnownPassage, WritingBrief } from "./WritingBrief.ts"

const emptyWords: ReadonlySet<string> = new Set(
  "que qual quais como quanto quando onde para por com sem uma uns umas dos das voce voces isso este esta esse essa tem ter sao ser the what which how when where does your you with and for are can could would have has this that cual cuales donde cuando cuanto usted ustedes los las del una tienen tiene ser son hay por favor ola hola hello".split(
    " "
  )
)

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    fold(text.slice(0, 1000))
      .split(/[^a-z0-9]+/)
      .filter((word) => word.length > 2 && !emptyWords.has(word))
      // A crude stem, so that "preços" meets "preço" and "integrates" meets "integrate".
      .map((word) => (word.length > 4 ? word.replace(/(?:es|s)$/, "") : word))
  )

/** The owner's answer to the stored question that asks the same; undefined where none is near enough. */
export const answerTo = (question: string, answers: ReadonlyArray<KnownAnswer>): KnownAnswer | undefined => {
  const wanted = wordsOf(question)
  let best: { readonly answer: KnownAnswer; readonly share: number } | undefined
  for (const known of answers) {
    const words = wordsOf(known.question)
    const shared = [...wanted].filter((word) => words.has(word)).length
    const share = shared / Math.max(1, Math.min(wanted.size, words.size))
    // "How much is it?" is not "how much is the training?": of few words all have to be the same.
    const isNear = share >= 0.6 && (shared >= 2 || (wanted.size === words.size && shared === words.size))
    if (isNear && (best === undefined || share > best.share)) best = { answer: known, share }
  }
  return best?.answer ?? answerInAnotherLanguage(question, answers)
}

/**
 * The answer to the same question in another language: only where each word of both is known, and both are about the same
 * matters and nothing else. A question that says more is not known, and the owner is asked.
 */
const answerInAnotherLanguage = (question: string, answers: ReadonlyArray<KnownAnswer>): KnownAnswer | undefined => {
  const wanted = mattersOf(question)
  if (wanted === undefined) return undefined
  return answers.find((known) => {
    const matters = mattersOf(known.question)
    return matters !== undefined && matters.size === wanted.size && [...wanted].every((matter) => matters.has(matter))
  })
}

export const passageText = ({ body, heading, title }: KnownPassage): string =>
  `${heading === "" ? title : `${title}, ${heading}`}: ${body}`

/** The share of the question's telling words that a passage must have: one that is missing may be the very point. */
const leastCovered = 0.85
/** Or how near it is, where a service tells meanings: by its words alone a passage seldom comes so far. */
const surelyNear = 0.8
const longestQuoted = 500

/** What a text speaks of: "how much", "custa" and "price" are one thing. */
const stemsOf = (text: string): ReadonlySet<string> => new Set(contentWords(inSharedTerms(text)).map(stemOf))

const priceStem = stemOf(priceTerm)

/** A row of a table, as passages have it: the names of columns and what stands below them. */
const isRow = (line: string): boolean => {
  const parts = line.split("; ")
  return parts.length > 1 && parts.every((part) => part.includes(": "))
}

interface Piece {
  readonly text: string
  readonly isRow: boolean
}

/** Sentences, and rows of tables whole: half a row says nothing. Lines are kept in passages that are tables alone. */
const piecesOf = (body: string): ReadonlyArray<Piece> => {
  const isTable = body.includes("\n")
  return body.split("\n").flatMap((line): ReadonlyArray<Piece> => {
    if (isTable || isRow(line)) return [{ text: /[.!?]$/.test(line) ? line : `${line}.`, isRow: true }]
    return sentencesOf(line).map(({ text }) => ({ text, isRow: false }))
  })
}

interface Quote {
  readonly text: string
  /** How much of the question it speaks of itself. */
  readonly fit: number
  readonly isOfRows: boolean
}

/**
 * What a passage says of what was asked, as it stands there; undefined where there is nothing, where it is in another language,
 * or where it tells its reader what to do.
 */
const quoteOf = (question: string, passage: KnownPassage, language: Language): Quote | undefined => {
  const wanted = stemsOf(question)
  const pieces = piecesOf(passage.body).map((piece) => {
    const stems = stemsOf(piece.text)
    return { ...piece, shared: [...wanted].filter((stem) => stems.has(stem)).length }
  })
  const most = Math.max(0, ...pieces.map(({ shared }) => shared))
  const best = pieces.filter(({ shared }) => shared === most)
  // Where the heading alone has the question's words, what stands first below it is the answer. Of a table all rows that fit
  // are: one of three prices would be a wrong one.
  const isOfRows = best.some(({ isRow }) => isRow)
  const chosen = isOfRows ? best : best.slice(0, most === 0 ? 1 : 2)
  const text = chosen.map((piece) => piece.text).join(" ")
  const written = detectLanguage(text) ?? detectLanguage(passageText(passage))
  const isFit =
    text !== "" && (isOfRows || text.length <= longestQuoted) && (written === undefined || written === language)
  if (!isFit || ordersItsReader(fold(text))) return undefined
  return { text, isOfRows, fit: most + (wanted.has(priceStem) && amountsIn(text).length > 0 ? 1 : 0) }
}

const covers = (question: string, passage: KnownPassage): boolean => {
  if (passage.score >= surelyNear) return true
  const wanted = stemsOf(question)
  const known = stemsOf(passageText(passage))
  const shared = [...wanted].filter((stem) => known.has(stem)).length
  // One word is in many passages: it tells what a passage is about only where it stands above it.
  if (wanted.size === 1) return [...wanted].every((stem) => stemsOf(`${passage.title} ${passage.heading}`).has(stem))
  return wanted.size > 0 && shared >= leastCovered * wanted.size
}

/** The passage that answers the question, and what it says: of several the one that speaks most of what was asked. */
const bestQuote = (
  question: string,
  passages: ReadonlyArray<KnownPassage>,
  language: Language
): (Quote & { readonly passage: KnownPassage }) | undefined => {
  const [best, ...others] = passages
    .filter((passage) => covers(question, passage))
    .flatMap((passage) => {
      const quote = quoteOf(question, passage, language)
      return quote === undefined ? [] : [{ ...quote, passage }]
    })
    // What scores best comes first and stays so among equals.
    .toSorted((a, b) => b.fit - a.fit)
  if (best?.isOfRows !== true) return best
  const goesOn = others.some(
    ({ fit, isOfRows, passage }) =>
      isOfRows &&
      fit === best.fit &&
      passage.businessFileId === best.passage.businessFileId &&
      passage.heading === best.passage.heading
  )
  // A list that cannot be told whole is the owner's to tell, and nothing that speaks less of the question stands in for it.
  return goesOn || best.text.length > longestQuoted ? undefined : best
}

/** Whether one of the passages answers the question. */
export const isCoveredBy = (question: string, passages: ReadonlyArray<KnownPassage>, language: Language): boolean =>
  bestQuote(question, passages, language) !== undefined

export interface Known {
  readonly text: string
  readonly source: FactSource | undefined
}

/** What is known of a question: the owner's answer to it, else what the account's own files say of it. */
export const knownAnswerTo = (
  question: string,
  {
    business,
    language
  }: { readonly business: Pick<WritingBrief["business"], "answers" | "knowledge">; readonly language: Language }
): Known | undefined => {
  const answer = answerTo(question, business.answers)
  if (answer !== undefined) {
    const { answerId } = answer
    return {
      text: answer.answer,
      source: answerId === undefined ? undefined : { kind: "faq", answer_id: answerId }
    }
  }
  const quote = bestQuote(question, business.knowledge, language)
  return quote === undefined ? undefined : { text: quote.text, source: sourceOf(quote.passage) }
}

export const sourceOf = ({ businessFileId, sequence, title }: KnownPassage): FactSource => ({
  kind: "business_file",
  business_file_id: businessFileId,
  sequence,
  title
})

/** What the lead asked; null where the message answers no question. */
export const questionIn = ({ kind }: Pick<WritingBrief, "kind">): string | null =>
  kind._tag === "response" ? questionOf(kind.reading, kind.text) : null

/** The question to which neither the owner nor a file has given an answer that may be passed on. */
export const openQuestionOf = (brief: WritingBrief): string | undefined => {
  const question = questionIn(brief)
  if (question !== null) return knownAnswerTo(question, brief) === undefined ? question : undefined
  // Details that nobody has written down are promised, and the owner is asked for them.
  return wantsDetails(brief) && detailsFor(brief) === undefined ? wishOf(brief) : undefined
}

const wishOf = ({ kind }: WritingBrief): string | undefined => {
  if (kind._tag !== "response") return undefined
  const wish = sentencesOf(kind.text).find(({ text }) => asksForDetails(text))?.text ?? kind.text
  return clip(wish.replace(/\s+/g, " ").trim(), 500)
}
