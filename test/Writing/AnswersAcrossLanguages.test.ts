import { assert, describe, it } from "@effect/vitest"
import { answerTo } from "../../src/Services/Writing/Answers/KnownAnswers.ts"

const same: ReadonlyArray<ReadonlyArray<string>> = [
  ["Quanto custa?", "How much does it cost?", "¿Cuánto cuesta?"],
  ["Qual é o preço do plano anual?", "What is the price of the annual plan?", "¿Cuál es el precio del plan anual?"],
  ["Vocês integram com o SAP?", "Do you integrate with SAP?", "¿Se integra con SAP?"],
  ["Tem desconto?", "Is there a discount?", "¿Hay descuento?"],
  ["Qual é o prazo de entrega?", "What is the delivery timeline?", "¿Cuál es el plazo de entrega?"],
  ["Como posso cancelar o contrato?", "How can I cancel the contract?", "¿Cómo puedo cancelar el contrato?"],
  ["Oferecem treinamento?", "Do you offer training?", "¿Ofrecen capacitación?"],
  ["Vocês trabalham no fim de semana?", "Do you work on weekends?", "¿Trabajan los fines de semana?"]
]

const others: ReadonlyArray<readonly [string, string]> = [
  ["Quanto custa?", "How much does the training cost?"],
  ["Vocês integram com o SAP?", "Do you integrate with Oracle?"],
  ["Qual é o prazo de entrega?", "What is the price of delivery?"],
  ["Tem desconto?", "Is there a discount for nonprofits?"],
  ["Oferecem suporte?", "¿Ofrecen soporte en feriados?"],
  ["Quanto custa?", "What colour is it?"]
]

const known = (question: string) => [{ question, answer: "Sim.", answerId: 1 }]

describe("an answer to a question in another language", () => {
  it("is known where both ask the same", () => {
    for (const questions of same) {
      for (const stored of questions) {
        for (const asked of questions) {
          assert.strictEqual(answerTo(asked, known(stored))?.answerId, 1, `${asked} <- ${stored}`)
        }
      }
    }
  })

  it("is not known where one asks something else, or more", () => {
    for (const [stored, asked] of others) {
      assert.isUndefined(answerTo(asked, known(stored)), `${asked} <- ${stored}`)
    }
    for (const [index, questions] of same.entries()) {
      for (const [other, stored] of same.entries()) {
        if (other === index) continue
        for (const asked of questions) {
          for (const question of stored.filter((_, language) => questions.indexOf(asked) !== language)) {
            assert.isUndefined(answerTo(asked, known(question)), `${asked} <- ${question}`)
          }
        }
      }
    }
  })
})
