import { addedByHand, type LeadOrigin } from "../../Leads/LeadOrigin.ts"
import { say } from "../../Messages/Messages.ts"
import type { Act } from "../../Replies/Acts.ts"
import { isSourceQuestion } from "../../Replies/SourceQuestions.ts"
import type { Language } from "../../Text/Language.ts"
import { genderOf } from "../../Text/PersonName.ts"
import { clip, fold, tidyText } from "../../Text/PlainText.ts"
import { articleGender } from "../BusinessName.ts"

/** Questions of leads about the conversation itself. They need neither the owner nor the owner's files. */
type HonestTopic = "machine" | "source"

const longestName = 120

const oneLine = (text: string): string => clip(tidyText(text).replace(/\s+/g, " ").trim(), longestName)

/** One sentence may ask about both. */
const topicsOf = (question: string, acts: ReadonlyArray<Act>): ReadonlyArray<HonestTopic> => {
  const folded = fold(question)
  const ofQuestion = acts.filter(({ text }) => fold(text) === folded)
  return [
    ...(ofQuestion.some(({ isCertain, kind }) => kind === "asks_if_machine" && isCertain) ? ["machine" as const] : []),
    ...(ofQuestion.some(isSourceQuestion) ? ["source" as const] : [])
  ]
}

/** The sentences that ask how the account got the lead's contact, unchanged. */
export const sourceQuestionsIn = (acts: ReadonlyArray<Act>): ReadonlyArray<string> => [
  ...new Set(acts.filter(isSourceQuestion).map(({ text }) => text))
]

/** Whether a question is about the conversation itself, so that the platform can answer it. */
export const isHonestQuestion = (question: string, acts: ReadonlyArray<Act>): boolean =>
  topicsOf(question, acts).length > 0

/** The true answer to a question about the conversation itself; undefined for other questions. */
export const honestAnswer = (
  question: string,
  acts: ReadonlyArray<Act>,
  facts: { readonly business: string; readonly origin?: LeadOrigin | undefined; readonly language: Language }
): string | undefined => {
  const { language } = facts
  const business = oneLine(facts.business)
  const words = { business, businessGender: articleGender(business) }
  const { kind, name = "" } = facts.origin ?? addedByHand
  const source = { ...words, name: oneLine(name ?? ""), gender: genderOf(name ?? "") }
  const topics = topicsOf(question, acts)
  return topics.length === 0
    ? undefined
    : topics
        .map((topic) =>
          topic === "machine"
            ? say(language, "answers.about_us.machine", words)
            : `${say(language, `answers.about_us.source.${kind}`, source)} ${say(language, "answers.about_us.stop")}`
        )
        .join(" ")
}
