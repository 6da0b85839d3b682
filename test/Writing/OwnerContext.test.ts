import { assert, describe, it } from "@effect/vitest"
import { compose } from "../../src/Services/Writing/Composer.ts"
import { checkMessage } from "../../src/Services/Writing/MessageCheck.ts"
import { brief } from "./TestBrief.ts"

describe("the owner's note on a conversation that is taken up again", () => {
  it.each([
    ["pt-BR", "O Carlos pediu os preços, mas achou caro. Ligar de novo.", "a nossa conversa sobre os preços."],
    ["pt-BR", "Ele queria saber sobre a integração com o Google e sumiu.", "sobre a integração com o Google."],
    ["pt-BR", "Conversamos sobre painéis para três clínicas.", "sobre painéis para três clínicas."],
    ["en", "We met at the fair, and the lead asked for prices", "our conversation about prices."],
    ["en", "She was interested in the annual plan, but had no budget.", "about the annual plan."],
    ["es", "Preguntó por el plan anual y dejó de responder.", "conversación sobre el plan anual."]
  ] as const)("is named in a sentence of ours, in %s: %j", (language, ownerContext, expected) => {
    const one = brief({ language, kind: { _tag: "re_engagement", ownerContext } })
    const { body, subject = "x" } = compose(one)
    assert.include(body, expected)
    assert.notInclude(body, ownerContext)
    assert.deepStrictEqual(checkMessage({ body, subject }, one, "word"), [], body)
  })

  it.each([
    "Cliente difícil, não pagou o boleto passado.",
    "Pediu desconto de R$ 100,00 e o telefone 11 98765-4321",
    "She asked about the price, hated it"
  ])("that names no topic stays a note: %j", (ownerContext) => {
    const noted = compose(brief({ kind: { _tag: "re_engagement", ownerContext } }))
    assert.strictEqual(noted.body, compose(brief({ kind: { _tag: "re_engagement" } })).body)
  })

  it("says what the owner said to say", () => {
    const ownerContext = "Diga que temos um plano novo para clínicas pequenas"
    const { body } = compose(brief({ kind: { _tag: "re_engagement", ownerContext } }))
    assert.include(body, "Temos um plano novo para clínicas pequenas.")
  })
})
