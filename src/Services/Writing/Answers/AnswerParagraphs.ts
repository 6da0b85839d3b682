import { say, type Variants, variants } from "../../Messages/Messages.ts"
import { objectionIn } from "../../Replies/Objections.ts"
import { detectLanguage, type Language } from "../../Text/Language.ts"
import { clip, tidyText } from "../../Text/PlainText.ts"
import { linksIn } from "../../Text/Web/Links.ts"
import type { WritingBrief } from "../WritingBrief.ts"
import { isHonestQuestion } from "./HonestAnswers.ts"
import { knownAnswerTo, questionsIn, replyOf } from "./KnownAnswers.ts"
import { objectionReply } from "./ObjectionAnswers.ts"

const longestAnswer = 800
const longestQuestion = 200

const oneLine = (text: string, length: number): string =>
  clip(tidyText(text).replace(/\s+/g, " ").trim(), length).trim()

/** The lead's question, if repeating it would not repeat an address, an amount or markup from the lead. */
export const repeatable = (question: string, language: Language): string | undefined => {
  const text = oneLine(question, longestQuestion)
  const textLanguage = detectLanguage(text)
  const isPlain = /^[\p{L}\p{M}\p{N} ,.;:!?¿¡'’()-]+$/u.test(text) && !/\d{5}/.test(text) && linksIn(text).length === 0
  return isPlain && (textLanguage === undefined || textLanguage === language) ? text : undefined
}

/** The parts of a message that answer questions. */
export interface AnswerParagraphs {
  readonly paragraphs: ReadonlyArray<string>
  /** Whether every question has its answer. */
  readonly isComplete: boolean
  /** Whether the lead asked only about the conversation itself, such as whether a machine writes. */
  readonly isAboutConversation: boolean
}

/** A question and its one-line answer; undefined if the answer is unknown. */
interface Answered {
  readonly question: string
  readonly answer: string | undefined
}

/** One reply to each kind of objection. */
const toObjections = (objections: ReadonlyArray<Answered>, { kind, language }: WritingBrief): ReadonlyArray<string> => {
  const acts = kind._tag === "response" ? kind.reading.acts : []
  const replies = new Map<string, string>()
  for (const { answer, question } of objections) {
    const topic = objectionIn(question, acts)
    if (topic !== undefined && !replies.has(topic)) replies.set(topic, objectionReply(topic, answer, language))
  }
  return [...replies.values()]
}

/** A promise for the remaining unanswered questions. None if they cannot be repeated. */
const toUnknown = (questions: ReadonlyArray<string>, language: Language): string => {
  if (questions.length === 0) return say(language, "answers.unknown_rest")
  const list = new Intl.ListFormat(language, { type: "conjunction" }).format(questions.map((text) => `"${text}"`))
  return say(language, "answers.unknown_questions", { questions: list })
}

/** If there are several answers, each follows its question. */
const toQuestions = (
  questions: ReadonlyArray<Answered>,
  { language }: WritingBrief,
  pick: (slot: string, variants: Variants) => string
): ReadonlyArray<string> => {
  const texts = new Map<string, string>()
  for (const { answer, question } of questions) {
    if (answer !== undefined && answer !== "" && !texts.has(answer)) texts.set(answer, question)
  }
  const open = questions.flatMap(({ answer, question }) => (answer === undefined ? [question] : []))
  const isComplete = open.length === 0
  const [only] = texts.keys()
  if (only === undefined) return isComplete ? [] : [pick("unknown", variants(language, "answers.unknown"))]
  if (texts.size === 1 && isComplete) return [`${say(language, "answers.known")} ${only}`]
  const lines = [...texts].map(([text, question]) => {
    const quotedQuestion = repeatable(question, language)
    return quotedQuestion === undefined ? text : `${quotedQuestion} ${text}`
  })
  const quoted = open.flatMap((question) => repeatable(question, language) ?? [])
  const introduction = say(language, "answers.known_several", { isComplete })
  return [
    `${introduction}\n${lines.join("\n")}`,
    ...(isComplete ? [] : [toUnknown(quoted.length === open.length ? quoted : [], language)])
  ]
}

/**
 * All known answers to the lead's questions, and one promise for the rest. Questions about the conversation come first,
 * then objections, then questions about the offer.
 */
export const answerParagraphs = (
  brief: WritingBrief,
  pick: (slot: string, variants: Variants) => string
): AnswerParagraphs => {
  const { acts } = replyOf(brief)
  const judged = questionsIn(brief).map((question): Answered => {
    const answer = knownAnswerTo(question, brief)
    return { question, answer: answer === undefined ? undefined : oneLine(answer.text, longestAnswer) }
  })
  const honest = judged.filter(({ question }) => isHonestQuestion(question, acts))
  const others = judged.filter((one) => !honest.includes(one))
  const objections = others.filter(({ question }) => objectionIn(question, acts) !== undefined)
  const questions = others.filter((one) => !objections.includes(one))
  return {
    paragraphs: [
      ...new Set(honest.flatMap(({ answer }) => answer ?? [])),
      ...toObjections(objections, brief),
      ...toQuestions(questions, brief, pick)
    ],
    isComplete: judged.every(({ answer }) => answer !== undefined),
    isAboutConversation: judged.length > 0 && others.length === 0
  }
}
