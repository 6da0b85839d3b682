import { Schema } from "effect"
import type { PromptText } from "../../Models/LanguageModel.ts"
import { loadPromptFile } from "../../Models/PromptFile.ts"
import { ordersItsReader } from "../../Replies/Readers/ReaderOrders.ts"
import { detectLanguage, type Language, languageNames } from "../../Text/Language.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import { delimited, delimiterRule } from "../../Text/PromptDelimiter.ts"
import { linksIn } from "../../Text/Web/Links.ts"
import type { FactSource, SourcedAnswer } from "../FactSource.ts"
import type { BusinessFacts } from "../WritingBrief.ts"
import { passageText, sourceOf } from "./KnownAnswers.ts"

const file = loadPromptFile(new URL("./knowledge.md", import.meta.url))
const longestQuestion = 600
const longestMaterial = 1600
const maximumAnswers = 10
const longestAnswer = 600

/** A text that may contain an answer, with the id by which a model refers to it. */
interface Material {
  readonly id: string
  readonly text: string
  readonly source: FactSource | undefined
}

/** The owner's answers and the passages of the account's files. Passages that give their reader orders are excluded. */
export const materialOf = ({
  answers,
  knowledge
}: Pick<BusinessFacts, "answers" | "knowledge">): ReadonlyArray<Material> =>
  [
    ...knowledge.map((passage) => ({
      id: `file-${passage.businessFileId}-${passage.sequence}`,
      text: passageText(passage),
      source: sourceOf(passage)
    })),
    ...answers.slice(0, maximumAnswers).map(
      ({ answer, answerId }, index): Material => ({
        id: `answer-${index + 1}`,
        text: answer,
        source: answerId === undefined ? undefined : { kind: "faq", answer_id: answerId }
      })
    )
  ].filter(({ text }) => !ordersItsReader(fold(text)))

/** A model's result for the questions. */
export const KnowledgeReading = Schema.Struct({
  answers: Schema.Array(
    Schema.Struct({
      question: Schema.Int.annotations({ description: "The question's number." }),
      source: Schema.NullOr(Schema.String).annotations({ description: "The id of the block that answers, or null." }),
      quote: Schema.NullOr(Schema.String).annotations({
        description: "The part that answers, word for word, or null."
      }),
      answer: Schema.NullOr(Schema.String).annotations({ description: "What the quote says, or null." })
    })
  )
})
export type KnowledgeReading = typeof KnowledgeReading.Type

export const knowledgePrompt = (
  questions: ReadonlyArray<string>,
  business: Pick<BusinessFacts, "name" | "answers" | "knowledge">,
  language: Language,
  word: string
): PromptText => ({
  system: file.section("system", {
    business: business.name,
    language: languageNames[language],
    delimiter_rule: delimiterRule(word)
  }),
  user: file.section("task", {
    questions: questions
      .map((question, index) => `${index + 1}\n${delimited(word, "lead_question", question, longestQuestion)}`)
      .join("\n"),
    material: materialOf(business)
      .map(({ id, text }) => `${id}\n${delimited(word, "material", text, longestMaterial)}`)
      .join("\n")
  })
})

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Numbers by their digits, so that "R$ 1.500" and "1.500 reais" are equal. */
const figuresIn = (text: string): ReadonlyArray<string> =>
  [...fold(text).matchAll(/\d+(?:[.,:]\d+)*/g)].map(([figure]) => figure)

/** Whether an answer contains only figures and links of its quote. */
const isFaithful = (answer: string, quote: string): boolean => {
  const figures = new Set(figuresIn(quote))
  const links = new Set(linksIn(quote))
  return figuresIn(answer).every((figure) => figures.has(figure)) && linksIn(answer).every((link) => links.has(link))
}

const isIn = (text: string, language: Language): boolean => (detectLanguage(text) ?? language) === language

/**
 * A model's answer to a question, checked: the quote must be in its source word for word, and the answer may contain no
 * other figures. `open` means that nothing answers the question, and `unusable` that the model's result is unreliable.
 */
export const checkedAnswer = (
  { answer, quote, source }: KnowledgeReading["answers"][number],
  business: Pick<BusinessFacts, "answers" | "knowledge">,
  language: Language
): SourcedAnswer | "open" | "unusable" => {
  if (source === null && quote === null && answer === null) return "open"
  const material = materialOf(business).find(({ id }) => id === source)
  const exact = oneLine(quote ?? "")
  if (material === undefined || exact === "" || !oneLine(material.text).includes(exact)) return "unusable"
  const phrasing = oneLine(answer ?? "")
  if (phrasing !== "" && phrasing.length <= longestAnswer && isFaithful(phrasing, exact) && isIn(phrasing, language)) {
    return { text: phrasing, source: material.source }
  }
  return isIn(exact, language) ? { text: clip(exact, longestAnswer), source: material.source } : "unusable"
}
