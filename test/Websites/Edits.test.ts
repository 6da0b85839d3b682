import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { materialOf } from "../../bench/sites/SiteMaterials.ts"
import { changeByRules } from "../../src/Services/Websites/Edits/EditReader.ts"
import { sentencesOf } from "../../src/Services/Websites/Edits/Reading/EditSentences.ts"
import { amountOf, tokensOf } from "../../src/Services/Websites/Edits/Reading/EditTokens.ts"
import { rolesOf } from "../../src/Services/Websites/Edits/Reading/EditWords.ts"
import { withAmount } from "../../src/Services/Websites/Edits/Reading/NewValues.ts"
import { visibleTexts } from "../../src/Services/Websites/Edits/SiteTexts.ts"
import type { Site } from "../../src/Services/Websites/Site.ts"

/** A small business that has one of each thing that owners change. */
const site = (language: string): Site => ({
  language,
  name: "Casa Rosa",
  tagline: "",
  theme: { layout: "ledger", brand: "#12502c", accent: "#e2711d", palette: 2, typefaces: 2 },
  pages: [
    {
      id: "home",
      path: "",
      label: "Home",
      title: "Casa Rosa",
      description: "",
      variants: [],
      blocks: [
        {
          _tag: "Hero",
          id: "hero",
          title: "Casa Rosa",
          text: "We have a 25 year guarantee on repairs. We cover Leeds, Morley, Pudsey and Garforth.",
          actions: [{ label: "Book now", target: { _tag: "Phone", number: "0113 496 0123" } }],
          picture: null
        },
        {
          _tag: "Prices",
          id: "prices",
          title: "Prices",
          items: [
            { name: "Call-out", price: "£65", text: "", includes: [] },
            { name: "Pack of 5 lessons", price: "R$ 150,00", text: "", includes: [] },
            { name: "Corte a tijera", price: "desde 38 €", text: "", includes: [] }
          ]
        },
        {
          _tag: "People",
          id: "people",
          title: "Team",
          items: [
            { name: "Peter Marsh", role: "Owner", text: "" },
            { name: "Dana Wu", role: "Baker", text: "" }
          ]
        },
        {
          _tag: "Quotes",
          id: "quotes",
          title: "Reviews",
          items: [{ words: "Turned up when he said.", name: "Mrs Akhtar", role: "Pudsey" }]
        },
        {
          _tag: "Questions",
          id: "questions",
          title: "Questions",
          items: [{ question: "Can I order a cake?", answer: "Yes, with 3 days notice." }]
        },
        {
          _tag: "Form",
          id: "form",
          title: "Write to us",
          text: "",
          fields: [
            { name: "name", label: "Name", kind: "text", is_required: true, choices: [] },
            { name: "phone", label: "Phone", kind: "phone", is_required: false, choices: [] }
          ],
          submit: "Send",
          thanks: { title: "Thanks", text: "" },
          collection: null
        },
        {
          _tag: "Contact",
          id: "contact",
          title: "Contact",
          text: "",
          email: "casa@rosa.example",
          phone: "0113 496 0123",
          address: "12 Mill Lane",
          hours: "Monday to Friday 8am to 6pm, Saturday 9am to 1pm",
          links: []
        }
      ]
    }
  ],
  pictures: [],
  collections: [],
  campaign: null
})

const english = materialOf("Casa Rosa", "en-us")
const edited = (prompt: string) => changeByRules(site("en-us"), prompt, english)

/** The texts that are other than before, as "old → new". */
const difference = (prompt: string): ReadonlyArray<string> => {
  const [before, after] = [visibleTexts(site("en-us")), visibleTexts(edited(prompt).site)]
  return [
    ...before.filter((text) => !after.includes(text)).map((text) => `- ${text}`),
    ...after.filter((text) => !before.includes(text)).map((text) => `+ ${text}`)
  ]
}

