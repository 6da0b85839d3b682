import { assert, describe, it } from "@effect/vitest"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { asksForDetails, deliberates, promisesWord } from "../../src/Services/Replies/LeadWishes.ts"
import { readByReader } from "../../src/Services/Replies/ReadReply.ts"
import type { InboundReply } from "../../src/Services/Replies/ReplyText.ts"
import { detectLanguage, type Language } from "../../src/Services/Text/Language.ts"
import { knownAnswerTo, openQuestionsOf } from "../../src/Services/Writing/Answers/KnownAnswers.ts"
import { compose } from "../../src/Services/Writing/Composer.ts"
import { checkMessage, promisesAnAnswer } from "../../src/Services/Writing/MessageCheck.ts"
import type { PastMessage, TouchKind, WritingBrief } from "../../src/Services/Writing/WritingBrief.ts"
import { brief, languages } from "./TestBrief.ts"

/** Monday, 10 March 2025, ten in the morning in São Paulo. */
const inbound = (text: string, more: Partial<InboundReply> = {}): InboundReply => ({
  text,
  receivedAt: Timestamp.make("2025-03-10T13:00:00Z"),
  timeZone: "America/Sao_Paulo",
  country: "BR",
  leadLanguage: "pt-BR",
  ownContacts: [],
  ...more
})

const word = "feedfacefeedfacefeedfacefeedface"

const detailWishes: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": [
    "Me manda mais detalhes, por favor.",
    "Interessante! Pode enviar mais informações?",
    "Gostaria de saber mais.",
    "Me conta mais sobre isso."
  ],
  en: [
    "Send me more details, please.",
    "Sounds interesting, could you share some more information?",
    "I would like to know a bit more.",
    "Tell me more!"
  ],
  es: [
    "Envíeme más detalles, por favor.",
    "Me interesa, ¿puede enviarme más información?",
    "Quisiera saber un poco más.",
    "Cuénteme más."
  ]
}

const amongThemselves: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": [
    "Vou conversar com a diretoria e te retorno.",
    "Preciso alinhar isso com meu sócio antes.",
    "Vamos discutir o assunto em reunião com o time na quinta.",
    "Deixa eu falar com o pessoal do financeiro primeiro.",
    "Estou avaliando com a equipe."
  ],
  en: [
    "I will discuss it with the board.",
    "Let me talk to my partner first.",
    "We need to review this with our team in Thursday's meeting.",
    "I'll run it by my boss and let you know.",
    "We'll take this to the committee next week."
  ],
  es: [
    "Lo voy a conversar con el directorio.",
    "Tengo que consultarlo con mi socio.",
    "Vamos a revisarlo con el equipo en la reunión del jueves.",
    "Déjeme hablarlo con mi jefe primero.",
    "Necesito verlo con la gerencia."
  ]
}

const withUs: ReadonlyArray<string> = [
  "Vamos marcar uma reunião na quinta às 15h?",
  "Can we meet on Thursday at 3 pm?",
  "I'd like to talk to you about it tomorrow at 10am.",
  "¿Podemos hablar el jueves a las 10?"
]

const answering = (language: Language, text: string, more: Partial<WritingBrief> = {}): WritingBrief => {
  const read = { ...readByReader(inbound(text, { leadLanguage: language })), question: null, questions: [] }
  const kind: TouchKind = {
    _tag: "response",
    text,
    reading: {
      ...read,
      class: read.class === "interested" ? "interested" : "other"
    }
  }
  return brief({ language, kind, ...more })
}

describe("a lead that asks for more details", () => {
  it("is heard in three languages, and nobody else is", () => {
    for (const language of languages) {
      for (const text of detailWishes[language]) assert.isTrue(asksForDetails(text), text)
      for (const text of amongThemselves[language]) assert.isFalse(asksForDetails(text), text)
    }
    for (const text of [
      ...withUs,
      "Não quero mais informações.",
      "I don't need more information.",
      "No necesito más información."
    ]) {
      assert.isFalse(asksForDetails(text), text)
    }
  })

  it("gets them: what the owner wrote, in the lead's language, not a link alone", () => {
    const faq: { readonly [L in Language]: WritingBrief["business"]["answers"] } = {
      "pt-BR": [{ question: "Qual é o prazo de instalação?", answer: "A instalação leva duas semanas." }],
      en: [{ question: "How long does the installation take?", answer: "The installation takes two weeks." }],
      es: [{ question: "¿Cuánto tarda la instalación?", answer: "La instalación tarda dos semanas." }]
    }
    for (const language of languages) {
      for (const text of detailWishes[language]) {
        const one = answering(language, text)
        const told = { ...one, business: { ...one.business, answers: faq[language] } }
        const { body } = compose(told)
        const second = (told.business.description ?? "").split(". ")[1] ?? "missing"
        assert.include(body, second, body)
        assert.include(body, faq[language][0]?.answer ?? "missing", body)
        assert.strictEqual(detectLanguage(body) ?? language, language, body)
        assert.deepStrictEqual(checkMessage({ body, subject: "x" }, told, word), [], body)
        assert.isUndefined(openQuestionsOf(told)[0])
      }
    }
  })

  it("is promised them, and the owner is asked, where there is nothing to tell", () => {
    for (const language of languages) {
      for (const text of detailWishes[language]) {
        const one = answering(language, text, { links: [] })
        const told = { ...one, business: { ...one.business, answers: [], description: undefined } }
        const { body } = compose(told)
        assert.isTrue(promisesAnAnswer(body), body)
        assert.isDefined(openQuestionsOf(told)[0], text)
        assert.deepStrictEqual(checkMessage({ body, subject: "x" }, told, word), [], body)
      }
    }
  })
})

