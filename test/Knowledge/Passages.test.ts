import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type AssessmentInputs, judge } from "../../src/Services/Knowledge/Assessment.ts"
import { assessmentTexts } from "../../src/Services/Knowledge/AssessmentTexts.ts"
import { passageWords } from "../../src/Services/Knowledge/PassageStems.ts"
import { type DocumentBlock, passageLength, passagesOf } from "../../src/Services/Knowledge/Passages.ts"
import { textBlocks } from "../../src/Services/Knowledge/TextBlocks.ts"
import { fold } from "../../src/Services/Text/PlainText.ts"

const block: fc.Arbitrary<DocumentBlock> = fc.oneof(
  fc.record({
    kind: fc.constant("heading" as const),
    level: fc.integer({ min: 1, max: 4 }),
    text: fc.lorem({ maxCount: 3 })
  }),
  fc.record({ kind: fc.constant("text" as const), text: fc.lorem({ maxCount: 40, mode: "sentences" }) }),
  fc.record({
    kind: fc.constant("table" as const),
    rows: fc.array(fc.array(fc.lorem({ maxCount: 2 }), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 20 })
  })
)

describe("the words of a passage", () => {
  it.each([
    [
      "Preços",
      "O plano básico não tem implantação. A implantação é cobrada.",
      "pt-BR",
      "precos basico nao implantacao e"
    ],
    ["Precios", "El plan básico no incluye instalación, y usted la paga.", "es", "basico instalacion"],
    ["Prices", "The basic plan is for your team, and we set it up.", "en", ""],
    ["SKU", "X-200 / 12345", null, ""]
  ])("%s: the language, and what has accents without them", (title, body, language, folded) => {
    assert.deepStrictEqual(passageWords(title, { heading: "", body }), { language, folded })
  })

  it("every word with an accent is there without it, and no other", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("ação", "casa", "São", "número7", "PLANO", "İstanbul"), { maxLength: 30 }),
        (words) => {
          const { folded } = passageWords("", { heading: "", body: words.join(" ") })
          const accentedWords = new Set(words.filter((word) => /[^\p{ASCII}]/u.test(word)).map(fold))
          assert.deepStrictEqual(new Set(folded.split(" ").filter((word) => word !== "")), accentedWords)
        }
      )
    )
  })
})

describe("passages", () => {
  it("no word of the text is lost, and none is longer than a passage", () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
        const passages = passagesOf(blocks)
        const fullText = passages.map(({ body }) => body).join(" ")
        for (const one of blocks) {
          if (one.kind === "text") for (const word of one.text.split(/\s+/)) assert.include(fullText, word)
        }
        for (const { body } of passages) assert.isAtMost(body.length, passageLength + 1)
      })
    )
  })

  it("text without any blank is cut where it must be, and never through a character", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), (length) => {
        const passages = passagesOf([{ kind: "text", text: "😀".repeat(length) }])
        for (const { body } of passages) assert.isTrue(body.isWellFormed())
      })
    )
  })

  it("a passage has its headings, and a row of a table the names of its columns", () => {
    const passages = passagesOf(
      textBlocks(
        "# Preços\n## Planos\nValem para 2026.\n\n| Plano | Valor |\n|---|---|\n| Básico | R$ 199 |\n| Pro | R$ 499 |\n# Suporte\nPor chat."
      )
    )
    assert.deepStrictEqual(passages, [
      { heading: "Preços > Planos", body: "Valem para 2026." },
      { heading: "Preços > Planos", body: "Plano: Básico; Valor: R$ 199\nPlano: Pro; Valor: R$ 499" },
      { heading: "Suporte", body: "Por chat." }
    ])
  })

  it("a passage begins with the end of the previous one", () => {
    const text = Array.from({ length: 60 }, (_, index) => `Sentence number ${index} says little.`).join(" ")
    const passages = passagesOf([{ kind: "text", text }])
    assert.isAtLeast(passages.length, 2)
    const [first, second] = passages
    assert.include(first?.body ?? "", (second?.body ?? "").slice(0, 30))
  })
})