describe("a wish for another time", () => {
  it.each([
    "Change the price of call-out to £70 from 1 February.",
    "From 1 Feb: call-out is now £70.",
    "Prices from 1 March\nCall-out: £70",
    "Remove Peter Marsh on 31 January.",
    "From next month, call-out is £70."
  ])("is not done at once: %s", (prompt) => {
    const { report, site: after } = edited(prompt)
    expect(visibleTexts(after)).toEqual(visibleTexts(site("en-us")))
    expect(report.done).toEqual([])
    expect(report.not_done.length).toBeGreaterThan(0)
  })

  it("does not keep another sentence from being done", () => {
    const prompt = "From 1 February call-out is £70. Remove Dana Wu from the team."
    expect(difference(prompt).filter((text) => text.includes("£"))).toEqual([])
    expect(difference(prompt)).toContain("- Dana Wu")
  })

  it("is done where the site shows the time", () =>
    expect(
      difference("Add a question “Are you open in August?” with the answer “Closed from 1 to 15 August.”")
    ).toContain("+ Closed from 1 to 15 August."))

  it("is none where a time says nothing of when", () =>
    expect(difference("Change the price of call-out to £70 now.")).toEqual(["- £65", "+ £70"]))
})

describe("a question between quotation marks", () => {
  it("is shown without the order", () =>
    expect(difference("Add a question “Do you ship?” with the answer “Only in August.”")).toEqual([
      "+ Do you ship?",
      "+ Only in August."
    ]))

  it.each([
    "Add a question about shipping with the answer “Only in August.”",
    "Add the question Do you ship? Only in August."
  ])("is reported where its ends are not certain: %s", (prompt) => expect(difference(prompt)).toEqual([]))
})

describe("the values of a wish", () => {
  it.each([
    ["R$ 16,00", 16],
    ["$1,450", 1450],
    ["7.40", 7.4],
    ["1.500,50", 1500.5],
    ["1.2345", undefined]
  ])("%s", (text, amount) => expect(amountOf(text)).toBe(amount))

  it.each([
    ["R$ 16,00", "17", "R$ 17,00"],
    ["€3.60", "3.8", "€3.80"],
    ["desde 38 €", "40 €", "desde 40 €"],
    ["$19 per month", "$20", "$20 per month"],
    ["€9", "$9", undefined],
    ["2 for $5", "6", undefined]
  ])("are written as the site writes them: %s, %s", (old, next, price) => expect(withAmount(old, next)).toBe(price))

  it("are told from words", () => {
    const kinds = tokensOf("Put “A b” at 8:30 for £70, 16 reais or a@b.example, 01632 960412, 6x").map(
      ({ kind }) => kind
    )
    expect(kinds.filter((kind) => kind !== "word" && kind !== "mark")).toEqual([
      "quote",
      "time",
      "money",
      "money",
      "email",
      "phone",
      "number"
    ])
  })

  it("have words of three languages around them", () => {
    for (const word of ["tira", "remove", "quita"]) expect(rolesOf(word).has("remove")).toBe(true)
    expect(rolesOf("acrescentar").has("add")).toBe(true)
    expect(rolesOf("xyzzy").size).toBe(0)
  })
})

describe("the sentences of a prompt", () => {
  it.each([
    ["Add this question: Do you take cards? Yes, and cash. Change the fee.", 2],
    ["Add:\n- one\n- two", 1],
    ["Remove the form. Phone only.", 2]
  ])("%s", (prompt, count) => expect(sentencesOf(prompt)).toHaveLength(count))
})

