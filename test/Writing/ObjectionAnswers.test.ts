import { assert, describe, it } from "@effect/vitest"
import { openQuestionsOf } from "../../src/Services/Writing/Answers/KnownAnswers.ts"
import { compose } from "../../src/Services/Writing/Composer.ts"
import { checkMessage } from "../../src/Services/Writing/MessageCheck.ts"
import type { KnownAnswer, WritingBrief } from "../../src/Services/Writing/WritingBrief.ts"
import { act } from "../Replies/support/acts.ts"
import { brief, languages, reading } from "./TestBrief.ts"

const tooDear = { "pt-BR": "R$ 349 está salgado.", en: "349 is too expensive.", es: "349 es muy caro." } as const
const discounts: { readonly [L in WritingBrief["language"]]: KnownAnswer } = {
  "pt-BR": { question: "Vocês dão desconto?", answer: "No plano anual, o desconto é de 20%." },
  en: { question: "Do you offer a discount?", answer: "On the annual plan, the discount is 20%." },
  es: { question: "¿Hacen descuentos?", answer: "En el plan anual, el descuento es del 20%." }
}

const objecting = (
  language: WritingBrief["language"],
  text: string,
  kind: "price" | "trust" | "condition",
  answers: ReadonlyArray<KnownAnswer>
): WritingBrief =>
  brief({
    language,
    kind: {
      _tag: "response",
      text,
      reading: reading("objection", {
        language,
        questions: [text],
        acts: [kind === "condition" ? act("sets_condition", { text }) : act("objects", { text, objection: kind })]
      })
    },
    business: { name: "Solaris", answers, knowledge: [] }
  })

describe("an objection that leaves the door open", () => {
  it.each(languages)("is answered once with what meets it, and asked for one thing (%s)", (language) => {
    const one = objecting(language, tooDear[language], "price", [discounts[language]])
    const { body, subject = "x" } = compose(one)
    assert.include(body, discounts[language].answer)
    assert.notInclude(body, tooDear[language])
    assert.deepStrictEqual(openQuestionsOf(one), [])
    assert.strictEqual(body.split("?").length, 2, body)
    assert.deepStrictEqual(checkMessage({ body, subject }, one, "word"), [], body)
  })

  it.each(languages)("goes to the owner where nothing meets it, and the lead is told so (%s)", (language) => {
    for (const kind of ["price", "trust", "condition"] as const) {
      const one = objecting(language, tooDear[language], kind, [])
      const { body, subject = "x" } = compose(one)
      assert.deepStrictEqual(openQuestionsOf(one), [tooDear[language]])
      assert.match(body, /equipe|team|equipo/)
      assert.strictEqual(body.split("?").length, 1, body)
      assert.deepStrictEqual(checkMessage({ body, subject }, one, "word"), [], body)
    }
  })

  it("with a condition is the owner's to accept, whatever the files say of discounts", () => {
    const text = "Se fizerem 30% de desconto, fecho hoje."
    assert.deepStrictEqual(openQuestionsOf(objecting("pt-BR", text, "condition", [discounts["pt-BR"]])), [text])
  })
})

describe("what other leads asked", () => {
  const answers: ReadonlyArray<KnownAnswer> = [
    {
      question: "Oi, aqui é a Bia da Padaria Lua, vocês entregam em Olinda?",
      answer: "Sim, entregamos em Olinda e no Recife."
    },
    {
      question: "Quanto custa a instalação dos painéis?",
      answer: "A instalação dos painéis custa R$ 900 por clínica."
    },
    { question: "Dá para parcelar?", answer: "Sim, em até dez vezes." },
    { question: "Vocês trabalham aos sábados?", answer: "Não." },
    { question: "Qual é a garantia dos painéis?", answer: "A garantia dos painéis é de 25 anos." },
    { question: "Quanto tempo demora?", answer: "A instalação demora em média três dias úteis." }
  ]
  const wanting = brief({
    kind: {
      _tag: "response",
      text: "Pode me mandar mais detalhes sobre a garantia dos painéis?",
      reading: reading("interested")
    },
    business: { ...brief().business, answers }
  })

  it("never stands in a message: facts do, at most three, those that were asked for first", () => {
    const { body } = compose(wanting)
    for (const { question } of answers) assert.notInclude(body, question)
    assert.notInclude(body, "Em até dez vezes")
    const facts = answers.map(({ answer }) => answer.replace(/^Sim, e/, "E")).filter((fact) => body.includes(fact))
    assert.isAtMost(facts.length, 3)
    const first = Math.min(...facts.map((fact) => body.indexOf(fact)))
    assert.strictEqual(body.indexOf("A garantia dos painéis é de 25 anos."), first)
  })

  it("is found in a message of a model too", () => {
    const draft = {
      subject: "x",
      body: "Olá, Ana,\n\nOutro lead quis saber: quanto custa a instalação dos painéis? R$ 900."
    }
    assert.include(checkMessage(draft, wanting, "word"), "words_of_another_lead")
  })
})
