import { describe, expect, it } from "vitest"
import { outcomeOf } from "../../src/Services/Text/WishReport.ts"
import { changeByRules } from "../../src/Services/Websites/Edits/EditReader.ts"
import type { Site, SiteBlock } from "../../src/Services/Websites/Site.ts"
import { composeSite } from "../../src/Services/Websites/Writing/ComposeSite.ts"
import type { SiteMaterial } from "../../src/Services/Websites/Writing/SiteWriter.ts"
import { bakery, clinic, software, solar } from "./support/materials.ts"

const changed = (material: SiteMaterial, prompt: string) => {
  const { site } = composeSite(material)
  return { before: site, ...changeByRules(site, prompt, material) }
}

const find = <Tag extends SiteBlock["_tag"]>(site: Site, tag: Tag) =>
  site.pages.flatMap(({ blocks }) => blocks).find((block) => block._tag === tag)

describe("wishes of a change", () => {
  it.each([
    [bakery, "Remova a focaccia do cardápio da filial de Londrina"],
    [bakery, "Troque o telefone do gerente noturno para (41) 3333-1212"],
    [software, "Remove the Solo plan only on Sundays"],
    [software, "Make it dark and mysterious"],
    [bakery, "Mude a cor do botão da filial para azul"],
    [clinic, "Cambia el color a verde, dorado y rojo"],
    [bakery, "Não remova o cardápio e não mude nada"]
  ] as const)("are done only where every word of them is accounted for: %#", (material, prompt) => {
    const { before, report, site } = changed(material, prompt)
    expect(site).toBe(before)
    expect(report.not_done).not.toEqual([])
    for (const { reason, suggestion, wish } of report.not_done)
      for (const text of [reason, suggestion, wish]) expect(text.length).toBeGreaterThan(5)
  })

  it("are done each by itself, and the rest is reported", () => {
    const { before, report, site } = changed(
      bakery,
      "Remova o cardápio e instale uma piscina. Mude as cores para azul."
    )
    expect(report.done).toEqual(["As cores agora são: #1d6fd1."])
    expect(report.not_done.map(({ wish }) => wish)).toEqual(["Remova o cardápio e instale uma piscina."])
    expect(outcomeOf(report)).toBe("partial")
    expect({ ...site, theme: before.theme }).toEqual(before)
  })

  it("are parted at each order of a sentence", () => {
    const { report, site } = changed(solar, "tire o e-mail e deixe o telefone obrigatório")
    expect(report.done.length + report.not_done.length).toBe(2)
    const form = find(site, "Form")
    const phone = form?._tag === "Form" ? form.fields.find(({ kind }) => kind === "phone") : undefined
    expect(phone?.is_required).toBe(true)
  })

  it("inherit the verb of the one before them", () => {
    const { report, site } = changed(software, "Change the Solo plan to $20 and the Firm plan to $30")
    expect(report.not_done).toEqual([])
    const prices = find(site, "Prices")
    expect(prices?._tag === "Prices" ? prices.items.map(({ price }) => price) : []).toEqual([
      "$20 per month",
      "$30 per month"
    ])
  })

  it("answer in the language of the account", () => {
    const { report } = changed({ ...bakery, ownerLanguage: "en" }, "Mude as cores para azul. Escreva um poema.")
    expect(report.done).toEqual(["The colours are now: #1d6fd1."])
    expect(report.not_done[0]?.reason).toContain("It was not clear what to change")
  })

  it("keep what the prompt asks to leave as it is", () => {
    const guarded = changed(bakery, "Remova o cardápio sem mudar as cores")
    expect(guarded.report.not_done).toEqual([])
    expect(find(guarded.site, "Prices")).toBeUndefined()
    const broken = changed(bakery, "Não mude as cores, mas deixe o site azul")
    expect(broken.site).toBe(broken.before)
    expect(broken.report.not_done).toHaveLength(1)
  })

  it("depend on what was done before them in their paragraph", () => {
    const { before, report, site } = changed(software, "Remove the swimming pool. Make it dark.")
    expect(site).toBe(before)
    expect(outcomeOf(report)).toBe("nothing_done")
    expect(changed(software, "Remove the swimming pool.\n\nMake it dark.").report.done).toHaveLength(1)
  })
})
