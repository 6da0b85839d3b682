import { assert, describe, it } from "@effect/vitest"
import { answerModel } from "../../src/Services/Knowledge/Answers/AnswerModel.ts"
import { readAnswer } from "../../src/Services/Knowledge/Answers/AnswerReader.ts"
import type { Language } from "../../src/Services/Text/Language.ts"
import { answerByRules } from "../../src/Services/Writing/Answers/KnownAnswers.ts"
import { answersDigest, checkedQuestions, isRight, passagesOfBusiness } from "../../training/AnswerExamples.ts"
import { languages } from "../../training/Sentences.ts"

/** A business of the check, with the means to ask it. */
const businessOf = (name: string, language: Language, id: string) => {
  const { businesses, questions } = checkedQuestions(name)
  const business = businesses.find(({ business: one }) => one === id)
  assert(business !== undefined)
  const answers = business.faq.map(([question, answer], index) => ({ question, answer, answerId: index + 1 }))
  const passages = passagesOfBusiness(business)
  return {
    questions: questions.filter((question) => question.business === id),
    answers,
    knowledge: passages.map((passage, sequence) => ({ ...passage, businessFileId: 1, sequence, score: 0.5 })),
    read: (message: string) => readAnswer(message, { answers, passages }, language)
  }
}

describe("the reader of answers", () => {
  it("was trained with the questions and features that are here", () => {
    assert.strictEqual(answerModel().digest, answersDigest())
  })

  it("answers questions in other words than the knowledge has, and nearly none that it does not answer", () => {
    let [right, wrong, invented, answerable] = [0, 0, 0, 0]
    for (const [language, name] of languages) {
      for (const { business } of checkedQuestions(name).businesses) {
        const { answers, knowledge, questions } = businessOf(name, language, business)
        for (const question of questions) {
          const answer = answerByRules(question.question, { answers, knowledge }, language)
          if (!question.unknown) answerable++
          if (answer === undefined) continue
          if (isRight(answer.text, question)) right++
          else if (question.unknown) invented++
          else wrong++
        }
      }
    }
    assert.isAtLeast(right / answerable, 0.13)
    assert.isAtMost(wrong, 3)
    assert.isAtMost(invented, 2)
  })

  it("does not send an answer that has another size than the question", () => {
    const { read } = businessOf("pt", "pt-BR", "pt-b4")
    const answer = read("quanto custa a limpeza para 40 salas por dia, 9 vezes por semana?")
    assert.notStrictEqual(answer?.isCertain, true)
  })

  it("does not send a yes or no that belongs to another question", () => {
    const { read } = businessOf("es", "es", "es-b1")
    const answer = read("la tablet la venden ustedes?")
    assert.notStrictEqual(answer?.isCertain, true)
  })

  it("finds nothing where nothing is known", () => {
    assert.isUndefined(readAnswer("how much is it?", { answers: [], passages: [] }, "en"))
  })
})
