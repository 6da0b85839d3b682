import { assert, describe, it } from "@effect/vitest"
import { legalTermOf } from "../../src/Services/Text/LegalTerm.ts"

const union = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ")

describe("legalTermOf", () => {
  it.each([...union, "IS", "LI", "NO", "GF", "RE"])("gives %s the month of the GDPR", (country) => {
    assert.deepStrictEqual(legalTermOf(country), { law: "GDPR", days: 30 })
  })

  it.each([
    ["BR", "LGPD", 15],
    ["Brasil", "LGPD", 15],
    ["brazil", "LGPD", 15],
    ["GB", "UK GDPR", 30],
    ["Reino Unido", "UK GDPR", 30],
    ["Alemanha", "GDPR", 30],
    ["España", "GDPR", 30],
    ["CH", "FADP", 30],
    ["Suíça", "FADP", 30],
    ["AR", "Ley 25.326", 10],
    ["México", "LFPDPPP", 20],
    ["US", "US state law", 45],
    ["EUA", "US state law", 45]
  ] as const)("gives %s the term of the %s", (country, law, days) => {
    assert.deepStrictEqual(legalTermOf(country), { law, days })
  })

  it.each(["JP", "TR", "RS", "Atlantis", "", "x".repeat(500), null, undefined])("knows no term for %j", (country) => {
    assert.deepStrictEqual(legalTermOf(country), { law: null, days: null })
  })
})
