import { assert, describe, it } from "@effect/vitest"
import {
  type AutomatedMaterial,
  automatedAssets,
  noMaterial,
  remediesOf
} from "../../src/Services/Ads/AutomatedAssets.ts"
import { CustomerFileId } from "../../src/Services/Files/Ids.ts"

const picture = (id: number, aspect: string, prompt: string) => ({
  fileId: CustomerFileId.make(id),
  aspect,
  prompt,
  isSimulated: false
})

const whole: AutomatedMaterial = {
  businessName: "Ondas",
  website: "https://ondas.example/",
  ad: {
    finalUrl: "https://ondas.example/clinicas",
    headlines: ["Agenda online", "Menos faltas na clínica", "Teste sem fidelidade"],
    descriptions: ["Confirme consultas sozinho.", "Implantação em cinco dias, com suporte em português."]
  },
  pictures: [
    picture(4, "Square", "Recepção de uma clínica"),
    picture(3, "Landscape", "Agenda na tela"),
    picture(2, "Square", "Logotipo azul da Ondas")
  ]
}

const missingOf = (changes: Partial<AutomatedMaterial>) => {
  const result = automatedAssets({ ...whole, ...changes })
  return "missing" in result ? result.missing : []
}

describe("an automated campaign", () => {
  it("is made of the profile, the newest search ad and pictures", () => {
    assert.deepStrictEqual(automatedAssets(whole), {
      assets: {
        businessName: "Ondas",
        logo: CustomerFileId.make(2),
        landscape: CustomerFileId.make(3),
        square: CustomerFileId.make(4),
        headlines: ["Agenda online", "Menos faltas na clínica", "Teste sem fidelidade"],
        longHeadline: "Implantação em cinco dias, com suporte em português.",
        descriptions: ["Confirme consultas sozinho.", "Implantação em cinco dias, com suporte em português."],
        finalUrl: "https://ondas.example/clinicas"
      }
    })
  })

  it.each<readonly [string, Partial<AutomatedMaterial>, ReadonlyArray<string>]>([
    ["a name that is too long", { businessName: "Ondas Software de Agenda Ltda." }, ["business_name"]],
    ["no logo: another square picture is none", { pictures: whole.pictures.slice(0, 2) }, ["logo"]],
    ["a logo alone", { pictures: whole.pictures.slice(2) }, ["landscape_image", "square_image"]],
    ["no search ad", { ad: null }, ["headlines", "long_headline", "descriptions", "short_description"]],
    [
      "a page that is not served by https",
      { ad: null, website: "http://ondas.example/" },
      ["headlines", "long_headline", "descriptions", "short_description", "final_url"]
    ],
    [
      "headlines that name the search",
      {
        ad: {
          finalUrl: "https://a.example/",
          headlines: ["{KeyWord:Agenda}", "Um", "Dois"],
          descriptions: ["Um", "Dois"]
        }
      },
      ["headlines"]
    ]
  ])("names what is missing: %s", (_, changes, missing) => {
    assert.deepStrictEqual(missingOf(changes), missing)
  })

  it("takes the business name for the short headline that the platform asks for", () => {
    const long = ["Agenda para clínicas", "Menos faltas na clínica", "Teste sem fidelidade"]
    const descriptions = ["Um", "Dois"]
    const ad = { finalUrl: "https://a.example/", headlines: long, descriptions }
    const result = automatedAssets({ ...whole, ad })
    assert.deepStrictEqual("assets" in result ? result.assets.headlines : [], [...long, "Ondas"])
    assert.deepStrictEqual(missingOf({ ad, businessName: "Ondas Software Agenda" }), ["short_headline"])
  })

  it("says how each missing part is added", () => {
    const result = automatedAssets(noMaterial)
    const missing = "missing" in result ? result.missing : []
    assert.lengthOf(missing, 10)
    assert.lengthOf(remediesOf(missing), 10)
  })
})
