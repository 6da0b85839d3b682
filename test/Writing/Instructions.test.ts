import { assert, describe, it } from "@effect/vitest"
import type { Language } from "../../src/Services/Text/Language.ts"
import { openQuestionsOf } from "../../src/Services/Writing/Answers/KnownAnswers.ts"
import { compose } from "../../src/Services/Writing/Composer.ts"
import { notAppliedIn } from "../../src/Services/Writing/Instructions/InstructionReports.ts"
import { readInstructions } from "../../src/Services/Writing/Instructions/ReadInstructions.ts"
import type { OwnerInstructions } from "../../src/Services/Writing/WritingBrief.ts"
import { brief, reading } from "./TestBrief.ts"

const unapplied = (instructions: OwnerInstructions, language: Language = "pt-BR") =>
  readInstructions(instructions, language).unapplied.map(({ reason, text }): readonly [string, string] => [
    text,
    reason
  ])

describe("an owner's instructions", () => {
  it.each<[Language, string, ReadonlyArray<string>]>([
    [
      "pt-BR",
      "Diga que temos estoque em Recife e que o frete é grátis.",
      ["Temos estoque em Recife.", "O frete é grátis."]
    ],
    ["en", "Say that we deliver in two days and that installation is free", []],
    [
      "en",
      "Say that we deliver in two days and that the installation is free",
      ["We deliver in two days.", "The installation is free."]
    ],
    [
      "es",
      "Dígale que tenemos stock en Lima y que el envío es gratis",
      ["Tenemos stock en Lima.", "El envío es gratis."]
    ],
    ["pt-BR", "Fale que você pode cancelar quando quiser.", ["Você pode cancelar quando quiser."]],
    ["pt-BR", "Diga que atendemos aos sábados e pergunte se ele tem painéis.", ["Atendemos aos sábados."]],
    ["pt-BR", 'Diga: "Temos desconto até sexta. Aproveite!"', ["Temos desconto até sexta. Aproveite!"]],
    ["en", "Mention that we're open on Saturdays, but never mention prices.", ["We're open on Saturdays."]]
  ])("are said as whole sentences (%s): %s", (language, nextTouch, sentences) => {
    assert.deepStrictEqual(readInstructions({ nextTouch }, language).wishes.toSay, sentences)
  })

  it.each<[Language, OwnerInstructions]>([
    ["pt-BR", { goal: "Agendar uma demonstração de 20 minutos" }],
    ["pt-BR", { goal: "Conseguir uma reunião rápida" }],
    ["en", { goal: "Book a video call of 30 minutes" }],
    ["es", { goal: "Agendar una reunión de 15 minutos" }],
    ["pt-BR", { general: "Seja cordial e objetivo. Não insista. Sem emojis." }],
    ["en", { general: "Be polite and concise. Don't be pushy. No emojis." }],
    ["es", { general: "Sea amable. No insista. Sin emojis." }],
    ["pt-BR", { channel: "Use tom formal, trate por senhor." }],
    ["pt-BR", { general: "Nunca fale de preços nem de prazos." }],
    ["en", { general: "Don't mention discounts." }],
    ["es", { general: "No hable de precios." }],
    ["pt-BR", { nextTouch: "Mande o link https://solaris.example.com/caso, por favor." }],
    ["en", { nextTouch: "Say that we deliver in two days. Thank you!" }],
    ["pt-BR", { nextTouch: "Mencione que temos estoque em Recife" }],
    ["pt-BR", {}]
  ])("are carried out whole (%s): %o", (language, instructions) => {
    assert.deepStrictEqual(unapplied(instructions, language), [])
  })

  it.each<[Language, OwnerInstructions, ReadonlyArray<readonly [string, string]>]>([
    ["pt-BR", { nextTouch: "Elogie o novo site da clínica." }, [["Elogie o novo site da clínica.", "not_understood"]]],
    [
      "pt-BR",
      { nextTouch: "Diga que atendemos aos sábados e pergunte se ele tem painéis." },
      [["pergunte se ele tem painéis.", "not_understood"]]
    ],
    ["pt-BR", { nextTouch: "Diga que ele pode esperar." }, [["Diga que ele pode esperar.", "not_for_lead"]]],
    [
      "pt-BR",
      { goal: "Marcar uma reunião de 20 minutos com o diretor financeiro" },
      [["Marcar uma reunião de 20 minutos com o diretor financeiro", "only_partly"]]
    ],
    ["en", { general: "We are the oldest clinic in town." }, [["We are the oldest clinic in town.", "fact"]]],
    [
      "pt-BR",
      { nextTouch: "Say that we deliver in two days and that the installation is free" },
      [["Say that we deliver in two days and that the installation is free", "other_language"]]
    ],
    [
      "pt-BR",
      { general: "Não ofereça desconto antes da reunião." },
      [["Não ofereça desconto antes da reunião.", "condition"]]
    ],
    ["es", { general: "Escriba siempre en inglés." }, [["Escriba siempre en inglés.", "language_of_lead"]]],
    [
      "en",
      { strategy: "Appeal to their fear of missing out." },
      [["Appeal to their fear of missing out.", "not_understood"]]
    ],
    [
      "en",
      { nextTouch: 'Say "We deliver." Say "We install." Say "We repair." Say "We advise you for free."' },
      [["We advise you for free.", "too_many"]]
    ],
    ["en", { nextTouch: 'Say "Hello [name], welcome"' }, [['Say "Hello [name], welcome"', "placeholder"]]]
  ])("are reported where they cannot be carried out (%s): %o", (language, instructions, expected) => {
    assert.deepStrictEqual(unapplied(instructions, language), [...expected])
  })

  it("says in the account's language why", () => {
    for (const language of ["pt-BR", "en", "es"] as const) {
      const [report] = notAppliedIn({ nextTouch: "Elephants purple nineteen" }, language)
      assert.strictEqual(report?.text, "Elephants purple nineteen")
      assert.match(report?.reason ?? "", { "pt-BR": /certeza/, en: /for certain/, es: /certeza/ }[language])
    }
  })

  it("leaves out of a message what is forbidden, and leaves its question to the owner", () => {
    const business = {
      ...brief().business,
      description: "Ajudamos clínicas a economizar energia. O plano custa R$ 90 por mês.",
      answers: [{ question: "Quanto custa o plano?", answer: "O plano custa R$ 90 por mês." }]
    }
    const text = "Quanto custa o plano?"
    const question = brief({
      business,
      kind: { _tag: "response", reading: reading("question", { question: text, questions: [text] }), text }
    })
    const silent = { ...question, instructions: { general: "Nunca fale de preços." } }
    assert.include(compose(question).body, "R$ 90")
    assert.notInclude(compose(silent).body, "90")
    assert.deepStrictEqual(openQuestionsOf(question), [])
  })

  it("asks the owner's own question instead of another", () => {
    const { body } = compose(brief({ instructions: { nextTouch: 'Pergunte "Vocês já usam painéis solares?"' } }))
    assert.include(body, "Vocês já usam painéis solares?")
    // The greeting may ask how the lead is.
    assert.notMatch(body, /reunião/)
  })
})

