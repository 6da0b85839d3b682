import { assert, describe, it } from "@effect/vitest"
import type { Language } from "../../src/Services/Text/Language.ts"
import { openQuestionsOf } from "../../src/Services/Writing/Answers/KnownAnswers.ts"
import { compose } from "../../src/Services/Writing/Composer.ts"
import { checkMessage } from "../../src/Services/Writing/MessageCheck.ts"
import { inOneLanguage, needsTranslation } from "../../src/Services/Writing/OneLanguage.ts"
import type { WritingBrief } from "../../src/Services/Writing/WritingBrief.ts"
import { brief, channels, kinds, languages, reading } from "./TestBrief.ts"

const passage = (body: string) => ({
  businessFileId: 1,
  sequence: 1,
  title: "Solaris",
  heading: "",
  body,
  score: 1
})

/** What an owner may have written, each with a word that tells it in the message. */
const texts: { readonly [L in Language]: Pick<WritingBrief, "business" | "instructions" | "links"> } = {
  "pt-BR": {
    business: {
      name: "Solaris",
      description: "Nós ajudamos clínicas com ptdescricao e mais organização.",
      answers: [{ question: "Vocês têm fidelidade no contrato?", answer: "Não temos ptresposta no contrato." }],
      knowledge: [passage("O plano custa menos com ptconhecimento.")]
    },
    instructions: { goal: "Marcar reunião sobre o ptobjetivo com você", general: 'Diga "Nós atendemos com ptfrase".' },
    links: [{ purpose: "file", url: "https://solaris.example.com/pt", title: "Nossa apresentação e preços" }]
  },
  en: {
    business: {
      name: "Solaris",
      description: "We help clinics with endescription and better planning.",
      answers: [{ question: "Is there a minimum contract length?", answer: "There is no enanswer in the contract." }],
      knowledge: [passage("The plan costs less with enknowledge.")]
    },
    instructions: { goal: "Book a meeting about the enaim with you", general: 'Say "We are here with ensentence".' },
    links: [{ purpose: "file", url: "https://solaris.example.com/en", title: "Our plans and the prices" }]
  },
  es: {
    business: {
      name: "Solaris",
      description: "Ayudamos a las clínicas con esdescripcion y más organización.",
      answers: [{ question: "¿Tienen permanencia en el contrato?", answer: "No tenemos esrespuesta en el contrato." }],
      knowledge: [passage("El plan cuesta menos con esconocimiento.")]
    },
    instructions: {
      goal: "Agendar una reunión con usted sobre el esobjetivo",
      general: 'Diga "Nosotros estamos con usted y esfrase".'
    },
    links: [{ purpose: "file", url: "https://solaris.example.com/es", title: "Nuestra presentación y los precios" }]
  }
}

const marks: { readonly [L in Language]: RegExp } = {
  "pt-BR": /pt(?:descricao|resposta|conhecimento|objetivo|frase)|\/pt\b/,
  en: /en(?:description|answer|knowledge|aim|sentence)|\/en\b/,
  es: /es(?:descripcion|respuesta|conocimiento|objetivo|frase)|\/es\b/
}

describe("a message without a model", () => {
  it("has nothing of the owner's in another language than the lead's, whatever the touch", () => {
    for (const kind of kinds) {
      for (const channel of channels) {
        for (const language of languages) {
          for (const owners of languages) {
            const told = brief({ kind, channel, language, ownersLanguage: owners, ...texts[owners] })
            const { body, openingLine = "", subject = "" } = compose(told)
            const text = [subject, openingLine, body].join("\n")
            if (owners !== language) assert.notMatch(text, marks[owners], `${kind._tag} ${channel} ${language}`)
            const problems = checkMessage({ subject, openingLine, body }, inOneLanguage(told), "Xw")
            assert.notInclude(problems, "wrong_language", `${kind._tag} ${channel} ${language} of ${owners}: ${text}`)
          }
        }
      }
    }
  })

  it("still says what the owner wrote in the lead's language", () => {
    for (const language of languages) {
      const first = compose(brief({ language, ownersLanguage: language, ...texts[language] })).body
      assert.match(first, /ptdescricao|endescription|esdescripcion/)
    }
  })

  it("leaves a question open whose only answer is in another language", () => {
    const question = "Is there fidelidade contrato?"
    const kind = { _tag: "response", reading: reading("question", { question }), text: question } as const
    const told = brief({ kind, language: "en", ownersLanguage: "pt-BR", ...texts["pt-BR"] })
    assert.isUndefined(openQuestionsOf(told)[0])
    assert.strictEqual(openQuestionsOf(inOneLanguage(told))[0], question)
    assert.notMatch(compose(told).body, /ptresposta/)
  })

  it("an answer in another language cannot be passed on", () => {
    const kind = { _tag: "answer_relay", question: "How long?", answer: "A implantação leva dez dias." } as const
    assert.isTrue(needsTranslation(brief({ kind, language: "en", ownersLanguage: "pt-BR" })))
    assert.isFalse(needsTranslation(brief({ kind, language: "pt-BR", ownersLanguage: "pt-BR" })))
    assert.isFalse(
      needsTranslation(brief({ kind: { ...kind, answer: "R$ 199" }, language: "en", ownersLanguage: "pt-BR" }))
    )
  })
})

describe("a model's message", () => {
  it("is not let through with one paragraph in another language", () => {
    const told = brief({ language: "en" })
    const body =
      "Hi Ana,\n\nI am writing because we help clinics with their energy bills and would like to talk with you.\n\nO plano custa menos e não tem fidelidade: você pode cancelar quando quiser.\n\nBest regards,"
    assert.include(checkMessage({ subject: "An idea", body }, told, "Xw"), "wrong_language")
  })
})