describe("a wish that is understood whole", () => {
  it.each([
    ["put call out up to £70 its gone up. the rest stays the same", ["- £65", "+ £70"]],
    ["pack of 5 is 160 now", ["- R$ 150,00", "+ R$ 160,00"]],
    [
      "change the cake notice to 5 days because 3 is killing Dana",
      ["- Yes, with 3 days notice.", "+ Yes, with 5 days notice."]
    ],
    ["Peter has left.", ["- Peter Marsh", "- Owner"]],
    ["swap the order of Peter and Dana", []],
    ["Move the questions before the team", []],
    ["the phone is 0113 496 0199 now", ["- 0113 496 0123", "+ 0113 496 0199"]],
    [
      "not working saturdays any more",
      ["- Monday to Friday 8am to 6pm, Saturday 9am to 1pm", "+ Monday to Friday 8am to 6pm, Saturday: closed"]
    ],
    ["It's Danna Wu, not Dana Wu", ["- Dana Wu", "+ Danna Wu"]],
    ["make the phone field required", []],
    ["change the button to “Grab a spot”", ["- Book now", "+ Grab a spot"]]
  ])("is done, and nothing else: %s", (prompt, expected) => {
    const { report, site: after } = edited(prompt)
    expect(report.not_done).toEqual([])
    expect(difference(prompt)).toEqual(expected)
    expect(after).not.toEqual(site("en-us"))
  })

  it("puts one more into a list of names, in its place", () => {
    expect(difference("add Rothwell to the places, after Garforth")[1]).toContain("Pudsey, Garforth and Rothwell.")
  })

  it("puts a colour in the place of the one that the site has", () => {
    expect(edited("the orange is too bright, better dark red").site.theme).toMatchObject({
      brand: "#12502c",
      accent: "#741d19"
    })
  })
})

describe("a wish that is in doubt", () => {
  it.each([
    "remove the call-out price only on Sundays",
    "Is the call-out £70 now?",
    "can I see what the pack costs?",
    "put a chat on the page",
    "Change the price to £70",
    "raise the call-out to £60",
    "the guarantee is 20 days",
    "publish it as a draft, I want to see it before",
    "Add a button to pay by card",
    "Put it back how it was before"
  ])("changes nothing, and is reported: %s", (prompt) => {
    const { report, site: after } = edited(prompt)
    expect(after).toEqual(site("en-us"))
    expect(report.not_done.length).toBeGreaterThan(0)
  })

  it("is not done where the same message takes it back", () => {
    const { report, site: after } = edited("change the button to “Go”, no wait. we close at 5pm on Fridays")
    expect(JSON.stringify(after)).not.toContain("“Go”")
    expect(JSON.stringify(after)).toContain("Book now")
    expect(report.done).toHaveLength(1)
  })

  it("is not done where it changes what is to stay", () => {
    const { report, site: after } = edited("Don't touch the phone. The phone is 0113 496 0199 now.")
    expect(after).toEqual(site("en-us"))
    expect(report.not_done).toHaveLength(1)
  })

  it("leaves another wish alone", () => {
    const { report } = edited("put call out up to £70. let the buyers upload a file")
    expect([report.done.length, report.not_done.length]).toEqual([1, 1])
  })
})

// Words that speak of nothing that the site has.
const unrelated =
  "river mountain purple elephant quickly yesterday sing window under seven cloud bread laugh rio montanha elefante rapido ontem canta janela nuvem ri luna caballo mesa corre ayer ventana blue 12 40 £9 8am".split(
    " "
  )

// A longer run: CHANGES=3000 npx vitest run test/Websites/Edits.test.ts -t unrelated
const runs = process.env["CHANGES"]

describe("unrelated words", () => {
  it("change no text of the site, whatever their order", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.constantFrom(...unrelated), { minLength: 1, maxLength: 12 }),
        FastCheck.constantFrom("en-us", "pt-br", "es-es"),
        (words, language) => {
          const before = site(language)
          const { site: after } = changeByRules(before, words.join(" "), materialOf("Casa Rosa", language))
          expect(visibleTexts(after)).toEqual(visibleTexts(before))
        }
      ),
      runs === undefined ? { seed: 7, numRuns: 200 } : { numRuns: Number(runs) }
    )
  })
})
