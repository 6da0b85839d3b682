import { assert, describe, it } from "@effect/vitest"
import {
  hasContent,
  type PresentationFacts,
  presentationOf,
  showsPrices
} from "../../src/Services/Presentations/PresentationPages.ts"
import { languages } from "../Writing/TestBrief.ts"
import { presentationFacts } from "./presentationFacts.ts"

const textOf = (facts: PresentationFacts): string => JSON.stringify(presentationOf(facts))
const tagsOf = (facts: PresentationFacts) => presentationOf(facts).pages.map(({ _tag }) => _tag)

describe("pages of a presentation", () => {
  it("say what the owner and the lead's data say", () => {
    const text = textOf(presentationFacts())
    for (const part of [
      "Solaris Energia",
      "reduzir a conta de energia",
      "Ana Clara de Souza Gonçalves",
      "Clínica Sorriso Ltda",
      "Vocês atendem em Recife?",
      "solaris@mail.example",
      "https://solaris.example.com",
      "março de 2026"
    ]) {
      assert.include(text, part)
    }
    // A single answer has no page of its own, which would be half empty.
    assert.deepStrictEqual(tagsOf(presentationFacts()), ["Cover", "Statement", "Cards", "Steps"])
    const [answer] = presentationFacts().answers
    const answers = answer === undefined ? [] : [answer, { question: "Quanto custa?", answer: "R$ 199 por mês." }]
    const tags = tagsOf(presentationFacts({ answers }))
    assert.deepStrictEqual(tags, ["Cover", "Statement", "Cards", "Questions", "Steps"])
  })

  it("are in the language of the lead", () => {
    const texts = languages.map((language) => textOf(presentationFacts({ language })))
    assert.include(texts[0], "Próximos passos")
    assert.include(texts[1], "Next steps")
    assert.include(texts[2], "Próximos pasos")
  })

  it("say nothing twice", () => {
    for (const description of [presentationFacts().business.description, "Ajudamos clínicas.", null]) {
      const { pages } = presentationOf(
        presentationFacts({ business: { ...presentationFacts().business, description } })
      )
      const said = [...JSON.stringify(pages).matchAll(/"([^"]{31,})"/g)].map(([, text]) => text)
      assert.strictEqual(new Set(said).size, said.length)
    }
  })

  it("have nothing in another language than the lead's", () => {
    const answers = [
      { question: "Vocês têm fidelidade?", answer: "Não temos fidelidade no contrato." },
      { question: "Is there a trial?", answer: "Yes, there is a trial of two weeks." }
    ]
    const text = textOf(presentationFacts({ language: "en", ownersLanguage: "pt-BR", answers }))
    assert.include(text, "Is there a trial?")
    assert.notMatch(text, /fidelidade|reduzir a conta/)
  })

  it("do without what is not known", () => {
    const facts = presentationFacts({
      business: { name: "Solaris", description: null, website: null, email: "solaris@mail.example" },
      lead: { name: "Ana", company: null },
      answers: []
    })
    assert.deepStrictEqual(tagsOf(facts), ["Cover", "Cards", "Steps"])
    assert.notMatch(textOf(facts), /null|undefined/)
  })

  it("show one line of bounded text, without what steers or hides it", () => {
    const facts = presentationFacts({
      business: {
        name: `Sol\u202Earis\r\n\u0000 \u200B<script>alert(1)</script>`,
        description: `${"x".repeat(50_000)}. \u0007Fim.`,
        website: "https://solaris.example.com",
        email: "solaris@mail.example"
      },
      lead: { ...presentationFacts().lead, name: "Ana 🙂 日本", company: "C".repeat(5_000) },
      answers: [{ question: "q ".repeat(5_000), answer: "a ".repeat(50_000) }]
    })
    const { pages, title } = presentationOf(facts)
    const text = JSON.stringify(pages)
    // Markup is text like any other.
    assert.include(text, "Solaris <script>alert(1)</script>")
    assert.isBelow(text.length, 6_000)
    assert.notMatch(JSON.stringify([pages, title]), /\\u00|\\n|[\u202e\u200b]|🙂|日/)
    const [cover] = pages
    assert.deepInclude(cover, { recipient: "Ana" })
  })

  it("are the same for the same facts", () => {
    assert.strictEqual(textOf(presentationFacts()), textOf(presentationFacts()))
  })

  it("show prices of tables, and files that the reader can open", () => {
    const facts = presentationFacts({
      priceTexts: [
        "Plano: Essencial; Preço: R$ 199 por mês; Usuários: 3\nPlano: Completo; Preço: R$ 399 por mês; Usuários: 10",
        "Equipamento: Andaime; Valor (R$): 75\nAtendemos de segunda a sexta; sábados só com hora marcada.",
        "Plan: Basic; Price: $ 20 a month, billed once a year for every user that you have"
      ],
      files: [
        { title: "Catálogo 2026", description: "Todos os painéis.", url: "https://client.example/catalogo.pdf" },
        { title: "Estranho", description: "", url: "javascript:alert(1)" }
      ]
    })
    const lists = presentationOf(facts).pages.flatMap((page) => (page._tag === "List" ? [page] : []))
    assert.deepStrictEqual(
      lists.map(({ heading, items }) => [heading, items]),
      [
        [
          "Preços",
          [
            { title: "Essencial", text: "Preço: R$ 199 por mês · Usuários: 3" },
            { title: "Completo", text: "Preço: R$ 399 por mês · Usuários: 10" },
            { title: "Andaime", text: "Valor (R$): 75" }
          ]
        ],
        [
          "Para saber mais",
          [{ title: "Catálogo 2026", text: "Todos os painéis.", link: "https://client.example/catalogo.pdf" }]
        ]
      ]
    )
    assert.isTrue(showsPrices(facts))
    assert.isFalse(showsPrices(presentationFacts()))
  })

  it("are worth sending only if they show something of the account's own", () => {
    const bare = presentationFacts({
      answers: [],
      business: { name: "Solaris", description: null, website: null, email: "solaris@mail.example" }
    })
    assert.isFalse(hasContent(bare))
    assert.isTrue(hasContent(presentationFacts()))
    assert.isTrue(hasContent({ ...bare, priceTexts: ["Plano: Essencial; Preço: R$ 199 por mês"] }))
  })
})
