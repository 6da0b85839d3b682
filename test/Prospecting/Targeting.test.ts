import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { type RequestedTargeting, targetingChanges } from "../../src/Services/Prospecting/Targeting.ts"

const accepted = (changes: RequestedTargeting) => Either.getOrThrow(targetingChanges(changes))
const refusal = (changes: RequestedTargeting) => Either.getOrThrow(Either.flip(targetingChanges(changes)))

describe("CNAE filters", () => {
  const cases = [
    ["62", "62"],
    ["620", "620"],
    ["62.0", "620"],
    ["62015", "62015"],
    ["6201-5", "62015"],
    ["62.01-5", "62015"],
    ["6201501", "6201501"],
    ["6201-5/01", "6201501"],
    ["62.01-5-01", "6201501"],
    ["0111301", "0111301"]
  ] as const
  for (const [spelling, stored] of cases) {
    it(`${spelling} is stored as ${stored}`, () => {
      assert.deepStrictEqual(accepted({ cnae_filter: [spelling] }).cnae_filter, [stored])
      assert.deepStrictEqual(accepted({ cnae_exclusion_filter: [spelling] }).cnae_exclusion_filter, [stored])
    })
  }

  for (const code of ["A", "04", "999", "6201", "620150", "6201599", "111301", "62--01", "6201501 and more", "６２"]) {
    it(`${code} is no code`, () => {
      assert.deepInclude(refusal({ cnae_filter: ["62", code] }), {
        _tag: "Refused",
        reason: "unknown_cnae_code",
        fields: { parameter: "cnae_filter", not_accepted: [code] }
      })
    })
  }

  it("two spellings of a code are one", () => {
    assert.deepStrictEqual(accepted({ cnae_filter: ["6201-5/01", "6201501"] }).cnae_filter, ["6201501"])
  })

  it("a refusal names at most 20 of the unknown codes", () => {
    const unknown = Array.from({ length: 50 }, (_, index) => `x${index}`)
    assert.deepStrictEqual(refusal({ cnae_filter: unknown }).fields["not_accepted"], unknown.slice(0, 20))
  })
})

describe("places", () => {
  it("states and countries are taken in any case", () => {
    const changes = accepted({ uf_filter: ["sp", "RJ", "Sp"], country_filter: ["br", "PT"] })
    assert.deepStrictEqual(changes.uf_filter, ["SP", "RJ"])
    assert.deepStrictEqual(changes.country_filter, ["BR", "PT"])
  })

  it("unknown states and countries are refused", () => {
    assert.deepInclude(refusal({ uf_filter: ["SP", "ZZ"] }), {
      reason: "unknown_state",
      fields: { parameter: "uf_filter", not_accepted: ["ZZ"] }
    })
    for (const code of ["UK", "XX", "BRA", "Brazil", "ſa"]) {
      assert.deepInclude(refusal({ country_filter: [code] }), { reason: "unknown_country" }, code)
    }
  })

  it("cities are free text, one for all its spellings", () => {
    const changes = accepted({ city_filter: ["São  Paulo", "sao paulo", "Qualquer Lugar"] })
    assert.deepStrictEqual(changes.city_filter, ["São Paulo", "Qualquer Lugar"])
    assert.deepInclude(refusal({ city_filter: ["São\u0000Paulo"] }), { reason: "control_characters" })
  })
})

describe("limits", () => {
  it("-1 clears a number, an empty text a date and an empty list a filter", () => {
    const changes = accepted({
      min_employee_count: -1,
      max_annual_revenue: -1,
      min_founding_date: "",
      max_founding_date: "  ",
      cnae_filter: [],
      company_type_filter: []
    })
    assert.deepInclude(changes, {
      min_employee_count: null,
      max_annual_revenue: null,
      min_founding_date: null,
      max_founding_date: null,
      cnae_filter: [],
      company_type_filter: []
    })
  })

  it("zero is a limit", () => {
    assert.deepInclude(accepted({ min_employee_count: 0, min_annual_revenue: 0 }), {
      min_employee_count: 0,
      min_annual_revenue: 0
    })
  })

  it("other negative numbers are refused", () => {
    assert.deepInclude(refusal({ min_annual_revenue: -0.5 }), {
      reason: "out_of_range",
      fields: { parameter: "min_annual_revenue" }
    })
    assert.deepInclude(refusal({ max_employee_count: -2 }), { reason: "out_of_range" })
  })

  it("a date is a day that exists", () => {
    assert.strictEqual(accepted({ min_founding_date: "2000-02-29" }).min_founding_date, "2000-02-29")
    for (const text of ["2001-02-29", "29/02/2000", "2000", "2000-02-29T00:00:00Z", "0000-00-00"]) {
      assert.deepInclude(refusal({ max_founding_date: text }), { reason: "not_a_date" }, text)
    }
  })

  it("what is not passed is not changed", () => {
    assert.deepStrictEqual(JSON.parse(JSON.stringify(accepted({ uf_filter: ["SP"] }))), { uf_filter: ["SP"] })
  })
})
