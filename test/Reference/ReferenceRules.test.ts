import { getMunicipalities } from "@brazilian-utils/brazilian-utils/get-municipalities"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { normaliseCnae } from "../../src/Services/Prospecting/Cnae.ts"
import { accountCountry } from "../../src/Services/Reference/AccountCountry.ts"
import { findCities } from "../../src/Services/Reference/Cities.ts"
import { cnaeChildren, cnaeEntries, cnaeParents, lookUpCnae, sentenceCase } from "../../src/Services/Reference/Cnae.ts"
import { rankCnae, splitProfile } from "../../src/Services/Reference/CnaeRanking.ts"
import { excludedByRules, icpByRules, includedByRules } from "../../src/Services/Reference/Suggestions.ts"
import type { Language } from "../../src/Services/Text/Language.ts"

const bare = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()

const municipalities = getMunicipalities().map((city) => ({ ...city, key: bare(city.name) }))

describe("cities", () => {
  it("every municipality is found by its own name, in any case and without accents", () => {
    fc.assert(
      fc.property(fc.constantFrom(...municipalities), fc.boolean(), fc.boolean(), (city, upper, plain) => {
        const spelling = plain ? bare(city.name) : city.name
        const { cities } = findCities(upper ? spelling.toUpperCase() : spelling)
        const exact = municipalities.filter(({ key }) => key === city.key)
        const codesFound = cities.filter(({ match }) => match === "exact").map(({ ibge_code }) => ibge_code)
        assert.sameMembers(
          codesFound,
          exact.map(({ code }) => code)
        )
      }),
      { numRuns: 300 }
    )
  })

  it("a state behind the name narrows it down, by code or by name", () => {
    for (const spelling of ["Bonito, MS", "bonito/ms", "Bonito (MS)", "BONITO - mato grosso do sul"]) {
      assert.deepStrictEqual(
        findCities(spelling).cities.map(({ name, state }) => [name, state]),
        [["Bonito", "MS"]],
        spelling
      )
    }
  })

  it("what no city is called finds similar spellings, and nonsense finds nothing", () => {
    assert.deepInclude(findCities("Joinvile").cities[0], { name: "Joinville", state: "SC", match: "similar" })
    assert.deepStrictEqual(findCities("Xyzzyx").cities, [])
    assert.deepStrictEqual(findCities("  - ").cities, [])
  })
})

describe("the classification of activities", () => {
  it("has every level whole: 21 sections, 87 divisions, 285 groups, 673 classes, 1332 subclasses", () => {
    const counts = new Map<string, number>()
    for (const { level } of cnaeEntries.values()) counts.set(level, (counts.get(level) ?? 0) + 1)
    assert.deepStrictEqual(Object.fromEntries(counts), {
      section: 21,
      division: 87,
      group: 285,
      class: 673,
      subclass: 1332
    })
  })

  it("a code is found however it is punctuated, with the way up to its section and back down", () => {
    for (const spelling of ["6201501", "6201-5/01", "62.01-5-01", " 6201 5 01 "]) {
      assert.strictEqual(lookUpCnae(spelling)?.code, "6201501", spelling)
    }
    fc.assert(
      fc.property(fc.constantFrom(...cnaeEntries.values()), (entry) => {
        fc.pre(entry.level !== "section")
        const entryFound = lookUpCnae(entry.formatted_code)
        assert.strictEqual(entryFound?.code, entry.code)
        assert.strictEqual(entryFound?.parents[0]?.level, "section")
        for (const parent of cnaeParents(entry.code)) assert.isAtLeast(cnaeChildren(parent.code).length, 1)
        const above = entryFound?.parents.at(-1)?.code ?? ""
        assert.include(
          cnaeChildren(above).map(({ code }) => code),
          entry.code
        )
      }),
      { numRuns: 300 }
    )
  })

  it("names come in sentence case, and acronyms stay", () => {
    assert.strictEqual(lookUpCnae("62")?.name, "Atividades dos serviços de tecnologia da informação")
    assert.strictEqual(lookUpCnae("6110801")?.name, "Serviços de telefonia fixa comutada - STFC")
    assert.strictEqual(
      sentenceCase("COMÉRCIO VAREJISTA DE CDS E DVDS (GLP), ETC."),
      "Comércio varejista de CDs e DVDs (GLP), etc."
    )
    for (const { name } of cnaeEntries.values()) assert.notMatch(name, /\p{Lu}{9,}/u)
  })

  it("a code that does not exist is none", () => {
    for (const code of ["00", "9999999", "6", "62015011", "abc"]) assert.isUndefined(lookUpCnae(code), code)
  })
})