describe("notes and criteria of an owner", () => {
  it.each<[Language, string, ReadonlyArray<string>]>([
    ["pt-BR", "Conversamos sobre o plano anual. Ele estava de mau humor.", ["Ele estava de mau humor."]],
    ["en", "We met at the fair. Their budget is tiny.", ["Their budget is tiny."]],
    ["es", "Diga que la instalación es gratis.", []],
    ["en", "", []]
  ])("in %s: of the note %s messages leave out what is reported", (language, ownerContext, texts) => {
    const reported = notAppliedIn({ ownerContext }, language)
    assert.deepStrictEqual(
      reported.map(({ text }) => text),
      texts
    )
  })

  it.each<[Language, string, ReadonlyArray<string>]>([
    ["pt-BR", "Pedidos acima de R$ 10.000; quem estiver irritado", []],
    ["en", "contract terms, legal threats", []],
    [
      "en",
      "refund; leads that never mention the yearly maintenance",
      ["leads that never mention the yearly maintenance"]
    ],
    [
      "pt-BR",
      "leads que parecem ser de grandes redes varejistas com operação nacional",
      ["leads que parecem ser de grandes redes varejistas com operação nacional"]
    ],
    ["es", "siempre", ["siempre"]]
  ])("in %s: of the criteria %s rules cannot carry out what is reported", (language, reviewCriteria, texts) => {
    const reported = notAppliedIn({ reviewCriteria }, language)
    assert.deepStrictEqual(
      reported.map(({ text }) => text),
      texts
    )
    for (const { reason } of reported) assert.match(reason, language === "en" ? /criterion/ : /crit[eé]rio/)
  })
})
