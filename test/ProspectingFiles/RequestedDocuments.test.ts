import { assert, describe, it } from "@effect/vitest"
import { kindsIn } from "../../src/Services/ProspectingFiles/DocumentKinds.ts"
import { requestedDocuments } from "../../src/Services/ProspectingFiles/RequestedDocuments.ts"

const file = (title: string, description = "") => ({
  title,
  description,
  url: `https://client.example/${encodeURIComponent(title)}.pdf`
})

const files = [
  file("Contrato padrão"),
  file("Catálogo de próteses 2026"),
  file("Catálogo de implantes 2026"),
  file("Tabela 2026", "Tabela de preços de todos os planos, com valores por mês."),
  file("Ficha técnica do motor X200")
]

/** Titles of what is sent, and whether it is all that was asked for. */
const answered = (
  wish: string,
  { among = files, presentation }: { among?: typeof files; presentation?: { showsPrices: boolean } } = {}
) => {
  const { documents, isComplete } = requestedDocuments(wish, among, presentation)
  return [
    ...documents.map((document) => (document._tag === "File" ? document.file.title : "presentation")),
    ...(isComplete ? [] : ["missing"])
  ]
}

describe("the document that a lead asks for", () => {
  it("is a file by what it is, whatever it is called and in which language", () => {
    for (const [wish, titles] of [
      ["Me manda o catálogo de implantes?", ["Catálogo de implantes 2026"]],
      ["Could you send me the implants catalog?", ["Catálogo de implantes 2026"]],
      ["¿Me puede enviar el portafolio de prótesis?", ["Catálogo de próteses 2026"]],
      ["Pode me enviar a lista de valores?", ["Tabela 2026"]],
      ["Please send the price list.", ["Tabela 2026"]],
      ["Tienen una ficha técnica?", ["Ficha técnica do motor X200"]],
      ["Do you have a data sheet?", ["Ficha técnica do motor X200"]],
      ["Email me the contract", ["Contrato padrão"]],
      ["Quero o catálogo de próteses com preços", ["Catálogo de próteses 2026"]],
      ["Manda o catálogo de próteses e a tabela de preços", ["Catálogo de próteses 2026", "Tabela 2026"]],
      ["Tem o PDF do motor X200?", ["Ficha técnica do motor X200"]]
    ] as const) {
      assert.deepStrictEqual(answered(wish), [...titles], wish)
    }
  })

  it("is the presentation where that is what was asked for, or stands for it", () => {
    const presentation = { showsPrices: false }
    for (const [wish, titles] of [
      ["Teria uma apresentação em PDF?", ["presentation"]],
      ["Could you send me the brochure?", ["presentation"]],
      ["Got a deck I can look at?", ["presentation"]],
      ["Tem algum material por escrito?", ["presentation"]],
      ["¿Me puede enviar el catálogo?", ["presentation"]],
      ["Please send the price list.", ["missing"]],
      ["Me manda a proposta por e-mail", ["missing"]],
      ["Email me the contract", ["missing"]],
      ["Manda o catálogo e o contrato", ["presentation", "missing"]],
      ["Me manda aquele estudo que vocês fizeram?", ["missing"]]
    ] as const) {
      assert.deepStrictEqual(answered(wish, { among: [], presentation }), [...titles], wish)
    }
    const withPrices = answered("Please send the price list.", { among: [], presentation: { showsPrices: true } })
    assert.deepStrictEqual(withPrices, ["presentation"])
  })

  it("is nothing else in its place", () => {
    assert.deepStrictEqual(answered("Me manda o catálogo?", { among: [file("Contrato padrão")] }), ["missing"])
    assert.deepStrictEqual(answered("Tienen certificados?"), ["missing"])
    // The owner's own brochure comes before the presentation.
    const among = [file("Folder institucional"), file("Contrato padrão")]
    assert.deepStrictEqual(answered("Tem apresentação?", { among, presentation: { showsPrices: true } }), [
      "Folder institucional"
    ])
  })

  it("is read in any text, however long", () => {
    assert.deepStrictEqual(kindsIn("Um almanaque de menus").kinds, [])
    assert.deepStrictEqual(kindsIn(`${"x ".repeat(5000)}catálogo`).kinds, [])
    assert.deepStrictEqual(kindsIn("CATÁLOGO").kinds, ["catalogue"])
  })
})
