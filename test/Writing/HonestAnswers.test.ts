import { assert, describe, it } from "@effect/vitest"
import type { LeadOrigin } from "../../src/Services/Leads/LeadOrigin.ts"
import { isSourceQuestion } from "../../src/Services/Replies/SourceQuestions.ts"
import { openQuestionsOf } from "../../src/Services/Writing/Answers/KnownAnswers.ts"
import { compose } from "../../src/Services/Writing/Composer.ts"
import { checkMessage } from "../../src/Services/Writing/MessageCheck.ts"
import type { WritingBrief } from "../../src/Services/Writing/WritingBrief.ts"
import { act } from "../Replies/support/acts.ts"
import { brief, languages, reading } from "./TestBrief.ts"

const asksWhoWrites = { "pt-BR": "Você é um robô?", en: "Are you a bot?", es: "¿Es usted un robot?" } as const
const asksWhence = {
  "pt-BR": "De onde você tirou meu e-mail?",
  en: "Where did you get my address?",
  es: "¿De dónde sacó mi correo?"
} as const

const askingBrief = (
  language: WritingBrief["language"],
  acts: Parameters<typeof act>[],
  origin?: LeadOrigin
): WritingBrief => {
  const madeActs = acts.map(([kind, more]) => act(kind, more))
  const questions = madeActs.flatMap(({ kind, text }) => (kind === "demands_data" ? [] : [text]))
  return brief({
    language,
    lead: { ...brief().lead, ...(origin === undefined ? {} : { origin }) },
    kind: {
      _tag: "response",
      text: madeActs.map(({ text }) => text).join(" "),
      reading: reading(questions.length > 0 ? "question" : "other", { language, questions, acts: madeActs })
    }
  })
}

const origins: ReadonlyArray<LeadOrigin> = [
  { kind: "referred", name: "Paulo Reis" },
  { kind: "captured", name: "Guia de energia" },
  { kind: "imported", name: null },
  { kind: "company_register", name: null },
  { kind: "company_directory", name: null },
  { kind: "crm", name: null },
  { kind: "added", name: null }
]

describe("a question about the conversation itself", () => {
  it.each(languages)("is answered truly: a machine writes, and how to reach a person (%s)", (language) => {
    const one = askingBrief(language, [["asks_if_machine", { text: asksWhoWrites[language] }]])
    const { body, subject = "x" } = compose(one)
    assert.match(body, /sistema automático|automated system/)
    assert.match(body, /pessoa|person\b|persona/)
    assert.strictEqual(body.split("?").length, 1, body)
    assert.deepStrictEqual(openQuestionsOf(one), [])
    assert.deepStrictEqual(checkMessage({ body, subject }, one, "word"), [], body)
  })

  it.each(languages)("names the source of just this lead (%s)", (language) => {
    const texts = origins.map((origin) => {
      const one = askingBrief(language, [["demands_data", { text: asksWhence[language] }]], origin)
      const { body, subject = "x" } = compose(one)
      assert.deepStrictEqual(checkMessage({ body, subject }, one, "word"), [], body)
      assert.deepStrictEqual(openQuestionsOf(one), [])
      if (origin.name !== null) assert.include(body, origin.name)
      return body
    })
    assert.strictEqual(new Set(texts).size, origins.length)
  })

  it("is answered together with a question about the offer", () => {
    const one = askingBrief("en", [
      ["asks_if_machine", { text: "Are you a bot?" }],
      ["demands_data", { text: "Where did you get my address?" }],
      ["asks", { text: "Do you have parking?" }]
    ])
    const { body } = compose(one)
    assert.include(body, "automated system")
    assert.include(body, "added your contact details")
    assert.deepStrictEqual(openQuestionsOf(one), ["Do you have parking?"])
  })

  it("is not denied by whoever writes", () => {
    const one = askingBrief("en", [["asks_if_machine", { text: "Are you a bot?" }]])
    const draft = { subject: "x", body: "Hi Ana,\n\nNo, I am João from Solaris, a person of flesh and blood." }
    assert.include(checkMessage(draft, one, "word"), "machine_denied")
  })
})

describe("a question for the source of a contact", () => {
  it.each([
    "De onde você tirou meu e-mail?",
    "quem passou meu contato pra vocês?",
    "Onde pegaram meu número",
    "Where did you get my number?",
    "who gave you my email",
    "How did you find me?",
    "¿Cómo consiguieron mi número?",
    "quién les dio mi correo"
  ])("is told from a demand: %s", (text) => {
    assert.isTrue(isSourceQuestion(act("demands_data", { text })))
  })

  it.each([
    "Com base na LGPD, de onde tiraram meus dados?",
    "Under the Privacy Act, where did you get my details?",
    "Tell me where you got my data and delete it",
    "Me digam de onde tiraram meu número ou vou à ANPD",
    "Quero uma cópia dos meus dados",
    "¿Quién es el responsable del tratamiento?",
    "Bórrenme del listado y díganme de dónde lo sacaron"
  ])("is not: %s", (text) => {
    assert.isFalse(isSourceQuestion(act("demands_data", { text })))
  })
})
