import { amountsIn } from "../Text/Links.ts"
import { fold, sentencesOf } from "../Text/PlainText.ts"
import { contentWords, stemOf } from "../Text/WordStems.ts"
import { type FactSource, sourceKey } from "./FactSource.ts"
import { knownAnswerTo, questionsIn, sourceOf } from "./KnownAnswers.ts"
import type { WritingBrief } from "./WritingBrief.ts"

interface Statement {
  readonly stems: ReadonlySet<string>
  readonly figures: ReadonlySet<string>
}

/** Sums, percentages and numbers of two digits and more. */
const figuresIn = (text: string): ReadonlySet<string> =>
  new Set([...amountsIn(text), ...[...fold(text).matchAll(/\d[\d.,]*\d/g)].map(([figure]) => figure)])

const statementsOf = (text: string): ReadonlyArray<Statement> =>
  sentencesOf(text).map((sentence) => ({
    stems: new Set(contentWords(sentence.text).map(stemOf)),
    figures: figuresIn(sentence.text)
  }))

const leastShared = 3
const leastShare = 0.6

/** Whether one sentence tells what the other does: most of its telling words, or a figure together with a word. */
const tells = (told: Statement, known: Statement): boolean => {
  const shared = [...known.stems].filter((stem) => told.stems.has(stem)).length
  if (shared >= leastShared && shared >= leastShare * Math.min(told.stems.size, known.stems.size)) return true
  return shared >= 1 && [...known.figures].some((figure) => told.figures.has(figure))
}

/**
 * The answers and passages that a message tells something of. It is judged by the message itself, whoever wrote it: a
 * model's own word for what it rests on would be one more thing to check.
 */
export const factCitations = (message: string, brief: WritingBrief): ReadonlyArray<FactSource> => {
  const told = statementsOf(message)
  const isTold = (text: string): boolean =>
    statementsOf(text).some((known) => told.some((statement) => tells(statement, known)))
  const given = questionsIn(brief).flatMap((question) => knownAnswerTo(question, brief) ?? [])
  const sources: ReadonlyArray<FactSource> = [
    ...given.flatMap(({ source, text }) => (source !== undefined && isTold(text) ? [source] : [])),
    ...brief.business.answers.flatMap(
      ({ answer, answerId }): ReadonlyArray<FactSource> =>
        answerId !== undefined && isTold(answer) ? [{ kind: "faq", answer_id: answerId }] : []
    ),
    ...brief.business.knowledge.filter(({ body }) => isTold(body)).map(sourceOf)
  ]
  return [...new Map(sources.map((source) => [sourceKey(source), source])).values()]
}
