import { assert, describe, it } from "@effect/vitest"
import { passagesOf } from "../../src/Services/Knowledge/Passages.ts"
import { textBlocks } from "../../src/Services/Knowledge/TextBlocks.ts"
import type { Language } from "../../src/Services/Text/Language.ts"
import { answerByRules, knownAnswerTo } from "../../src/Services/Writing/Answers/KnownAnswers.ts"

const passages = (title: string, text: string) =>
  passagesOf(textBlocks(text)).map((passage, sequence) => ({
    ...passage,
    title,
    businessFileId: 1,
    sequence,
    score: 0.3
  }))

const portuguese = passages(
  "Planos e preços",
  "# Planos\n| Plano | Preço por mês | Usuários |\n|---|---|---|\n| Essencial | R$ 199 | 3 |\n| Profissional | R$ 399 | 10 |\n\n# Contrato\nSem fidelidade: o cancelamento vale para o mês seguinte. A implantação leva cinco dias úteis e não tem custo."
)
const english = passages(
  "Plans and prices",
  "# Plans\n| Plan | Price per month | Users |\n|---|---|---|\n| Essential | £39 | 3 |\n| Professional | £79 | 10 |\n\n# Contract\nThere is no minimum contract: you can cancel for the following month. Setting up takes five working days and is free."
)
const spanish = passages(
  "Planes y precios",
  "# Planes\n| Plan | Precio por mes | Usuarios |\n|---|---|---|\n| Esencial | MXN 790 | 3 |\n| Profesional | MXN 1590 | 10 |\n\n# Contrato\nNo hay permanencia: la cancelación vale para el mes siguiente. La puesta en marcha toma cinco días hábiles y no tiene costo."
)
// Of all languages together, with those of the question last: the order decides nothing.
const all = [...english, ...spanish, ...portuguese]

const told = (question: string, language: Language, knowledge = all) =>
  knownAnswerTo(question, { business: { answers: [], knowledge }, language })?.text

const both = "Essencial: preço por mês R$ 199 e usuários 3. Profissional: preço por mês R$ 399 e usuários 10."

describe("what a file says of a question", () => {
  it.each([
    ["Quanto custa o plano Profissional?", "pt-BR", "Profissional: preço por mês R$ 399 e usuários 10."],
    ["Qual é o valor do plano profissional?", "pt-BR", "Profissional: preço por mês R$ 399 e usuários 10."],
    ["Quanto custa o plano?", "pt-BR", both],
    ["Quanto custa?", "pt-BR", both],
    ["Somos 7 usuários, quanto fica?", "pt-BR", "Profissional: preço por mês R$ 399 e usuários 10."],
    ["Quanto custa a implantação?", "pt-BR", "A implantação leva cinco dias úteis e não tem custo."],
    ["How much is the Professional plan?", "en", "Professional: price per month £79 and users 10."],
    ["What does the essential plan cost?", "en", "Essential: price per month £39 and users 3."],
    ["¿Cuánto cuesta el plan Profesional?", "es", "Profesional: precio por mes MXN 1590 y usuarios 10."]
  ] as const)("%s", (question, language, answer) => {
    assert.strictEqual(told(question, language), answer)
  })

  it.each([
    "Quanto custa o plano Ouro?",
    "Quanto custa o plano para 200 usuários?",
    "Quanto custa o treinamento?",
    "Qual é o desconto do plano Profissional?"
  ])("%s has no answer there", (question) => {
    assert.isUndefined(told(question, "pt-BR"))
    assert.isUndefined(answerByRules(question, { answers: [], knowledge: all }, "pt-BR"))
  })

  it("a price list in another language than the lead's is not quoted", () => {
    assert.isUndefined(told("Quanto custa o plano?", "pt-BR", [...english, ...spanish]))
    assert.isUndefined(told("How much is the plan?", "en", [...portuguese, ...spanish]))
  })

  it("a list too long to be told whole is not told in part", () => {
    const rows = Array.from({ length: 20 }, (_, index) => `| Plano ${index} | R$ ${100 + index} | ${index} |`).join(
      "\n"
    )
    const long = passages("Preços", `# Planos\n| Plano | Preço por mês | Usuários |\n|---|---|---|\n${rows}`)
    assert.isUndefined(told("Quanto custa o plano?", "pt-BR", long))
  })
})
