import { describe, expect, it } from "vitest"
import { linesOf } from "../../bench/checks/GatewayCalls.ts"
import { asBrief, asPage, BlindPrompt } from "../../bench/content/BlindCorpus.ts"
import { briefVerdict, pageVerdict } from "../../bench/content/BriefVerdict.ts"
import { composeSite } from "../../src/Services/Websites/Writing/ComposeSite.ts"

/** Prompts of an author who had not seen the reader. They were played once before the reader was changed for them. */
const corpus = new URL("../../bench/content/corpus/", import.meta.url)
const promptsIn = (file: string) => linesOf(new URL(file, corpus), BlindPrompt)

/** How many of the 16 that a careful person would publish are published; these numbers may only grow. */
const leastSites = 12
const leastPages = 3

const sites = promptsIn("blind-sites-3.jsonl").map((prompt) => ({ prompt, verdict: briefVerdict(asBrief(prompt)) }))
const pages = promptsIn("blind-pages-3.jsonl").map((prompt) => ({ prompt, verdict: pageVerdict(asPage(prompt)) }))

describe("prompts that an owner wrote blind", () => {
  it.each([
    ["sites", sites, leastSites],
    ["pages", pages, leastPages]
  ] as const)("%s are published where name, offer and contact are certain", (_, played, least) => {
    const fit = played.filter(({ prompt, verdict }) => prompt.fit_to_publish && verdict.isPublished)
    expect(fit.length).toBeGreaterThanOrEqual(least)
  })

  it.each([...sites, ...pages].filter(({ verdict }) => verdict.isPublished))(
    "$prompt.id: what is published shows nothing that may not be shown",
    ({ verdict }) => expect(verdict.invented).toEqual([])
  )
})

describe("a sentence that was not understood", () => {
  const composed = (description: string) =>
    composeSite({
      type: "Website",
      language: "en-us",
      ownerLanguage: "en",
      description,
      guidelines: "",
      businessName: null,
      storesData: false,
      facts: [],
      campaigns: []
    })
  const brief = "Website for Aurora Bakery in Boise. We bake bread and cakes. Phone 208 555 0134."

  it("is left out and reported if the site is true without it", () => {
    const { omitted, site } = composed(`${brief} Postcode 837XX [I'll give the real one].`)
    expect(site.questions).toBeUndefined()
    expect(omitted).toContain("Postcode 837XX [I'll give the real one].")
  })

  it("is asked about if it changes what the site shows", () => {
    const { site } = composed(`${brief} Not sure if the phone is 208 555 0134 or 0135.`)
    expect(site.questions).toContain("unclear")
  })
})