const willWrite: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": [
    "Vou analisar e te retorno.",
    "Deixa eu dar uma olhada e te aviso.",
    "Vamos avaliar com calma e damos retorno."
  ],
  en: [
    "I'll take a look and let you know.",
    "Let me review it and get back to you.",
    "We will think about it and be in touch."
  ],
  es: ["Lo reviso y te aviso.", "Voy a revisarlo y le respondo.", "Lo pensamos y le escribimos."]
}

describe("a lead that will look at it and then write", () => {
  it("is understood as such, and whoever asks something is not", () => {
    for (const language of languages) {
      for (const text of willWrite[language]) assert.isTrue(promisesWord(text), text)
    }
    for (const text of [
      "Vou ver. Quanto custa?",
      "Recebido.",
      "I'll let you know.",
      "Noted.",
      "Let me know the price.",
      "Gracias, recibido.",
      "Avíseme cuando pueda."
    ]) {
      assert.isFalse(promisesWord(text), text)
    }
  })

  it("is left time, in its language, and asked for nothing", () => {
    for (const language of languages) {
      for (const text of willWrite[language]) {
        const one = answering(language, text)
        const { body } = compose(one)
        assert.notInclude(body.split("\n\n").slice(1).join(" "), "?", body)
        assert.strictEqual(detectLanguage(body) ?? language, language, body)
        assert.isFalse(promisesAnAnswer(body), body)
        assert.deepStrictEqual(checkMessage({ body, subject: "x" }, one, word), [], body)
      }
    }
  })
})

describe("a meeting that was moved", () => {
  it("is told as moved, with its time as one says it", () => {
    const meeting = { startsAt: Timestamp.make("2026-11-17T12:00:00Z") }
    const expected: { readonly [L in Language]: readonly [string, string] } = {
      "pt-BR": [
        "Nossa conversa está marcada para terça-feira, 17 de novembro às 09:00.",
        "Nossa conversa foi remarcada para terça-feira, 17 de novembro às 09:00."
      ],
      en: [
        "Our conversation is set for Tuesday, November 17 at 09:00.",
        "Our conversation is now set for Tuesday, November 17 at 09:00."
      ],
      es: [
        "Nuestra conversación quedó agendada para el martes 17 de noviembre a las 09:00.",
        "Nuestra conversación quedó reagendada para el martes 17 de noviembre a las 09:00."
      ]
    }
    for (const language of languages) {
      for (const isMoved of [false, true]) {
        const { body } = compose(brief({ language, kind: { _tag: "meeting_booked", meeting, isMoved } }))
        assert.include(body, expected[language][isMoved ? 1 : 0])
      }
    }
  })
})

describe("who left a contact on a page", () => {
  it("is thanked in words that fit any sender", () => {
    const { body } = compose(
      brief({ language: "pt-BR", kind: { _tag: "first_contact", capturedOn: "Agenda on-line" } })
    )
    assert.include(body, "Agradeço por deixar o seu contato")
    assert.notMatch(body, /\bobrigad[oa]\b/i)
  })
})

describe("what was promised to a lead that asked for more", () => {
  it("is told as such, and its words are not repeated as a question", () => {
    const opening: { readonly [L in Language]: RegExp } = {
      "pt-BR": /pedido mais detalhes/,
      en: /asked for more details/,
      es: /pedido más detalles/
    }
    for (const language of languages) {
      for (const question of detailWishes[language].filter((text) => !text.includes("?"))) {
        const kind: TouchKind = { _tag: "answer_relay", question, answer: "Solaris." }
        const { body } = compose(brief({ language, kind }))
        assert.match(body, opening[language], body)
        assert.notInclude(body, question, body)
      }
      const [asked] = openQuestionsOf(
        answering(language, `Oi, tudo bem? ${detailWishes[language][0] ?? ""}`, {
          links: [],
          business: { name: "Solaris", answers: [], knowledge: [] }
        })
      )
      assert.strictEqual(asked, detailWishes[language][0])
    }
  })
})

