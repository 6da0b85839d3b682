import { type ReadAnswer, readAnswer } from "../../Knowledge/Answers/AnswerReader.ts"
import { passageAnswer } from "../../Knowledge/Answers/PassageAnswer.ts"
import { questionNearness } from "../../Knowledge/Answers/QuestionMatch.ts"
import type { Act } from "../../Replies/Acts.ts"
import { asksForDetails } from "../../Replies/LeadWishes.ts"
import { ordersItsReader } from "../../Replies/Readers/ReaderOrders.ts"
import { questionsOf } from "../../Replies/ReplyReading.ts"
import type { Language } from "../../Text/Language.ts"
import { clip, fold, sentencesOf } from "../../Text/PlainText.ts"
import { mattersOf } from "../../Text/SalesTerms.ts"
import { detailsFor, wantsDetails } from "../Details.ts"
import type { FactSource, SourcedAnswer } from "../FactSource.ts"
import type { BusinessFacts, KnownAnswer, KnownPassage, LeadFacts, WritingBrief } from "../WritingBrief.ts"
import { honestAnswer, sourceQuestionsIn } from "./HonestAnswers.ts"
import { lookupsFor } from "./ObjectionAnswers.ts"

/** The owner's answer to the same question; undefined if a stored question is merely similar. */
export const answerTo = (question: string, answers: ReadonlyArray<KnownAnswer>): KnownAnswer | undefined =>
  answers.find((stored) => questionNearness(question, stored.question) === 1) ??
  answerInAnotherLanguage(question, answers)

/**
 * The answer to the same question in another language. Every word of both questions must be known, and both must have
 * exactly the same topics. Otherwise the owner is asked.
 */
const answerInAnotherLanguage = (question: string, answers: ReadonlyArray<KnownAnswer>): KnownAnswer | undefined => {
  const questionTopics = mattersOf(question)
  if (questionTopics === undefined) return undefined
  return answers.find((stored) => {
    const matters = mattersOf(stored.question)
    return (
      matters !== undefined &&
      matters.size === questionTopics.size &&
      [...questionTopics].every((matter) => matters.has(matter))
    )
  })
}

export const passageText = ({ body, heading, title }: KnownPassage): string =>
  `${heading === "" ? title : `${title}, ${heading}`}: ${body}`

/**
 * A passage with a sentence that gives its reader orders is not a source, because its author did not want to inform.
 */
const isHonest = ({ body }: KnownPassage): boolean => !ordersItsReader(fold(body))

/** What the account's files answer, by rules alone. Table rows that could not become a sentence are left out. */
const quoteFor = (question: string, passages: ReadonlyArray<KnownPassage>, language: Language) => {
  const quote = passageAnswer(question, passages.filter(isHonest), language)
  return quote?.text.includes(" | ") === true ? undefined : quote
}

/**
 * The reply that contains the questions. It decides which ones are about the conversation itself, and which are
 * objections.
 */
export interface AskingReply {
  readonly acts: ReadonlyArray<Act>
  /** The account's name for leads. */
  readonly business: string
  readonly origin?: LeadFacts["origin"]
  /** The reply's text. What leads to a question says what it is about. */
  readonly text?: string
}

export const noReply: AskingReply = { acts: [], business: "" }

