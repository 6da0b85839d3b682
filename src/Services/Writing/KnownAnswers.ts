import { passageAnswer } from "../Knowledge/Answers/PassageAnswer.ts"
import { asksForDetails } from "../Replies/LeadWishes.ts"
import { ordersItsReader } from "../Replies/ReaderOrders.ts"
import { questionOf, questionsOf } from "../Replies/ReplyReading.ts"
import type { Language } from "../Text/Language.ts"
import { clip, fold, sentencesOf } from "../Text/PlainText.ts"
import { mattersOf } from "../Text/SalesTerms.ts"
import { detailsFor, wantsDetails } from "./Details.ts"
import type { FactSource, SourcedAnswer } from "./FactSource.ts"
import type { BusinessFacts, KnownAnswer, KnownPassage, WritingBrief } from "./WritingBrief.ts"

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

/** A passage in which a sentence orders its reader about is no source: who wrote it wanted something else than to inform. */
const isHonest = ({ body }: KnownPassage): boolean => !ordersItsReader(fold(body))

/** What the account's files say of a question, by rules alone. */
const quoteFor = (question: string, passages: ReadonlyArray<KnownPassage>, language: Language) =>
  passageAnswer(question, passages.filter(isHonest), language)

/** Whether one of the passages answers the question. */
export const isCoveredBy = (question: string, passages: ReadonlyArray<KnownPassage>, language: Language): boolean =>
  quoteFor(question, passages, language) !== undefined

/** What the owner's answers and the account's files say of a question in a language, by rules alone. */
export const answerByRules = (
  question: string,
  business: Pick<BusinessFacts, "answers" | "knowledge">,
  language: Language
): SourcedAnswer | undefined => {
  const answer = answerTo(question, business.answers)
  if (answer !== undefined) {
    const { answerId } = answer
    return {
      text: answer.answer,
      source: answerId === undefined ? undefined : { kind: "faq", answer_id: answerId }
    }
  }
  const quote = quoteFor(question, business.knowledge, language)
  return quote === undefined ? undefined : { text: quote.text, source: sourceOf(quote.passage) }
}

/** What is known of a question: what was found before the message is written, else what rules say. */
export const knownAnswerTo = (
  question: string,
  {
    business,
    judged = [],
    language
  }: Pick<WritingBrief, "judged" | "language"> & {
    readonly business: Pick<BusinessFacts, "answers" | "knowledge">
  }
): SourcedAnswer | undefined => {
  const found = judged.find((one) => one.question === question)
  return found === undefined ? answerByRules(question, business, language) : found.answer
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

/** All that the lead asked. */
export const questionsIn = ({ kind }: Pick<WritingBrief, "kind">): ReadonlyArray<string> =>
  kind._tag === "response" ? questionsOf(kind.reading, kind.text) : []

/** The question to which neither the owner nor a file has given an answer that may be passed on. */
export const openQuestionOf = (brief: WritingBrief): string | undefined => {
  const questions = questionsIn(brief)
  if (questions.length > 0) return questions.find((question) => knownAnswerTo(question, brief) === undefined)
  // Details that the owner has not written down are promised, and the owner is asked for them.
  return wantsDetails(brief) && detailsFor(brief) === undefined ? wishOf(brief) : undefined
}

const wishOf = ({ kind }: WritingBrief): string | undefined => {
  if (kind._tag !== "response") return undefined
  const wish = sentencesOf(kind.text).find(({ text }) => asksForDetails(text))?.text ?? kind.text
  return clip(wish.replace(/\s+/g, " ").trim(), 500)
}
