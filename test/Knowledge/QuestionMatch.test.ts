import { assert, describe, it } from "@effect/vitest"
import { matchQuestion, questionNearness } from "../../src/Services/Knowledge/Answers/QuestionMatch.ts"
import { answerTo } from "../../src/Services/Writing/Answers/KnownAnswers.ts"

const meaning = (text: string, ...questions: ReadonlyArray<string>) =>
  matchQuestion(
    text,
    questions.map((question) => ({ text: question }))
  )

describe("which question an owner's answer is for", () => {
  it.each([
    ["voces entregam no PARA", "Vocês entregam no Pará?"],
    ["Vocês fazem entrega no Pará?", "Vocês entregam no Pará?"],
    ["What's the price of the Pro plan?", "How much does the Pro plan cost?"],
    ["how much for the pro plan", "How much does the Pro plan cost?"],
    ["¿Qué precio tiene el plan Pro?", "¿Cuánto cuesta el plan Pro?"],
    ["Do you integrate with Salesforce", "Does it integrate with Salesforce?"],
    ["Vocês aceitam cartao de credito", "Aceitam cartão de crédito?"]
  ])("%s means %s", (text, question) => {
    assert.strictEqual(meaning(text, "Existe multa por cancelar?", question).match?.text, question)
  })

  it.each([
    ["Quanto custa o plano Pro?", "Quanto custa o plano Básico?"],
    ["Quanto custa o plano mensal?", "Quanto custa o plano anual?"],
    ["How much is it for 10 users?", "How much is it for 50 users?"],
    ["¿Cuánto tarda la instalación?", "¿Cuánto cuesta la instalación?"],
    ["Vocês entregam no Pará?", "Vocês entregam no Paraná?"],
    ["Do you deliver?", "Do you deliver on Sundays?"]
  ])("%s does not mean %s", (text, question) => {
    const { candidates, match } = meaning(text, question)
    assert.isUndefined(match)
    assert.deepStrictEqual(candidates, [{ text: question }])
    assert.isBelow(questionNearness(question, text), 1)
  })

  it("an owner's answer is given to the same question and to no similar one", () => {
    const answers = [{ question: "Quanto custa o plano anual?", answer: "R$ 990." }]
    assert.strictEqual(answerTo("qual o preço do plano anual", answers)?.answer, "R$ 990.")
    assert.isUndefined(answerTo("Quanto custa o plano mensal?", answers))
  })

  it("of several that may be meant it chooses none, and offers the nearest five", () => {
    const questions = [
      "What is the price of the Pro plan?",
      "How much does the Pro plan cost?",
      "Do you deliver?",
      "Is there parking?",
      "Is there a contract?",
      "Who owns the data?"
    ]
    const { candidates, match } = meaning("how much for the pro plan", ...questions)
    assert.isUndefined(match)
    assert.lengthOf(candidates, 5)
    assert.sameMembers(
      candidates.slice(0, 2).map(({ text }) => text),
      questions.slice(0, 2)
    )
  })
})
