import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { normalisedPlace } from "../../src/Services/Leads/LeadPlaces.ts"

type Written = readonly [city: string | null, state: string | null, country: string | null]

const placeOf = ([city, state, country]: Written, accountCountry = "BR", phone: string | null = null) => {
  const place = normalisedPlace({ city, state, country }, { accountCountry, phone })
  return [place.city, place.state, place.country]
}

describe("the place of a lead", () => {
  it.each<readonly [Written, Written]>([
    [
      ["sao paulo", "são paulo", "Brasil"],
      ["São Paulo", "SP", "BR"]
    ],
    [
      ["CAMPINAS", "Estado de São Paulo", "BRAZIL"],
      ["Campinas", "SP", "BR"]
    ],
    [
      ["florianópolis", "Santa Catarina", "br"],
      ["Florianópolis", "SC", "BR"]
    ],
    [
      ["Contagem", "M.G.", "Brasil"],
      ["Contagem", "MG", "BR"]
    ],
    [
      ["São Paulo/SP", null, null],
      ["São Paulo", "SP", null]
    ],
    [
      ["Campinas-SP", null, "BRA"],
      ["Campinas", "SP", "BR"]
    ],
    [
      ["Rio de Janeiro - RJ", null, null],
      ["Rio de Janeiro", "RJ", null]
    ],
    [
      ["belo horizonte (MG)", "MG", null],
      ["Belo Horizonte", "MG", null]
    ],
    [
      ["Bauru", "SP (interior)", null],
      ["Bauru", "SP", null]
    ],
    [
      ["Bauru", "SP - São Paulo", null],
      ["Bauru", "SP", null]
    ],
    // Of two states has the city that its own column names; these are no names of a state.
    [
      ["Grão-Pará", "SC", "BR"],
      ["Grão-Pará", "SC", "BR"]
    ],
    [
      ["EMBU-GUAÇU", null, "BR"],
      ["Embu-Guaçu", null, "BR"]
    ],
    [
      ["São Paulo/SP", "RJ", "BR"],
      ["São Paulo/SP", "RJ", "BR"]
    ],
    [
      ["san francisco", "Calif.", "U.S.A."],
      ["San Francisco", "CA", "US"]
    ],
    [
      ["Austin, TX", null, "USA"],
      ["Austin", "TX", "US"]
    ],
    [
      ["Toronto", "Ontario", "CANADA"],
      ["Toronto", "ON", "CA"]
    ],
    [
      ["Monterrey", "N.L.", "México"],
      ["Monterrey", "NLE", "MX"]
    ],
    [
      ["CDMX", "D.F.", "Mexico"],
      ["CDMX", "CMX", "MX"]
    ],
    [
      ["Toluca", "Edo. Mex.", "México"],
      ["Toluca", "MEX", "MX"]
    ],
    [
      ["MADRID", "Madrid", "España"],
      ["Madrid", "M", "ES"]
    ],
    [
      ["Bilbao", "Vizcaya", "Spain"],
      ["Bilbao", "BI", "ES"]
    ],
    [
      ["London", "Greater London", "England"],
      ["London", "Greater London", "GB"]
    ],
    [
      ["Lisboa", "LISBOA", "Portugal"],
      ["Lisboa", "Lisboa", "PT"]
    ],
    [
      [" ", "", null],
      [null, null, null]
    ],
    // Not understood, so nothing is changed.
    [
      ["Gotham", "Nowhere", "Narnia"],
      ["Gotham", "Nowhere", "Narnia"]
    ],
    [
      ["Gotham", "SP", "Narnia"],
      ["Gotham", "SP", "Narnia"]
    ]
  ])("%j is %j", (place, expected) => {
    expect(placeOf(place)).toEqual(expected)
  })

  it("without a country is read by the phone, else by the account's country", () => {
    expect(placeOf(["Guadalajara", "Jalisco", null], "MX")).toEqual(["Guadalajara", "JAL", null])
    expect(placeOf(["Austin", "Texas", null], "BR", "+15125550145")).toEqual(["Austin", "TX", null])
    expect(placeOf(["Austin", "Texas", null], "BR")).toEqual(["Austin", "Texas", null])
  })

  it("is what it would be again", () => {
    const words = [
      "são paulo",
      "SP",
      "Rio de Janeiro - RJ",
      "CALIFORNIA",
      "ca",
      "México",
      "(MG)",
      "/",
      ", TX",
      "x",
      " "
    ]
    const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 })), { maxLength: 3 })
    const field = fc.option(text.map((parts) => parts.join("")))
    fc.assert(
      fc.property(field, field, field, fc.constantFrom("BR", "US", "ES"), (city, state, country, account) => {
        const once = normalisedPlace({ city, state, country }, { accountCountry: account, phone: null })
        expect(normalisedPlace(once, { accountCountry: account, phone: null })).toEqual(once)
      }),
      { numRuns: 500, examples: [["0/Rio de Janeiro - RJ", null, null, "BR"]] }
    )
  })
})
