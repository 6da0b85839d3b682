import { Context, Effect, Layer } from "effect"
import { foreignAnswer } from "../Knowledge/Answers/ForeignAnswer.ts"
import { LanguageModel, type Usage } from "../Models/LanguageModel.ts"
import type { Language } from "../Text/Language.ts"
import { DelimiterWord } from "../Text/PromptDelimiter.ts"
import type { SourcedAnswer } from "./FactSource.ts"
import { checkedAnswer, KnowledgeReading, knowledgePrompt } from "./KnowledgePrompt.ts"
import { answerByRules, answerTo, sourceOf } from "./KnownAnswers.ts"
import type { BusinessFacts, JudgedQuestion } from "./WritingBrief.ts"

export interface KnowledgeRequest {
  readonly questions: ReadonlyArray<string>
  readonly business: BusinessFacts
  /** Of the lead, and so of the answers. */
  readonly language: Language
}

export interface KnowledgeFindings {
  /** One for each question, in their order. */
  readonly judged: ReadonlyArray<JudgedQuestion>
  /** What the model used up; absent where rules decided. */
  readonly usage: Usage | undefined
}

/**
 * Finds what the owner's answers and files say of a lead's questions. A language model reads the best passages and quotes
 * what answers. Its quotes are checked word for word. Rules decide without a model, and where its word cannot be relied on.
 */
export class KnowledgeAnswers extends Context.Tag("KnowledgeAnswers")<
  KnowledgeAnswers,
  { readonly find: (request: KnowledgeRequest) => Effect.Effect<KnowledgeFindings> }
>() {}

const maximumQuestions = 8
const maxOutputTokens = 2000
const timeout = "30 seconds"

/** What rules say: an answer in the lead's language, else figures that need no language, else a proposal to the owner. */
const byRules = (question: string, business: BusinessFacts, language: Language): JudgedQuestion => {
  const answer = answerByRules(question, business, language)
  if (answer !== undefined) return { question, answer }
  const foreign = foreignAnswer(question, business.knowledge, language)
  if (foreign === undefined) return { question, answer: undefined }
  const source = sourceOf(foreign.passage)
  return foreign.sentence === undefined
    ? { question, answer: undefined, proposal: { text: foreign.text, source } }
    : { question, answer: { text: foreign.sentence, source } }
}

const judgedBy = (
  { answers }: KnowledgeReading,
  { business, language }: KnowledgeRequest,
  question: string,
  number: number
): JudgedQuestion => {
  const reading = answers.find((one) => one.question === number)
  const checked = reading === undefined ? "unusable" : checkedAnswer(reading, business, language)
  if (checked === "open") return { question, answer: undefined }
  return checked === "unusable" ? byRules(question, business, language) : { question, answer: checked }
}

const ownersAnswer = (question: string, { answers }: BusinessFacts): SourcedAnswer | undefined => {
  const ownersEntry = answerTo(question, answers)
  if (ownersEntry === undefined) return undefined
  const { answer, answerId } = ownersEntry
  return { text: answer, source: answerId === undefined ? undefined : { kind: "faq", answer_id: answerId } }
}

export const KnowledgeAnswersLayer = Layer.effect(
  KnowledgeAnswers,
  Effect.gen(function* () {
    const model = yield* LanguageModel

    /** Questions to which the owner has given no answer, as a model judges them. */
    const askModel = (request: KnowledgeRequest): Effect.Effect<KnowledgeFindings> =>
      Effect.gen(function* () {
        const { next } = yield* DelimiterWord
        const word = yield* next
        const { business, language, questions } = request
        const ruled = questions.map((question) => byRules(question, business, language))
        return yield* model
          .generate({
            prompt: knowledgePrompt(questions, business, language, word),
            schema: KnowledgeReading,
            maxOutputTokens,
            timeout,
            purpose: "answer_from_knowledge",
            inSandbox: Effect.succeed({ answers: [] })
          })
          .pipe(
            Effect.map(({ usage, value }) => ({
              judged: questions.map((question, index) => judgedBy(value, request, question, index + 1)),
              usage
            })),
            Effect.catchAll(({ usage }) => Effect.succeed({ judged: ruled, usage }))
          )
      })

    return KnowledgeAnswers.of({
      find: Effect.fn("KnowledgeAnswers.find")(function* ({ business, language, questions }: KnowledgeRequest) {
        const answeredByOwner = new Map<string, JudgedQuestion>()
        for (const question of questions) {
          const answer = ownersAnswer(question, business)
          if (answer !== undefined) answeredByOwner.set(question, { question, answer })
          else if (model.mode === "sandbox") answeredByOwner.set(question, byRules(question, business, language))
        }
        const open = [...new Set(questions)].filter((question) => !answeredByOwner.has(question))
        const isAsked = open.length > 0 && business.knowledge.length > 0
        const findings = isAsked
          ? yield* askModel({ business, language, questions: open.slice(0, maximumQuestions) })
          : { judged: [], usage: undefined }
        for (const judged of findings.judged) answeredByOwner.set(judged.question, judged)
        const judged = questions.map(
          (question) => answeredByOwner.get(question) ?? byRules(question, business, language)
        )
        return { judged, usage: findings.usage }
      })
    })
  })
)
