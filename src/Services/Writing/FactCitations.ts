import { fold, sentencesOf } from "../Text/PlainText.ts"
import { amountsIn } from "../Text/Web/Links.ts"
import { contentWords, stemOf } from "../Text/WordStems.ts"
import { knownAnswerTo, questionsIn, sourceOf } from "./Answers/KnownAnswers.ts"
import { type FactSource, sourceKey } from "./FactSource.ts"
import type { WritingBrief } from "./WritingBrief.ts"

interface Statement {
  readonly stems: ReadonlySet<string>
  readonly figures: ReadonlySet<string>
}

/** Amounts, percentages and numbers of at least two digits. */
const figuresIn = (text: string): ReadonlySet<string> =>
  new Set([...amountsIn(text), ...[...fold(text).matchAll(/\d[\d.,]*\d/g)].map(([figure]) => figure)])

const statementsOf = (text: string): ReadonlyArray<Statement> =>
  sentencesOf(text).map((sentence) => ({
    stems: new Set(contentWords(sentence.text).map(stemOf)),
    figures: figuresIn(sentence.text)
  }))

const leastShared = 3
const leastShare = 0.6

/** Whether two sentences state the same: most of the distinctive words, or a figure together with a word. */
const statesSame = (statement: Statement, source: Statement): boolean => {
  const shared = [...source.stems].filter((stem) => statement.stems.has(stem)).length
  if (shared >= leastShared && shared >= leastShare * Math.min(statement.stems.size, source.stems.size)) return true
  return shared >= 1 && [...source.figures].some((figure) => statement.figures.has(figure))
}

/**
 * The answers and passages that a message uses. They are found in the message itself, also in one that a model
 * wrote, because a model's own claim about its sources would need checking too.
 */
export const factCitations = (message: string, brief: WritingBrief): ReadonlyArray<FactSource> => {
  const messageStatements = statementsOf(message)
  const isTold = (text: string): boolean =>
    statementsOf(text).some((source) => messageStatements.some((statement) => statesSame(statement, source)))
  const givenAnswers = questionsIn(brief).flatMap((question) => knownAnswerTo(question, brief) ?? [])
  const sources: ReadonlyArray<FactSource> = [
    ...givenAnswers.flatMap(({ source, text }) => (source !== undefined && isTold(text) ? [source] : [])),
    ...brief.business.answers.flatMap(
      ({ answer, answerId }): ReadonlyArray<FactSource> =>
        answerId !== undefined && isTold(answer) ? [{ kind: "faq", answer_id: answerId }] : []
    ),
    ...brief.business.knowledge.filter(({ body }) => isTold(body)).map(sourceOf)
  ]
  return [...new Map(sources.map((source) => [sourceKey(source), source])).values()]
}