describe("suggestions by rules", () => {
  it.each([
    ["Clínicas odontológicas em São Paulo", "8630504"],
    ["Software houses and SaaS companies", "6201501"],
    ["transportadoras de carga", "4930202"],
    ["escritórios de advocacia", "6911701"],
    ["fábricas de tintas e vernizes", "20711"],
    ["comercio mayorista", "46"],
    ["restaurantes y panaderías", "5611201"],
    ["dental clinics with more than 5 employees", "8630504"]
  ])("%s: %s", (icp, code) => {
    const codes = includedByRules(icp, "pt-BR").map((one) => one.code)
    assert.isTrue(
      codes.some((suggestedCode) => suggestedCode.startsWith(code) || code.startsWith(suggestedCode)),
      `${codes.join(" ")} has no ${code}`
    )
  })

  it("what the profile leaves out is excluded and not included", () => {
    const icp = "Restaurantes e padarias, exceto lanchonetes. Não atendemos hotéis."
    const included = includedByRules(icp, "pt-BR").map(({ code }) => code)
    const excluded = excludedByRules(icp, "", "pt-BR").map(({ code }) => code)
    assert.include(included, "5611201")
    assert.include(excluded, "5611203")
    assert.include(excluded, "5510801")
    for (const code of excluded) assert.notInclude(included, code)
    assert.strictEqual(splitProfile("Dentistas").excludedText, "")
  })

  it("companies that do what the account does are likely competitors", () => {
    const competitors = (language: Language) =>
      excludedByRules("Clínicas odontológicas", "Desenvolvemos software de gestão", language)
    assert.include(
      competitors("pt-BR").map(({ code }) => code),
      "6201501"
    )
    assert.deepStrictEqual(
      (["pt-BR", "en", "es"] as const).map((language) => competitors(language)[0]?.reason.split(" ")[0]),
      ["Empresas", "Companies", "Las"]
    )
  })

  it("reasons, and what is missing, are in the account's language", () => {
    const business = {
      business_name: "Ondas",
      business_description: "Software de agenda",
      business_website: null,
      ideal_customer_profile: null,
      paying_customer_examples: null
    }
    const group = (name: string) => [{ name, count: 4 }]
    const good = { count: 8, industries: group("Dentists"), states: group("SP"), jobTitles: group("Owner") }
    const targeting = { cnae: [], states: [], minEmployees: 5, maxEmployees: null }
    const texts = (["pt-BR", "en", "es"] as const).map((language) => {
      const { missing, reasons } = icpByRules(business, good, targeting, language)
      const [first] = includedByRules("Clínicas odontológicas", language)
      return [first?.reason ?? "", ...reasons, ...missing]
    })
    assert.include(texts[0] ?? [], 'O perfil fala de "odontológicas".')
    assert.include(texts[0] ?? [], "Os setores são os dos 8 leads que se interessaram ou compraram.")
    assert.include(texts[2] ?? [], "Nombre clientes que ya pagan en paying_customer_examples.")
    assert.strictEqual(new Set(texts.flat()).size, texts.flat().length)
  })

  it("no text whatever leads to a code that does not exist, twice the same, or one inside another", () => {
    const names = [...cnaeEntries.values()].map(({ name }) => name)
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...names)), (text) => {
        const codes = [...includedByRules(text, "en"), ...rankCnae(text, 12).map(({ entry }) => entry)].map(
          ({ code }) => code
        )
        for (const code of codes) assert.strictEqual(normaliseCnae(code), code)
        const included = includedByRules(text, "en").map(({ code }) => code)
        for (const [index, code] of included.entries()) {
          for (const other of included.slice(index + 1)) {
            assert.isFalse(code.startsWith(other) || other.startsWith(code), `${code} and ${other}`)
          }
        }
      }),
      { numRuns: 200 }
    )
  })
})

describe("the account's country", () => {
  it.each([
    [{ country: "US", phone: "+5511987654321", languageKey: "pt-BR" }, "US"],
    [{ country: null, phone: "+5511987654321", languageKey: "en-US" }, "BR"],
    [{ country: null, phone: null, languageKey: "es-MX" }, "MX"],
    [{ country: null, phone: null, languageKey: "en" }, undefined]
  ] as const)("%j: %s", (account, country) => {
    assert.strictEqual(accountCountry(account), country)
  })
})
