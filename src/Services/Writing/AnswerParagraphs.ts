import { detectLanguage, type Language } from "../Text/Language.ts"
import { linksIn } from "../Text/Links.ts"
import { clip, tidyText } from "../Text/PlainText.ts"
import { knownAnswerTo, questionsIn } from "./KnownAnswers.ts"
import type { Phrasebook, Variants } from "./Phrasebook.ts"
import type { WritingBrief } from "./WritingBrief.ts"

const longestAnswer = 800
const longestQuestion = 200

const oneLine = (text: string, length: number): string =>
  clip(tidyText(text).replace(/\s+/g, " ").trim(), length).trim()

/** The lead's own question, where repeating it repeats no address, sum or markup that the lead put into it. */
export const repeatable = (question: string, language: Language): string | undefined => {
  const text = oneLine(question, longestQuestion)
  const textLanguage = detectLanguage(text)
  const isPlain = /^[\p{L}\p{M}\p{N} ,.;:!?¿¡'’()-]+$/u.test(text) && !/\d{5}/.test(text) && linksIn(text).length === 0
  return isPlain && (textLanguage === undefined || textLanguage === language) ? text : undefined
}

/** What a message says of the questions that it answers. */
export interface AnswerParagraphs {
  readonly paragraphs: ReadonlyArray<string>
  /** Whether every question has its answer. */
  readonly isComplete: boolean
}

/**
 * All that is known of the lead's questions, and one promise for the others. Of several answers each comes after its
 * question, so that the lead sees which is which.
 */
export const answerParagraphs = (
  brief: WritingBrief,
  book: Pick<Phrasebook, "knownAnswer" | "knownAnswers" | "unknownAnswer" | "unknownAnswers">,
  pick: (slot: string, variants: Variants) => string
): AnswerParagraphs => {
  const questions = questionsIn(brief)
  const judged = questions.map((question) => ({ question, answer: knownAnswerTo(question, brief) }))
  const texts = new Map<string, string>()
  for (const { answer, question } of judged) {
    const text = answer === undefined ? "" : oneLine(answer.text, longestAnswer)
    if (text !== "" && !texts.has(text)) texts.set(text, question)
  }
  const open = judged.flatMap(({ answer, question }) => (answer === undefined ? [question] : []))
  const isComplete = open.length === 0
  const [only] = texts.keys()
  if (only === undefined) return { paragraphs: isComplete ? [] : [pick("unknown", book.unknownAnswer)], isComplete }
  if (texts.size === 1 && isComplete) return { paragraphs: [`${book.knownAnswer} ${only}`], isComplete }
  const lines = [...texts].map(([text, question]) => {
    const quotedQuestion = repeatable(question, brief.language)
    return quotedQuestion === undefined ? text : `${quotedQuestion} ${text}`
  })
  const quoted = open.flatMap((question) => repeatable(question, brief.language) ?? [])
  return {
    paragraphs: [
      `${book.knownAnswers(isComplete)}\n${lines.join("\n")}`,
      ...(isComplete ? [] : [book.unknownAnswers(quoted.length === open.length ? quoted : [])])
    ],
    isComplete
  }
}