describe("the assessment", () => {
  const nothing: AssessmentInputs = {
    business_name: null,
    business_description: null,
    business_website: null,
    ideal_customer_profile: null,
    paying_customer_examples: null,
    exampleCount: 0,
    targetingFilters: 0,
    passages: 0,
    faqAnswers: 0,
    openQuestions: 0,
    goal: null,
    leads: 0,
    leadsContacted: 0,
    leadsReplied: 0,
    leadsInterested: 0,
    won: 0
  }

  it("says of nothing that it is not ready, and what is missing, most important first", () => {
    const assessment = assessmentTexts(judge(nothing), "en")
    assert.strictEqual(assessment.verdict, "not_ready")
    assert.match(assessment.missing[0] ?? "", /what you sell/)
  })

  it("never falls when more is said, and stays a probability", () => {
    fc.assert(
      fc.property(
        fc.record({
          business_description: fc.lorem({ maxCount: 80 }),
          ideal_customer_profile: fc.lorem({ maxCount: 60 }),
          exampleCount: fc.nat(5),
          passages: fc.nat(20),
          faqAnswers: fc.nat(8)
        }),
        fc.nat(10),
        (inputs, more) => {
          const before = judge({ ...nothing, ...inputs }).results_probability
          const after = judge({ ...nothing, ...inputs, passages: inputs.passages + more }).results_probability
          assert.isAtLeast(after, before)
          assert.isTrue(before >= 0 && after <= 1)
        }
      )
    )
  })

  it.each([
    [
      "pt-BR",
      "1 palavra; 60 já dizem o bastante.",
      "1 cliente pagante citado; 3 são uma boa base.",
      "120 de 1.000 leads contatados responderam (12%), 30 ficaram interessados e 1 comprou.",
      "Defina setores e lugares com set_targeting."
    ],
    [
      "en",
      "1 word; 60 say enough.",
      "1 paying customer named; 3 are a good ground.",
      "120 of 1,000 contacted leads replied (12%), 30 became interested and 1 bought.",
      "Set sectors and places with set_targeting."
    ],
    [
      "es",
      "1 palabra; 60 ya dicen lo suficiente.",
      "1 cliente que paga nombrado; 3 son una buena base.",
      "120 de 1000 leads contactados respondieron (12 %), 30 se interesaron y 1 compró.",
      "Defina sectores y lugares con set_targeting."
    ]
  ] as const)("is told in %s, one thing as one", (language, description, examples, results, missing) => {
    const inputs = { business_description: "Software", exampleCount: 1, leadsContacted: 1000, leadsReplied: 120 }
    const judgement = judge({ ...nothing, ...inputs, leadsInterested: 30, won: 1 })
    const { missing: all, points } = assessmentTexts(judgement, language)
    const findings = points.map(({ finding }) => finding)
    for (const finding of [description, examples, results]) assert.include(findings, finding)
    assert.include(all, missing)
    assert.notInclude(all, null)
  })

  it("has every sentence in the language of its account and in no other", () => {
    const languages = ["pt-BR", "en", "es"] as const
    for (const leadsContacted of [0, 1, 49, 50, 5000]) {
      const judgement = judge({ ...nothing, leadsContacted, leadsReplied: leadsContacted / 50, business_name: "Ondas" })
      const texts = languages.map((language) => {
        const { missing, points } = assessmentTexts(judgement, language)
        return new Set([...missing, ...points.map(({ finding }) => finding)])
      })
      for (const [index, one] of texts.entries()) {
        for (const other of texts.slice(index + 1))
          for (const sentence of one) assert.isFalse(other.has(sentence), sentence)
      }
    }
  })
})

describe("plain text", () => {
  it("keeps the lines of a list, and joins those that were only full", () => {
    const [passage] = passagesOf(
      textBlocks(
        "Wash and cut\nColour from 45\n\nWe are closed on Mondays, and on the first Tuesday of every\nmonth for training."
      )
    )
    assert.strictEqual(
      passage?.body,
      "Wash and cut\nColour from 45\n\nWe are closed on Mondays, and on the first Tuesday of every month for training."
    )
  })

  it.each([
    [
      "semicolons",
      "Plano;Usuários;Preço\nBásico;3;R$ 99,00\nPro;10;R$ 199,00",
      "Plano: Pro; Usuários: 10; Preço: R$ 199,00"
    ],
    [
      "commas and quotes",
      'Size,Output,Price\n8,"2,900 kWh","£5,200"\n12,"4,400 kWh","£6,700"',
      "Size: 12; Output: 4,400 kWh; Price: £6,700"
    ],
    ["bars alone", "Product | Unlit | Lit\nTray | £980 | £1,690", "Product: Tray; Unlit: £980; Lit: £1,690"],
    ["tabs", "Pest\tPrice\nWasps\t£65\nMice\t£150", "Pest: Mice; Price: £150"]
  ])("lines with %s are a table", (_, text, row) => {
    assert.include(passagesOf(textBlocks(text))[0]?.body, row)
  })

  it("sentences with commas are none", () => {
    const text =
      "We clean offices, shops and clinics.\nWe bring cloths, mops and vacuums.\nWe work early, late and at noon."
    assert.deepStrictEqual(textBlocks(text), [{ kind: "text", text }])
  })

  it("a line in capitals is a heading, unless the next one is in capitals too", () => {
    assert.deepStrictEqual(passagesOf(textBlocks("DELIVERY\nOn Mondays.\nPRICES ON REQUEST\nCALL US")), [
      { heading: "DELIVERY", body: "On Mondays.\nPRICES ON REQUEST\nCALL US" }
    ])
  })
})
