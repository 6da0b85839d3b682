import { Context, Effect, Layer } from "effect"
import { foreignAnswer } from "../../Knowledge/Answers/ForeignAnswer.ts"
import { LanguageModel, type Usage } from "../../Models/LanguageModel.ts"
import type { Language } from "../../Text/Language.ts"
import { DelimiterWord } from "../../Text/PromptDelimiter.ts"
import type { SourcedAnswer } from "../FactSource.ts"
import { isIn } from "../OneLanguage.ts"
import type { BusinessFacts, JudgedQuestion } from "../WritingBrief.ts"
import { honestAnswer } from "./HonestAnswers.ts"
import { checkedAnswer, KnowledgeReading, knowledgePrompt } from "./KnowledgePrompt.ts"
import { type AskingReply, noReply, ownersAnswerTo, ownersSource, readByRules, sourceOf } from "./KnownAnswers.ts"
import { lookupsFor } from "./ObjectionAnswers.ts"

/** The sources of answers. */
type KnownFacts = Pick<BusinessFacts, "name" | "answers" | "knowledge">

export interface KnowledgeRequest {
  readonly questions: ReadonlyArray<string>
  readonly business: KnownFacts
  /** The lead's language, which the answers use. */
  readonly language: Language
  /** The language of owner's texts that are too short to detect it. */
  readonly ownersLanguage?: Language
  /** The reply that contains the questions. */
  readonly reply?: AskingReply
}

export interface KnowledgeFindings {
  /** One result per question, in their order. */
  readonly judged: ReadonlyArray<JudgedQuestion>
  /** The model's usage; absent if rules decided. */
  readonly usage: Usage | undefined
}

/**
 * Finds answers to a lead's questions in the owner's answers and files. A language model reads the best passages and
 * quotes the answers, and its quotes are checked word for word. Rules decide if there is no model or its result is
 * unreliable.
 */
export class KnowledgeAnswers extends Context.Tag("KnowledgeAnswers")<
  KnowledgeAnswers,
  { readonly find: (request: KnowledgeRequest) => Effect.Effect<KnowledgeFindings> }
>() {}

const maximumQuestions = 8
const maxOutputTokens = 2000
const timeout = "30 seconds"

/** The answer by rules: in the lead's language, else a likely one for the owner, else one in another language. */
const byRules = (
  question: string,
  { business, language, ownersLanguage = language, reply = noReply }: KnowledgeRequest
): JudgedQuestion => {
  const readable = {
    ...business,
    answers: business.answers.filter(({ answer }) => isIn(answer, language, ownersLanguage))
  }
  const { answer, likely } = readByRules(question, readable, language, reply)
  if (answer !== undefined) return { question, answer }
  if (likely !== undefined) return { question, answer: undefined, proposal: likely }
  const [lookup] = lookupsFor(question, reply.acts, language)
  const foreign = lookup === undefined ? undefined : foreignAnswer(lookup, business.knowledge, language)
  if (foreign === undefined) return { question, answer: undefined }
  const source = sourceOf(foreign.passage)
  return foreign.sentence === undefined
    ? { question, answer: undefined, proposal: { text: foreign.text, source } }
    : { question, answer: { text: foreign.sentence, source } }
}

const judgedBy = (
  { answers }: KnowledgeReading,
  request: KnowledgeRequest,
  question: string,
  number: number
): JudgedQuestion => {
  const { business, language } = request
  const reading = answers.find((one) => one.question === number)
  const checked = reading === undefined ? "unusable" : checkedAnswer(reading, business, language)
  if (checked === "open") return { question, answer: undefined }
  return checked === "unusable" ? byRules(question, request) : { question, answer: checked }
}

/** The owner's answer. Without a model to translate it, an answer in another language is only proposed to the owner. */
const byOwner = (
  question: string,
  { business, language, ownersLanguage = language, reply = noReply }: KnowledgeRequest,
  isTranslated: boolean
): JudgedQuestion | undefined => {
  const ownersEntry = ownersAnswerTo(question, business.answers, reply, language)
  if (ownersEntry === undefined) return undefined
  const { answer } = ownersEntry
  const text: SourcedAnswer = { text: answer, source: ownersSource(ownersEntry) }
  return isTranslated || isIn(answer, language, ownersLanguage)
    ? { question, answer: text }
    : { question, answer: undefined, proposal: text }
}

/**
 * Questions that need no knowledge: those about the conversation itself, and conditions that only the owner can accept.
 */
const settled = (question: string, { language, reply = noReply }: KnowledgeRequest): JudgedQuestion | undefined => {
  const text = honestAnswer(question, reply.acts, { ...reply, language })
  if (text !== undefined) return { question, answer: { text, source: undefined } }
  return lookupsFor(question, reply.acts, language).length === 0 ? { question, answer: undefined } : undefined
}

export const KnowledgeAnswersLayer = Layer.effect(
  KnowledgeAnswers,
  Effect.gen(function* () {
    const model = yield* LanguageModel

    /** Lets a model judge the questions that the owner has not answered. */
    const askModel = (request: KnowledgeRequest): Effect.Effect<KnowledgeFindings> =>
      Effect.gen(function* () {
        const { next } = yield* DelimiterWord
        const word = yield* next
        const { business, language, questions, reply = noReply } = request
        // An objection is passed on with the questions whose answers would meet it.
        const promptQuestions = questions.map((question) =>
          [...new Set([question, ...lookupsFor(question, reply.acts, language)])].join("\n")
        )
        return yield* model
          .generate({
            prompt: knowledgePrompt(promptQuestions, business, language, word),
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
            Effect.catchAll(({ usage }) =>
              Effect.sync(() => ({ judged: questions.map((question) => byRules(question, request)), usage }))
            )
          )
      })

    return KnowledgeAnswers.of({
      find: Effect.fn("KnowledgeAnswers.find")(function* (request: KnowledgeRequest) {
        const { business, questions } = request
        const answeredByOwner = new Map<string, JudgedQuestion>()
        for (const question of questions) {
          const answer = byOwner(question, request, model.mode !== "sandbox") ?? settled(question, request)
          if (answer !== undefined) answeredByOwner.set(question, answer)
          else if (model.mode === "sandbox") answeredByOwner.set(question, byRules(question, request))
        }
        const open = [...new Set(questions)].filter((question) => !answeredByOwner.has(question))
        const isAsked = open.length > 0 && business.knowledge.length > 0
        const findings = isAsked
          ? yield* askModel({ ...request, questions: open.slice(0, maximumQuestions) })
          : { judged: [], usage: undefined }
        for (const judged of findings.judged) answeredByOwner.set(judged.question, judged)
        const judged = questions.map((question) => answeredByOwner.get(question) ?? byRules(question, request))
        return { judged, usage: findings.usage }
      })
    })
  })
)
