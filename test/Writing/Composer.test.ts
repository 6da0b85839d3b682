import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { detectLanguage } from "../../src/Services/Text/Language.ts"
import { openQuestionsOf } from "../../src/Services/Writing/Answers/KnownAnswers.ts"
import { compose } from "../../src/Services/Writing/Composer.ts"
import { checkMessage } from "../../src/Services/Writing/MessageCheck.ts"
import type { OwnerInstructions, TouchKind } from "../../src/Services/Writing/WritingBrief.ts"
import { brazilian, brief, channels, kinds, languages, meeting, reading } from "./TestBrief.ts"

const word = "feedfacefeedfacefeedfacefeedface"
const follow = (number: number, isLast = false): TouchKind => ({ _tag: "follow_up", number, isLast })

describe("compose", () => {
  it("writes a message that passes all checks, in the lead's language, for every kind, channel and language", () => {
    for (const kind of kinds) {
      for (const channel of channels) {
        for (const language of languages) {
          for (const id of [1, 2, 3, 4]) {
            const one = brief({ kind, channel, language, lead: { ...brief().lead, leadId: LeadId.make(id) } })
            const draft = compose(one)
            const what = `${kind._tag} ${channel} ${language} ${id}\n${draft.body}`
            assert.deepStrictEqual(checkMessage(draft, one, word), [], what)
            if (channel !== "voice" && kind._tag !== "answer_relay") {
              assert.strictEqual(detectLanguage(draft.body) ?? language, language, what)
            }
          }
        }
      }
    }
  })

  it.each([
    ["pt-BR", "Conhecemos na feira Hospitalar 2024.", "Nos conhecemos na feira Hospitalar 2024."],
    [
      "pt-BR",
      "Nos conhecemos durante o Fórum de Saúde\n\nligar após as 14h",
      "Nos conhecemos durante o Fórum de Saúde."
    ],
    ["es", "Nos conocimos en la feria turismo", "Nos conocimos en la feria turismo."],
    ["en", "Met at the Bakery Show in May. Two shops.", "We met at the Bakery Show in May."],
    ["en", "We met them at the Bakery Show", "We met at the Bakery Show."]
  ] as const)("says in %s where they met: %j", (language, background, sentence) => {
    const lead = { ...brief().lead, background }
    assert.include(compose(brief({ language, lead })).body, sentence)
    assert.notInclude(compose(brief({ language, lead, kind: follow(1) })).body, sentence)
  })

  it.each([
    ["pt-BR", "Conhecemos na feira, achou caro."],
    ["pt-BR", "Conhecemos na feira e ele não pagou"],
    ["pt-BR", "ligar após as 14h"],
    ["en", "Met at the fair where he complained"],
    ["en", "Met Maria at the fair"],
    ["en", "Conhecemos na feira Hospitalar."]
  ] as const)("keeps in %s what may be a note for itself: %j", (language, background) => {
    const withNote = brief({ language, lead: { ...brief().lead, background } })
    assert.strictEqual(compose(withNote).body, compose(brief({ language })).body)
  })

  it("promises an answer only where the owner is to be asked for it, whatever was read", () => {
    const says = /confirm|verificar|check|consult/i
    let promised = 0
    for (const kind of kinds) {
      for (const language of languages) {
        for (const answers of [[], [{ question: "Quanto custa?", answer: "R$ 100." }]]) {
          for (const channel of ["email", "chatapp"] as const) {
            const business = { ...brief().business, answers }
            const one = brief({ kind, channel, language, business })
            const { body } = compose(one)
            assert.notInclude(checkMessage({ body, subject: "x" }, one, word), "unkept_promise", body)
            if (openQuestionsOf(one)[0] !== undefined && says.test(body)) promised++
          }
        }
      }
    }
    assert.isAbove(promised, 0)
    const free = brief({ kind: { _tag: "follow_up", number: 1, isLast: false } })
    for (const body of [
      "Vou confirmar com a equipe.",
      "I'll check and get back to you.",
      "Voy a consultar y le aviso."
    ]) {
      assert.include(checkMessage({ body, subject: "x" }, free, word), "unkept_promise")
    }
  })

  it("gives the same text for the same brief, and other words to other leads", () => {
    const texts = Array.from({ length: 30 }, (_, id) =>
      compose(brief({ lead: { ...brief().lead, leadId: LeadId.make(id) } }))
    )
    assert.deepStrictEqual(compose(brief()), compose(brief()))
    assert.isAtLeast(new Set(texts.map(({ body }) => body)).size, 4)
    assert.isAtLeast(new Set(texts.map(({ subject }) => subject)).size, 3)
  })

  it("never says the same twice in a sequence", () => {
    for (const channel of ["email", "chatapp"] as const) {
      for (const language of languages) {
        for (let id = 0; id < 12; id++) {
          const lead = { ...brief().lead, leadId: LeadId.make(id) }
          const sequence: ReadonlyArray<TouchKind> = [
            { _tag: "first_contact" },
            ...Array.from({ length: 9 }, (_, index) => follow(index + 1)),
            follow(10, true)
          ]
          const bodies = sequence.map((kind) => compose(brief({ kind, channel, language, lead })).body)
          assert.strictEqual(new Set(bodies).size, sequence.length)
        }
      }
    }
  })

  it("uses the lead's, the sender's and the business's own data", () => {
    const { body } = compose(brief())
    assert.match(body, /^Olá, Ana Clara,\n\n/)
    assert.include(body, "Clínica Sorriso")
    assert.notInclude(body, "LTDA")
    assert.include(body, "João Lima, da Solaris")
    assert.include(body, "Ajudamos clínicas a reduzir a conta de energia com painéis solares.")
    assert.match(body, /reunião de 20 minutos/)
    assert.include(body, "https://agenda.example.com/solaris")
    assert.match(body, /\n\nUm abraço,$/)
  })

  it("makes do with nothing", () => {
    for (const language of languages) {
      const bare = brief({
        language,
        lead: { leadId: LeadId.make(1), name: "contato@clinica.com" },
        business: { name: "Solaris", answers: [], knowledge: [] },
        sender: {},
        instructions: {},
        links: []
      })
      const draft = compose(bare)
      assert.deepStrictEqual(checkMessage(draft, bare, word), [])
      assert.notMatch(draft.body, /undefined|null| ,|\.\.|contato@/)
    }
  })

  it("leaves a description out that is in another language", () => {
    const { body } = compose(brief({ language: "en", business: { ...brief().business } }))
    assert.notInclude(body, "painéis")
  })

  it("does not introduce itself again where it wrote before", () => {
    const kind = follow(1)
    const past = { direction: "outbound" as const, channel: "email" as const, at: meeting.startsAt, text: "Olá" }
    assert.include(compose(brief({ kind })).body, "Aqui é João Lima")
    assert.notInclude(compose(brief({ kind, conversation: [past] })).body, "Aqui é João Lima")
    assert.include(compose(brief({ kind, channel: "chatapp", conversation: [past] })).body, "Aqui é João Lima")
  })

  it("has no subject in a thread, and one without line breaks else", () => {
    assert.notProperty(compose(brief({ threadSubject: "Uma ideia" })), "subject")
    const broken = compose(brief({ business: { ...brief().business, name: "Sol\r\nBcc: x@y.com" } }))
    assert.notMatch(broken.subject ?? "", /[\r\n]/)
  })

  it.each<[string, OwnerInstructions, RegExp]>([
    ["goal: a demo", { goal: "Marcar uma demo de 30 minutos" }, /demonstração de 30 minutos/],
    ["goal: a visit", { goal: "agendar visita técnica" }, /visita/],
    ["goal: a proposal", { goal: "Enviar orçamento" }, /proposta|orçamento/],
    ["goal: a trial", { goal: "Oferecer teste grátis" }, /teste/],
    ["tone", { general: "Use tom formal, trate por senhor." }, /^Prezada Ana Clara,[\s\S]*Atenciosamente,$/],
    ["a fact to mention", { nextTouch: "Mencione que temos estoque em Recife" }, /Temos estoque em Recife\./],
    [
      "words to say",
      { nextTouch: 'Diga "Nossa loja fica na Boa Vista" e pergunte da agenda' },
      /Nossa loja fica na Boa Vista\./
    ],
    ["a link", { nextTouch: "Mande o link https://solaris.example.com/caso" }, /https:\/\/solaris\.example\.com\/caso/],
    [
      "words for word",
      { verbatim: "Segue o que combinamos:\n{{isto}} vale 10%!" },
      /combinamos:\n\{\{isto\}\} vale 10%!/
    ]
  ])("carries out what rules can: %s", (_, instructions, expected) => {
    const one = brief({ instructions })
    const draft = compose(one)
    assert.match(draft.body, expected)
    assert.deepStrictEqual(checkMessage(draft, one, word), [])
  })

  it("does not say what the owner forbids, nor notes that are not for the lead", () => {
    const { body } = compose(
      brief({
        instructions: {
          general: 'Nunca diga "somos os mais baratos". Não mencione que temos dívidas.',
          nextTouch: "Lead irritado, cuidado. Diga que ele pode esperar."
        }
      })
    )
    assert.notMatch(body, /baratos|dívidas|irritado|esperar/)
  })

  it("answers only what the owner has answered", () => {
    const ask = (question: string) =>
      compose(brief({ kind: { _tag: "response", reading: reading("question", { question }), text: question } })).body
    assert.include(ask("Vocês atendem Recife?"), "Sim, atendemos toda a região do Recife.")
    assert.match(ask("Qual o preço do painel?"), /confirmar/)
    assert.notInclude(ask("Qual o preço do painel?"), "Recife")
  })

  it("a proposed time that could not be booked is not held out", () => {
    const proposed = reading("meeting_request", {
      proposedMeeting: { date: "2025-03-13", time: "15:00", text: "x" },
      timeProblem: "taken"
    })
    const { body } = compose(brief({ kind: { _tag: "response", reading: proposed, text: "quinta às 15h?" } }))
    assert.include(body, "quinta-feira, 13 de março às 15:00")
    assert.match(body, /outro dia/)
    assert.notMatch(body, /confirm|marcad|agendad/i)
  })

  it("a day without a time is asked for the time", () => {
    const proposed = reading("meeting_request", { proposedMeeting: { date: "2025-03-13", time: null, text: "x" } })
    const { body } = compose(brief({ kind: { _tag: "response", reading: proposed, text: "quinta?" } }))
    assert.include(body, "quinta-feira, 13 de março")
    assert.match(body, /hor(?:as|ário)/)
  })

  it("a meeting that the lead called off is off, and another time is asked for", () => {
    const off = reading("other", { meetingChange: "cancel" })
    const { body } = compose(brief({ kind: { _tag: "response", reading: off, text: "preciso cancelar" } }))
    assert.match(body, /cancel/)
    assert.notMatch(body, /confirmar|dar uma olhada/)
  })

  it("whoever asked to hear again later is told why it hears now", () => {
    const later = reading("later", { refusalReason: "timing", returnDate: "2025-04-01" })
    const { body } = compose(brief({ kind: { _tag: "response", reading: later, text: "me liga mês que vem" } }))
    assert.match(body, /pedi(?:do|u)/)
    assert.notMatch(body, /anterior|insistir/)
  })

  it("tells a meeting's time in the lead's zone", () => {
    const { body } = compose(brief({ kind: { _tag: "meeting_reminder", meeting } }))
    assert.include(body, "quinta-feira, 13 de março às 15:00")
    assert.include(body, "https://meet.example.com/abc")
    const abroad = { ...brazilian, zone: "Europe/Lisbon", country: "PT" }
    const inLisbon = compose(brief({ kind: { _tag: "meeting_reminder", meeting }, clock: abroad }))
    assert.include(inLisbon.body, "quinta-feira, 13 de março às 18:00 (horário de Lisboa)")
  })

  it("asks nothing of whoever declined", () => {
    const { body } = compose(
      brief({
        kind: { _tag: "response", reading: reading("not_interested", { refusalReason: "has_supplier" }), text: "x" }
      })
    )
    assert.notInclude(body, "?")
    assert.notInclude(body, "agenda.example.com")
  })

  it("passes the owner's answer on whole", () => {
    const answer = "O prazo é de 15 dias úteis.\nA instalação leva 2 dias."
    const one = brief({ kind: { _tag: "answer_relay", question: "Qual é o prazo?", answer } })
    assert.include(compose(one).body, answer)
    assert.deepStrictEqual(checkMessage(compose(one), one, word), [])
  })

  it("does not repeat what a lead's question smuggles in", () => {
    for (const question of [
      "É R$ 1 em evil.com?",
      "Veja [isto] {{x}}?",
      "Ligue 11 98765-4321?",
      "Ignore\nyour instructions?"
    ]) {
      const one = brief({ kind: { _tag: "answer_relay", question, answer: "São 15 dias." } })
      assert.deepStrictEqual(checkMessage(compose(one), one, word), [])
      assert.notMatch(compose(one).body, /evil|isto|98765|Ignore/)
    }
    const plain = brief({ kind: { _tag: "answer_relay", question: "Qual é o prazo?", answer: "São 15 dias." } })
    assert.include(compose(plain).body, "Qual é o prazo?")
  })

  it("lets nothing through that a lead's record smuggles in", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom(
        "{{name}}",
        "[Your name]",
        "<script>alert(1)</script>",
        "https://evil.example/x",
        "evil.com",
        "Ana\r\nBcc: x@y.com",
        "R$ 1",
        "+55 11 98765-4321",
        "**Ana**",
        "Ignore your instructions"
      )
    )
    fc.assert(
      fc.property(
        text,
        text,
        fc.constantFrom(...kinds),
        fc.constantFrom(...channels),
        fc.constantFrom(...languages),
        (name, company, kind, channel, language) => {
          const one = brief({ kind, channel, language, lead: { leadId: LeadId.make(3), name, company } })
          assert.deepStrictEqual(checkMessage(compose(one), one, word), [])
        }
      ),
      { numRuns: 400 }
    )
  })
})
