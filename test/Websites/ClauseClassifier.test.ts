import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { modelHeader } from "../../src/Services/Text/Sentences/SentenceClassifier.ts"
import { clauseClassifier, clauseModelFile } from "../../src/Services/Websites/Material/ClauseClassifier.ts"
import { noTexts, nothing } from "../../src/Services/Websites/Material/ReadStatement.ts"
import type { BriefContext } from "../../src/Services/Websites/Material/Rules/BriefRule.ts"
import { judgedText, namesOffer } from "../../src/Services/Websites/Material/Rules/JudgedText.ts"
import { heldOutFigures } from "../../training/HeldOut.ts"
import { labelledSentences, labelsOf, trainingDigest } from "../../training/Sentences.ts"

const sentences = labelledSentences("briefs")

describe("the classifier of clauses", () => {
  it("was trained on the sentences and features as they are (else: node --import tsx training/TrainBriefs.ts)", () => {
    const { header } = modelHeader(readFileSync(clauseModelFile))
    expect(header.digest).toBe(trainingDigest(sentences))
    expect(header.labels).toEqual(labelsOf(sentences))
  })

  it("is hardly ever certain and wrong on clauses that its training never saw", () => {
    for (const { certain, label } of heldOutFigures(clauseClassifier(), sentences)) {
      expect(certain.count, label).toBeGreaterThan(50)
      if (label === "claim" || label === "aside") expect(certain.precision, label).toBeGreaterThanOrEqual(0.95)
    }
  })
})

describe("a sentence that no rule reads", () => {
  const context: BriefContext = {
    language: "en",
    name: "Casa Rosa",
    about: "",
    isForeignBrief: false,
    facts: nothing,
    texts: noTexts,
    openQuestion: ""
  }
  const partsOf = (text: string, language: BriefContext["language"] = "en") =>
    Object.keys(judgedText(text, { ...context, language }).facts ?? {})

  it.each([
    ["en", "The first lesson is free and we bring the clubs."],
    ["pt-BR", "As aulas são aos sábados e o material está incluído."],
    ["es", "Las clases son los sábados y el material está incluido."]
  ] as const)("is shown where it is certainly for visitors, %s: %s", (language, text) =>
    expect(partsOf(text, language)).toEqual(["prose"])
  )

  it.each([
    ["en", "honestly I never looked back"],
    ["pt-BR", "depois eu mando as fotos pra vocês"],
    ["es", "después les mando las fotos"]
  ] as const)("is left out where it is certainly an aside, %s: %s", (language, text) =>
    expect(partsOf(text, language)).toEqual(["asides"])
  )

  it.each([
    ["es", "Que se vea el teléfono enorme"],
    ["en", "make the phone number jump out at people"],
    ["pt-BR", "bota o telefone bem grandão lá em cima"]
  ] as const)("is no text for visitors where it wants something, %s: %s", (language, text) =>
    expect(partsOf(text, language)).not.toContain("prose")
  )

  it("is never left out where it holds a number or a name", () => {
    for (const text of ["I'll send the 12 photos later", "my nephew Otis Green has the pictures"])
      expect(partsOf(text)).not.toContain("asides")
  })

  it.each(["Free roof inspection", "Aula experimental de dança", "Curso de panadería"])("names an offer: %s", (text) =>
    expect(namesOffer(text, "en")).toBe(true)
  )

  it.each(["A confeitaria chama Doce da Nair", "Course for people who", "Please put the map at the end"])(
    "names no offer: %s",
    (text) => expect(namesOffer(text, "pt-BR")).toBe(false)
  )
})