describe("an answer", () => {
  const knows = (title: string, body: string) => ({
    business: {
      answers: [{ question: "Quanto custa a implantação?", answer: "Nada." }],
      knowledge: [{ businessFileId: 1, sequence: 0, title, heading: "", body, score: 0.3 }]
    },
    language: "pt-BR" as const
  })

  it("is not one to a question that asks for less", () => {
    const setup = "A implantação leva cinco dias úteis e não tem custo."
    assert.isUndefined(knownAnswerTo("Quanto custa?", knows("Implantação", setup)))
    assert.strictEqual(
      knownAnswerTo("Quanto custa?", knows("Custo", "O custo é de R$ 199."))?.text,
      "O custo é de R$ 199."
    )
    assert.strictEqual(knownAnswerTo("Quanto custa a implantação?", knows("Implantação", setup))?.text, "Nada.")
  })
})

describe("a lead that names somebody else", () => {
  it("asks nothing by it", () => {
    for (const text of [
      "Quem decide isso aqui é Roberto Ramos, roberto.ramos@clinica.example",
      "Who decides this here is Robert Reed, robert.reed@clinic.example",
      "Quien decide esto aquí es Roberto Ramos, roberto.ramos@clinica.example"
    ]) {
      const { class: found, question } = readByReader(inbound(text))
      assert.strictEqual(found, "referral", text)
      assert.isNull(question, text)
    }
    const asking = "Fale com Roberto Ramos, roberto@clinica.example. Quanto custa?"
    assert.strictEqual(readByReader(inbound(asking)).question, "Quanto custa?")
  })
})

describe("a conversation that is taken up again", () => {
  it("says nothing of a time that nobody counted", () => {
    for (const language of languages) {
      for (const id of [1, 2, 3, 4]) {
        const lead = { ...brief().lead, leadId: LeadId.make(id) }
        const { body } = compose(brief({ language, lead, kind: { _tag: "re_engagement" } }))
        assert.notMatch(body, /tempo|a while|some time|un tiempo/i, body)
      }
    }
  })
})

describe("a lead that will talk to its own people", () => {
  it("is booked no meeting with us", () => {
    for (const language of languages) {
      for (const text of amongThemselves[language]) {
        const read = readByReader(inbound(text, { leadLanguage: language }))
        assert.isTrue(deliberates(text), text)
        assert.isNull(read.proposedMeeting?.time ?? null, text)
      }
    }
    for (const text of withUs) assert.isFalse(deliberates(text), text)
    const both = "Vou conversar com meu sócio. Podemos marcar uma reunião na quinta às 15h?"
    assert.strictEqual(readByReader(inbound(both)).class, "meeting_request")
    const liked = "Gostei muito da ideia. Vou levar para a diretoria."
    assert.strictEqual(readByReader(inbound(liked)).class, "interested")
  })

  it("is given time, and asked for no meeting", () => {
    for (const language of languages) {
      for (const text of amongThemselves[language]) {
        const told = answering(language, text)
        const { body } = compose(told)
        assert.notMatch(body, /\?/, body)
        assert.notInclude(body, "agenda.example.com", body)
        assert.deepStrictEqual(checkMessage({ body, subject: "x" }, told, word), [], body)
        assert.strictEqual(detectLanguage(body) ?? language, language, body)
      }
    }
  })
})

describe("a follow-up", () => {
  const asksWhetherSeen =
    /mensagem anterior|my last message[.,]|mensaje anterior|not heard back|haven't heard back|não tive retorno|no tuve respuesta|right person|pessoa certa|persona indicada|got lost|someone else's area|seja de outra pessoa|sea de otra persona/i
  const past = (direction: PastMessage["direction"], isAutomatic = false): PastMessage => ({
    direction,
    channel: "email",
    at: Timestamp.make("2026-03-02T11:00:00Z"),
    text: "Olá",
    isAutomatic
  })
  const bodies = (language: Language, conversation: ReadonlyArray<PastMessage>) =>
    [1, 2, 3, 4, 5, 6].flatMap((number) =>
      [1, 2, 3, 4].map(
        (id) =>
          compose(
            brief({
              language,
              conversation,
              lead: { ...brief().lead, leadId: LeadId.make(id) },
              kind: { _tag: "follow_up", number, isLast: number === 6 }
            })
          ).body
      )
    )

  it("takes up the conversation with a lead that has written, and asks a silent one whether it saw us", () => {
    for (const language of languages) {
      const taken = bodies(language, [past("outbound"), past("inbound")])
      for (const body of taken) {
        assert.notMatch(body, asksWhetherSeen, body)
        assert.strictEqual(detectLanguage(body) ?? language, language, body)
      }
      assert.isAbove(bodies(language, [past("outbound")]).filter((body) => asksWhetherSeen.test(body)).length, 8)
      // What a program sent in its absence shows nothing of the kind.
      assert.isAbove(
        bodies(language, [past("outbound"), past("inbound", true)]).filter((body) => asksWhetherSeen.test(body)).length,
        8
      )
    }
  })

  it("promises nothing that nobody keeps", () => {
    for (const language of languages) {
      for (const body of bodies(language, [past("outbound"), past("inbound")])) {
        assert.isFalse(promisesAnAnswer(body), body)
      }
    }
  })
})
