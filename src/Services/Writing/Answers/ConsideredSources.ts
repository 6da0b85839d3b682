import { Schema } from "effect"
import { ordersItsReader } from "../../Replies/Readers/ReaderOrders.ts"
import { fold } from "../../Text/PlainText.ts"
import { FactSource, sourceKey } from "../FactSource.ts"
import { isIn } from "../OneLanguage.ts"
import type { KnownPassage, WritingBrief } from "../WritingBrief.ts"
import { knownAnswerTo, questionsIn, sourceOf } from "./KnownAnswers.ts"

/** Why a message does or does not use an answer or passage. */
const WhyConsidered = Schema.Literal(
  "answers_the_question",
  "supports_the_message",
  "does_not_answer",
  "other_source_answers",
  "nothing_asked",
  "in_another_language",
  "gives_orders"
)
type WhyConsidered = typeof WhyConsidered.Type

const considered = {
  score: Schema.NullOr(Schema.Number).annotations({
    description: "How well the passage fits what was looked for, from 0 to 1; null for answers."
  }),
  is_used: Schema.Boolean,
  why: WhyConsidered.annotations({ description: "Why the message uses it, or does not." })
}

/** An answer or passage that was considered for a message. */
export const ConsideredSource = Schema.Union(
  Schema.Struct({ ...FactSource.members[0].fields, ...considered }),
  Schema.Struct({ ...FactSource.members[1].fields, ...considered })
)
export type ConsideredSource = typeof ConsideredSource.Type

/** Why a message was written without the passage. */
const whyUnused = (
  passage: KnownPassage,
  brief: WritingBrief,
  hasAnswers: boolean
): Exclude<WhyConsidered, "answers_the_question" | "supports_the_message"> => {
  const { language, ownersLanguage = language } = brief
  if (ordersItsReader(fold(passage.body))) return "gives_orders"
  if (!isIn(passage.body, language, ownersLanguage)) return "in_another_language"
  if (questionsIn(brief).length === 0) return "nothing_asked"
  return hasAnswers ? "other_source_answers" : "does_not_answer"
}

const roundedScore = (score: number): number => Math.round(score * 1000) / 1000

/** The answers and passages that were considered for a message, with the used ones first. */
export const consideredSources = (
  brief: WritingBrief,
  restsOn: ReadonlyArray<FactSource>
): ReadonlyArray<ConsideredSource> => {
  const answers = questionsIn(brief).map((question) => knownAnswerTo(question, brief))
  const answering = new Set(
    answers.flatMap((answer) => (answer?.source === undefined ? [] : [sourceKey(answer.source)]))
  )
  const passages = new Map(brief.business.knowledge.map((passage) => [sourceKey(sourceOf(passage)), passage]))
  const isAllAnswered = answers.length > 0 && answers.every((answer) => answer !== undefined)
  const used = restsOn.map((source): ConsideredSource => {
    const key = sourceKey(source)
    const score = passages.get(key)?.score
    return {
      ...source,
      score: score === undefined ? null : roundedScore(score),
      is_used: true,
      why: answering.has(key) ? "answers_the_question" : "supports_the_message"
    }
  })
  const usedKeys = new Set(restsOn.map(sourceKey))
  const unused = [...passages.entries()].flatMap(
    ([key, passage]): ReadonlyArray<ConsideredSource> =>
      usedKeys.has(key)
        ? []
        : [
            {
              ...sourceOf(passage),
              score: roundedScore(passage.score),
              is_used: false,
              why: whyUnused(passage, brief, isAllAnswered)
            }
          ]
  )
  return [...used, ...unused]
}
