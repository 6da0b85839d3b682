import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { questionsOf } from "../../src/Services/Replies/ReplyReading.ts"
import type { Language } from "../../src/Services/Text/Language.ts"
import { type AskingReply, readByRules } from "../../src/Services/Writing/Answers/KnownAnswers.ts"
import {
  type BusinessLine,
  checkedQuestions,
  isRight,
  passagesOfBusiness,
  type QuestionLine
} from "../../training/AnswerExamples.ts"
import { languages } from "../../training/Sentences.ts"
import { mainZone, playReply } from "./PlayedReply.ts"

/**
 * Asks the questions of `bench/answers` without a gateway, by rules alone: the reply is read, and its questions are answered
 * from the business's answers and files. `npm run check:answers-offline -- [FOLDER] [--all]`. `--all` also prints what is
 * right. The businesses are small enough that a search finds all of their passages.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false } }
})
const [folder] = positionals

const countries: { readonly [L in Language]: string } = { "pt-BR": "BR", en: "US", es: "ES" }

const knowledgeOf = (business: BusinessLine) => ({
  answers: business.faq.map(([question, answer], index) => ({ question, answer, answerId: index + 1 })),
  knowledge: passagesOfBusiness(business).map((passage, sequence) => ({
    ...passage,
    businessFileId: 1,
    sequence,
    score: 0.5
  }))
})

/** What becomes of a question: its answers, and what is suggested to the owner. */
const play = (knowledge: ReturnType<typeof knowledgeOf>, { question }: QuestionLine, language: Language) => {
  const country = countries[language]
  const message = { language, country, channel: "email", standing: null, text: question } as const
  const { reading } = playReply(message, "2026-12-01T10:00", mainZone(country))
  const questions = questionsOf(reading, question)
  const reply: AskingReply = { acts: reading.acts, business: "", text: question }
  const ruled = questions.map((sentence) => readByRules(sentence, knowledge, language, reply))
  return {
    isQuestion: questions.length > 0,
    text: ruled.flatMap(({ answer }) => answer?.text ?? []).join(" "),
    suggestions: ruled.flatMap(({ likely }) => likely?.text ?? [])
  }
}

const line = (name: string, { length }: { readonly length: number }, of: number): string => `${name} ${length} of ${of}`

for (const [language, name] of languages) {
  const { businesses, questions } = checkedQuestions(
    name,
    folder === undefined ? undefined : pathToFileURL(`${resolve(folder)}/`)
  )
  const played = businesses.flatMap((business) => {
    const knowledge = knowledgeOf(business)
    return questions
      .filter((question) => question.business === business.business)
      .map((question) => ({ question, ...play(knowledge, question, language) }))
  })
  const answerable = played.filter(({ question }) => !question.unknown)
  const unknown = played.filter(({ question }) => question.unknown)
  const answered = answerable.filter(({ text }) => text !== "")
  const right = answered.filter(({ question, text }) => isRight(text, question))
  const wrong = answered.filter((one) => !right.includes(one))
  const open = answerable.filter(({ text }) => text === "")
  const suggested = open.filter(({ suggestions }) => suggestions.length > 0)
  const invented = unknown.filter(({ text }) => text !== "")
  console.log(
    [
      name,
      line("right", right, answerable.length),
      line("wrong", wrong, answerable.length),
      line("invented", invented, unknown.length),
      line(
        "to the owner with the right suggestion",
        suggested.filter(({ question, suggestions }) => isRight(suggestions.join(" "), question)),
        open.length
      ),
      line(
        "with another suggestion",
        suggested.filter(({ question, suggestions }) => !isRight(suggestions.join(" "), question)),
        open.length
      ),
      line(
        "not read as a question",
        answerable.filter(({ isQuestion }) => !isQuestion),
        answerable.length
      )
    ].join(", ")
  )
  for (const { question, text } of [...wrong, ...invented, ...(values.all ? right : [])]) {
    console.log(`  ${question.id}${question.unknown ? " (unknown)" : ""}: ${question.question}\n    ${text}`)
  }
}
