import { assert, describe, it } from "@effect/vitest"
import { isForeign, writtenLanguage } from "../../src/Services/Text/Language.ts"
import { countryCodeOf, countryOfLead, languageOfLead } from "../../src/Services/Text/LeadLanguage.ts"

const nowhere = { language: null, country: null, state: null, phone: null }

describe("languageOfLead", () => {
  it.each([
    [{ language: "es", country: "BR" }, "pt-BR", "es"],
    [{ country: "Brasil" }, "en", "pt-BR"],
    [{ country: "MX" }, "pt-BR", "es"],
    [{ country: "México" }, "pt-BR", "es"],
    [{ country: "Estados Unidos" }, "pt-BR", "en"],
    [{ country: "UK" }, "pt-BR", "en"],
    [{ phone: "+5511987654321" }, "en", "pt-BR"],
    [{ phone: "+525512345678" }, "pt-BR", "es"],
    [{ country: "Portugal", phone: "+525512345678" }, "es", "pt-BR"],
    [{ state: "SP" }, "en-US", "pt-BR"],
    [{ country: "Germany" }, "en", "en"],
    [{ country: "Atlantis" }, "es-AR", "es"],
    [{}, "pt-BR", "pt-BR"],
    [{}, "en", "en"]
  ])("writes to %j of an account in %s in %s", (lead, account, language) => {
    assert.strictEqual(languageOfLead({ ...nowhere, ...lead }, account), language)
  })

  it("knows countries by their names in three languages, and by nothing else", () => {
    for (const name of ["Germany", "Alemanha", "Alemania", "de", "DE"]) assert.strictEqual(countryCodeOf(name), "DE")
    for (const name of ["", "-", "Atlantis", "x".repeat(1000)]) assert.isUndefined(countryCodeOf(name))
    assert.isUndefined(countryOfLead(nowhere))
  })
})

describe("the language of composed texts", () => {
  it.each([
    ["Online scheduling and reminders for dental clinics: fewer no-shows, fuller weeks.", "en"],
    ["Scheduling software, appointment booking", "en"],
    ["A entrega leva 15 dias.", undefined],
    ["Integração, automação, gestão", "pt-BR"],
    ["Integración, automatización, gestión", "es"],
    ["R$ 199", undefined]
  ])("takes %j for %j", (text, language) => {
    assert.strictEqual(writtenLanguage(text), language)
  })

  it("doubts no passage for a name or two", () => {
    assert.isFalse(isForeign("Aqui é Helena, da Clean and Green. Podemos conversar nesta semana?", "pt-BR"))
    assert.isTrue(isForeign("We help clinics and you will see the price in the first week.", "pt-BR"))
  })
})
