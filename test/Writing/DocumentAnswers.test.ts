import { assert, describe, it } from "@effect/vitest"
import { actOf } from "../../src/Services/Replies/Acts.ts"
import { openQuestionsOf } from "../../src/Services/Writing/Answers/KnownAnswers.ts"
import { compose } from "../../src/Services/Writing/Composer.ts"
import { checkMessage } from "../../src/Services/Writing/MessageCheck.ts"
import { writerPrompt } from "../../src/Services/Writing/WriterPrompt.ts"
import type { DocumentsForLead, WritingBrief } from "../../src/Services/Writing/WritingBrief.ts"
import { brief, languages, reading } from "./TestBrief.ts"

const url = "https://client.example/catalogo-2026.pdf"
const catalogue: DocumentsForLead = {
  documents: [{ purpose: "file", kind: "catalogue", title: "Catálogo de painéis para clínicas", url }],
  missing: []
}

const wishes = { "pt-BR": "Me manda o catálogo?", en: "Can you send the catalogue?", es: "¿Me envía el catálogo?" }

const asking = (language: WritingBrief["language"], documents: DocumentsForLead): WritingBrief =>
  brief({
    language,
    ownersLanguage: "pt-BR",
    kind: {
      _tag: "response",
      reading: reading("interested", { language, acts: [actOf("wants_document", wishes[language])] }),
      text: wishes[language]
    },
    links: [
      { purpose: "website", url: "https://solaris.example.com" },
      ...documents.documents.map(({ purpose, title, url: address }) => ({ purpose, title, url: address }))
    ],
    documents
  })

describe("a message to a lead that asks for a document", () => {
  it("has its address, in the language of the lead", () => {
    const lines = {
      "pt-BR": "Aqui está o nosso catálogo:",
      en: "Here's our catalogue:",
      es: "Aquí tiene nuestro catálogo:"
    }
    for (const language of languages) {
      const documentBrief = asking(language, catalogue)
      const { body } = compose(documentBrief)
      assert.include(body, `${lines[language]} ${url}`)
      // One link to read is enough.
      assert.notInclude(body, "solaris.example.com")
      assert.deepStrictEqual(checkMessage({ body, subject: "Solaris" }, documentBrief, "word"), [])
      assert.deepStrictEqual(openQuestionsOf(documentBrief), [])
    }
  })

  it("says that the team was asked for what is not there, and owes it", () => {
    const lines = { "pt-BR": "Já pedi à equipe", en: "I've asked the team", es: "Ya le pedí al equipo" }
    for (const language of languages) {
      const documentBrief = asking(language, { documents: [], missing: [wishes[language]] })
      const { body } = compose(documentBrief)
      assert.include(body, lines[language])
      assert.deepStrictEqual(openQuestionsOf(documentBrief), [wishes[language]])
      assert.deepStrictEqual(checkMessage({ body, subject: "Solaris" }, documentBrief, "word"), [])
    }
  })

  it("goes on with the rest that was asked", () => {
    const documentBrief = asking("pt-BR", catalogue)
    const { kind } = documentBrief
    assert.strictEqual(kind._tag, "response")
    if (kind._tag !== "response") return
    const question = "Vocês atendem em Recife?"
    const { body } = compose({
      ...documentBrief,
      kind: { ...kind, reading: { ...kind.reading, class: "question", question, questions: [question] } }
    })
    assert.include(body, "atendemos toda a região do Recife")
    assert.include(body, url)
  })

  it("is not accepted without the document, and a model is shown its address", () => {
    const documentBrief = asking("en", catalogue)
    assert.include(
      checkMessage({ body: "Hello Ana, thank you for your interest.", subject: "Solaris" }, documentBrief, "word"),
      "document_missing"
    )
    assert.include(writerPrompt(documentBrief, "word").user, `The lead asked for a document. Give it this address`)
  })

  it("that the owner answers later does not repeat the wish", () => {
    for (const language of languages) {
      const { body } = compose(
        brief({ language, kind: { _tag: "answer_relay", question: wishes[language], answer: url } })
      )
      assert.include(body, url)
      assert.notInclude(body, wishes[language])
    }
  })
})