/** The owner's answer to a question, or to one that meets an objection. */
export const ownersAnswerTo = (
  question: string,
  answers: ReadonlyArray<KnownAnswer>,
  { acts }: AskingReply,
  language: Language
): KnownAnswer | undefined => {
  for (const text of new Set([question, ...lookupsFor(question, acts, language)])) {
    const answer = answerTo(text, answers)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** In characters. A longer message is about more than its question. */
const longestContext = 500

/** The question with what leads to it. A signature follows it, and is left out. */
const withContext = (question: string, { text = "" }: AskingReply): string => {
  // Questions are stored with a capital.
  const start = text.toLowerCase().indexOf(question.toLowerCase())
  const end = start + question.length
  return start < 0 || end > longestContext ? question : text.slice(0, end)
}

/** The best answer that the trained reader finds. It may be sent if it is certain, and else suggested to the owner. */
const readKnowledge = (
  question: string,
  { answers, knowledge }: Pick<BusinessFacts, "answers" | "knowledge">,
  language: Language,
  reply: AskingReply
):
  | (Pick<ReadAnswer<KnownAnswer, KnownPassage>, "isCertain" | "isDoubtful" | "probability"> & {
      readonly answer: SourcedAnswer
    })
  | undefined => {
  const best = readAnswer(withContext(question, reply), { answers, passages: knowledge.filter(isHonest) }, language)
  if (best === undefined) return undefined
  const source = "entry" in best.source ? ownersSource(best.source.entry) : sourceOf(best.source.passage)
  const { isCertain, isDoubtful, probability } = best
  return { isCertain, isDoubtful, probability, answer: { text: best.text, source } }
}

/** Whether one text is part of the other. */
const isSame = (one: string, other: string): boolean => one.includes(other) || other.includes(one)

export const ownersSource = ({ answerId }: KnownAnswer): FactSource | undefined =>
  answerId === undefined ? undefined : { kind: "faq", answer_id: answerId }

/** What rules make of a question. */
export interface RuledAnswer {
  readonly answer?: SourcedAnswer
  /** Without an answer: what may be suggested to the owner. */
  readonly likely?: SourcedAnswer
}

/**
 * The answer by rules alone: about the conversation, then the owner's answer to the same question, then a passage that
 * has all words of the question and that the trained reader finds likely, then what that reader is certain of.
 */
export const readByRules = (
  question: string,
  business: Pick<BusinessFacts, "answers" | "knowledge">,
  language: Language,
  reply: AskingReply = noReply
): RuledAnswer => {
  const honest = honestAnswer(question, reply.acts, { ...reply, language })
  if (honest !== undefined) return { answer: { text: honest, source: undefined } }
  const ownersEntry = ownersAnswerTo(question, business.answers, reply, language)
  if (ownersEntry !== undefined) return { answer: { text: ownersEntry.answer, source: ownersSource(ownersEntry) } }
  let likely: SourcedAnswer | undefined
  for (const [index, text] of lookupsFor(question, reply.acts, language).entries()) {
    const best = readKnowledge(text, business, language, reply)
    if (best === undefined) continue
    // The words alone quote one sentence, where the reader quotes its whole paragraph. Both must find the same answer.
    const quote = best.isDoubtful ? undefined : quoteFor(text, business.knowledge, language)
    if (quote !== undefined && isSame(quote.text, best.answer.text)) {
      return { answer: { text: quote.text, source: sourceOf(quote.passage) } }
    }
    if (best.isCertain) return { answer: best.answer }
    if (index === 0) likely = best.answer
  }
  return likely === undefined ? {} : { likely }
}

/** The answer that rules may send. */
export const answerByRules = (...args: Parameters<typeof readByRules>): SourcedAnswer | undefined =>
  readByRules(...args).answer

/** The reply that a brief answers. */
export const replyOf = ({
  business,
  kind,
  lead
}: Partial<Pick<WritingBrief, "kind" | "lead">> & { readonly business: { readonly name?: string } }): AskingReply =>
  kind?._tag === "response"
    ? {
        acts: kind.reading.acts,
        business: business.name ?? "",
        text: kind.text,
        ...(lead?.origin === undefined ? {} : { origin: lead.origin })
      }
    : noReply

/** The answer to a question: the one found before the message is written, or else the one by rules. */
export const knownAnswerTo = (
  question: string,
  brief: Pick<WritingBrief, "judged" | "language"> &
    Partial<Pick<WritingBrief, "kind" | "lead">> & {
      readonly business: Pick<BusinessFacts, "answers" | "knowledge"> & { readonly name?: string }
    }
): SourcedAnswer | undefined => {
  const { business, judged = [], language } = brief
  const judgedQuestion = judged.find((one) => one.question === question)
  return judgedQuestion === undefined
    ? answerByRules(question, business, language, replyOf(brief))
    : judgedQuestion.answer
}

export const sourceOf = ({
  businessFileId,
  sequence,
  title
}: KnownPassage): Extract<FactSource, { readonly kind: "business_file" }> => ({
  kind: "business_file",
  business_file_id: businessFileId,
  sequence,
  title
})

/** All questions of the lead. */
export const questionsIn = ({ kind }: Pick<WritingBrief, "kind">): ReadonlyArray<string> =>
  kind._tag === "response"
    ? [...new Set([...questionsOf(kind.reading, kind.text), ...sourceQuestionsIn(kind.reading.acts)])]
    : []

/**
 * Questions that neither the owner nor a file answers in a usable way, and wishes for documents that the account does
 * not have.
 */
export const openQuestionsOf = (brief: WritingBrief): ReadonlyArray<string> => {
  const questions = questionsIn(brief)
  const missing = brief.documents?.missing ?? []
  if (questions.length > 0 || brief.documents !== undefined) {
    return [...questions.filter((question) => knownAnswerTo(question, brief) === undefined), ...missing]
  }
  // If the owner has written no details, they are promised and the owner is asked for them.
  const wish = wantsDetails(brief) && detailsFor(brief) === undefined ? wishOf(brief) : undefined
  return wish === undefined ? [] : [wish]
}

const wishOf = ({ kind }: WritingBrief): string | undefined => {
  if (kind._tag !== "response") return undefined
  const wish = sentencesOf(kind.text).find(({ text }) => asksForDetails(text))?.text ?? kind.text
  return clip(wish.replace(/\s+/g, " ").trim(), 500)
}
