import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { Schema } from "effect"
import {
  type AnswerFeatures,
  type Corpus,
  corpusOf,
  featuresOf,
  noneFeatures,
  type PreparedQuestion,
  pairsOf,
  prepareQuestion
} from "../src/Services/Knowledge/Answers/AnswerFeatures.ts"
import { isDoubtful, quotedText, unitsOfEntry, unitsOfPassage } from "../src/Services/Knowledge/Answers/AnswerReader.ts"
import { passagesOf } from "../src/Services/Knowledge/Passages.ts"
import { textBlocks } from "../src/Services/Knowledge/TextBlocks.ts"
import type { Language } from "../src/Services/Text/Language.ts"
import { fold, shareOf } from "../src/Services/Text/PlainText.ts"
import { corpus, knowledgeOf } from "../test/Knowledge/Corpus.ts"
import { languages } from "./Sentences.ts"

const Business = Schema.Struct({
  business: Schema.String,
  name: Schema.String,
  profile: Schema.String,
  faq: Schema.Array(Schema.Tuple(Schema.String, Schema.String)),
  files: Schema.Array(Schema.Struct({ title: Schema.String, text: Schema.String }))
})
const Patterns = Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
const Question = Schema.Struct({
  id: Schema.String,
  business: Schema.String,
  question: Schema.String,
  has: Patterns,
  not: Patterns,
  unknown: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
const Line = Schema.parseJson(Schema.Union(Business, Question))
export type BusinessLine = typeof Business.Type
export type QuestionLine = typeof Question.Type

const Pair = Schema.parseJson(
  Schema.Struct({
    business: Schema.String,
    passage: Schema.String,
    question: Schema.String,
    relation: Schema.Literal("answers", "near", "other")
  })
)

const linesOf = (file: URL): ReadonlyArray<string> =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
    : []

/** The businesses and questions of a language in `bench/answers`, or in another folder. */
export const checkedQuestions = (name: string, folder = new URL("../bench/answers/", import.meta.url)) => {
  const lines = linesOf(new URL(`${name}.jsonl`, folder)).map((line) => Schema.decodeUnknownSync(Line)(line))
  return {
    businesses: lines.flatMap((line) => ("name" in line ? [line] : [])),
    questions: lines.flatMap((line) => ("name" in line ? [] : [line]))
  }
}

const matches = (text: string, pattern: string): boolean => new RegExp(pattern, "i").test(text)

/** Whether a text answers a question whose answer is in the knowledge. */
export const isRight = (text: string, { has, not, unknown }: QuestionLine): boolean =>
  !unknown && has.every((pattern) => matches(text, pattern)) && !not.some((pattern) => matches(text, pattern))

export const passagesOfBusiness = ({ files }: BusinessLine) =>
  files.flatMap(({ text, title }) => passagesOf(textBlocks(text)).map((passage) => ({ ...passage, title })))

/** A question about a business, with its statements and those that answer it. */
export interface AnswerExample {
  readonly source: "business" | "pairs"
  readonly part: number
  readonly isAnswered: boolean
  readonly features: ReadonlyArray<AnswerFeatures>
  readonly pairs: ReadonlyArray<ReadonlySet<number>>
  readonly none: AnswerFeatures
  readonly isAnswer: ReadonlyArray<boolean>
  /** Whether it is known of a unit that it answers, or does not. */
  readonly isJudged: ReadonlyArray<boolean>
  readonly texts: ReadonlyArray<string>
  readonly isDoubtful: ReadonlyArray<boolean>
}

export const answerParts = 5

interface Judgement {
  readonly isAnswer: boolean
  readonly isJudged: boolean
}

const exampleOf = (
  source: AnswerExample["source"],
  business: string,
  { language, message }: { readonly language: Language; readonly message: string },
  corpus: Corpus,
  judge: (text: string, index: number) => Judgement
): AnswerExample => {
  const question: PreparedQuestion = prepareQuestion(message, language, corpus)
  const features = corpus.units.map((unit) => featuresOf(question, unit, corpus))
  const texts = corpus.units.map(({ statement }) => quotedText(question, statement))
  const judged = texts.map(judge)
  return {
    source,
    part: Math.floor(shareOf(business) * answerParts),
    features,
    pairs: corpus.units.map((unit) => pairsOf(question, unit)),
    none: noneFeatures(question, features, message),
    texts,
    isAnswered: judged.some(({ isAnswer }) => isAnswer),
    isAnswer: judged.map(({ isAnswer }) => isAnswer),
    isJudged: judged.map(({ isJudged }) => isJudged),
    isDoubtful: corpus.units.map((unit, index) => isDoubtful(features[index] ?? {}, unit))
  }
}

const businessExamples = (name: string, language: Language): ReadonlyArray<AnswerExample> => {
  const { businesses, questions } = checkedQuestions(name)
  return businesses.flatMap((business) => {
    const corpus = corpusOf([
      ...business.faq.flatMap(([question, answer]) => unitsOfEntry({ question, answer }, language)),
      ...passagesOfBusiness(business).flatMap((passage) => unitsOfPassage(passage, language))
    ])
    return questions.flatMap((question) => {
      if (question.business !== business.business) return []
      const message = { language, message: question.question }
      const example = exampleOf("business", business.business, message, corpus, (text) => ({
        isAnswer: isRight(text, question),
        isJudged: true
      }))
      // Only the profile answers a few, and it is not among the statements.
      return example.isAnswered || question.unknown ? [example] : []
    })
  })
}

const foldedMatches = (text: string, part: string): boolean => fold(text).includes(fold(part))

/** The questions of the small businesses that the tests of the rules use. Their held-out businesses are not learnt from. */
const corpusExamples = (language: Language): ReadonlyArray<AnswerExample> =>
  corpus(language)
    .filter(({ isHeldOut }) => !isHeldOut)
    .flatMap((business) => {
      const statements = corpusOf(knowledgeOf(business, 1).flatMap((passage) => unitsOfPassage(passage, language)))
      return business.questions.map(({ question, says, saysNot }) =>
        exampleOf("business", `${language} ${business.name}`, { language, message: question }, statements, (text) => ({
          isAnswer:
            says?.every((part) => foldedMatches(text, part)) === true && !saysNot.some((part) => text.includes(part)),
          isJudged: true
        }))
      )
    })

/** Pairs have rows of tables with bars, without the names of the columns. */
const bodyOf = (passage: string): string => passage.replaceAll(" | ", "; ")

const pairExamples = (name: string, language: Language): ReadonlyArray<AnswerExample> => {
  const pairs = linesOf(new URL(`./answers/${name}.jsonl`, import.meta.url)).map((line) =>
    Schema.decodeUnknownSync(Pair)(line)
  )
  const businesses = [...new Set(pairs.map(({ business }) => business))]
  return businesses.flatMap((business) => {
    const all = pairs.filter((pair) => pair.business === business)
    const passages = [...new Set(all.map(({ passage }) => passage))]
    const units = passages.map((passage) => unitsOfPassage({ title: "", heading: "", body: bodyOf(passage) }, language))
    const passageOf = units.flatMap((ofPassage, index) => ofPassage.map(() => passages[index]))
    const corpus = corpusOf(units.flat())
    return all.map(({ passage, question, relation }) =>
      exampleOf("pairs", business, { language, message: question }, corpus, (_, index) => ({
        isAnswer: relation === "answers" && passageOf[index] === passage,
        // Another passage of the business may answer what this one does not.
        isJudged: relation === "answers" || passageOf[index] === passage
      }))
    )
  })
}

export const answerExamples = (): ReadonlyArray<AnswerExample> =>
  languages.flatMap(([language, name]) => [
    ...businessExamples(name, language),
    ...corpusExamples(language),
    ...pairExamples(name, language)
  ])

const featureFiles = ["AnswerFeatures", "AnswerUnits", "StatedKinds", "AnswerReader"]

/** Changes with the questions, and with the code that makes features of them. */
export const answersDigest = (): string => {
  const hash = createHash("sha256")
  for (const [, name] of languages) {
    for (const line of linesOf(new URL(`./answers/${name}.jsonl`, import.meta.url))) hash.update(line)
  }
  for (const file of featureFiles) {
    hash.update(readFileSync(new URL(`../src/Services/Knowledge/Answers/${file}.ts`, import.meta.url)))
  }
  return hash.digest("hex").slice(0, 16)
}
