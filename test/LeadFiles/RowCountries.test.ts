import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { candidateOf } from "../../src/Services/LeadFiles/ImportPlan.ts"
import type { LeadFileRow } from "../../src/Services/LeadFiles/LeadFile.ts"
import { countriesOfFile, countryForFile } from "../../src/Services/LeadFiles/RowCountries.ts"
import type { CountryCode } from "../../src/Services/Text/ContactDetails.ts"

const row = (cells: Partial<LeadFileRow>): LeadFileRow => ({
  row_number: 1,
  file_row: 2,
  name: "",
  email: "",
  phone: "",
  company: "",
  ...cells
})

const phoneOf = (account: CountryCode, cells: Partial<LeadFileRow>, ofFile: ReadonlyArray<CountryCode> = []) =>
  Either.getOrElse(
    Either.map(candidateOf(row(cells), account, ofFile), ({ phone }) => phone),
    () => null
  )

describe("a number without a country code", () => {
  it.each<[string, CountryCode, Partial<LeadFileRow>, string | null]>([
    ["the account", "US", { phone: "(312) 555-0147" }, "+13125550147"],
    ["the row's country", "US", { phone: "612 480 937", country: "Espanha" }, "+34612480937"],
    [
      "the row's country, against its address",
      "US",
      { phone: "(312) 555-0147", country: "USA", email: "a@x.co.uk" },
      "+13125550147"
    ],
    ["the ending of an address", "MX", { phone: "612 480 937", email: "ana@x.es" }, "+34612480937"],
    [
      "the ending of an address in a longer cell",
      "MX",
      { phone: "612480937", email: "Ana <ana@x.es>; bia@x.es" },
      "+34612480937"
    ],
    ["the ending of a region", "MX", { phone: "609 714 382", email: "ana@x.cat" }, "+34609714382"],
    ["the ending of the site", "US", { phone: "0161 496 0142", website: "https://www.x.co.uk/home" }, "+441614960142"],
    ["the ending before the account's plan", "US", { phone: "2079460154", email: "ana@x.co.uk" }, "+442079460154"],
    ["a state of another country", "MX", { phone: "(312) 555-0147", state: "Illinois" }, "+13125550147"],
    [
      "a state of the account's country",
      "US",
      { phone: "2079460154", state: "ME", email: "ana@x.co.uk" },
      "+12079460154"
    ],
    // What the row shows does not fit, so that the number is the account's or none.
    ["the account's plan", "BR", { phone: "(11) 99999-8887", email: "ana@x.pt" }, "+5511999998887"],
    ["no plan", "MX", { phone: "4127-88", email: "ana@x.es" }, null],
    // Endings and codes that say nothing.
    ["an ending in use anywhere", "US", { phone: "(312) 555-0147", email: "ana@x.co" }, "+13125550147"],
    ["addresses of two countries", "BR", { phone: "612 480 937", email: "a@x.es, b@x.com.br" }, null],
    ["a state's code in another country", "MX", { phone: "612 480 937", state: "MA" }, null]
  ])("is read by %s", (_, account, cells, expected) => {
    expect(phoneOf(account, cells)).toBe(expected)
  })

  it("with a trunk prefix is of the only country of the file that has such numbers", () => {
    const officeAbroad = { phone: "020 7946 O182", city: "London" }
    expect(phoneOf("US", officeAbroad)).toBeNull()
    expect(phoneOf("US", officeAbroad, ["GB"])).toBe("+442079460182")
    // Without the prefix it may be a mistyped number of the account's country.
    expect(phoneOf("MX", { phone: "612 480 937" }, ["ES"])).toBeNull()
    expect(phoneOf("MX", { phone: "020 7946 0182" }, ["GB", "DE"])).toBeNull()
    expect(phoneOf("US", { phone: "07911 3O5 88" }, ["GB"])).toBeNull()
  })

  it("of two in a cell, each counts in the country that explains both", () => {
    const cells = { phone: "(11) 99999-8887 / +44 20 7946 0182", email: "ana@x.co.uk" }
    expect(phoneOf("BR", cells)).toBe("+5511999998887")
  })

  it("loses the prefixes that Mexicans dialled until 2019", () => {
    expect(phoneOf("MX", { phone: "044 55 2748 1963" })).toBe("+525527481963")
    expect(phoneOf("MX", { phone: "01 800 714 2296" })).toBe("+528007142296")
    expect(phoneOf("MX", { phone: "04455274819" })).toBeNull()
  })

  it("may be spelled on a keypad in North America", () => {
    expect(phoneOf("US", { phone: "(802) 555-DENT" })).toBe("+18025553368")
    expect(phoneOf("US", { phone: "1-800-FLOWERS" })).toBe("+18003569377")
    expect(phoneOf("US", { phone: "555-0147 ANN" })).toBeNull()
    expect(phoneOf("BR", { phone: "(11) 5555-DENT" })).toBeNull()
  })
})

describe("the countries of a file", () => {
  it("are those of three rows, each with a number of the country", () => {
    const officeAbroad = row({ phone: "0161 496 0142", email: "a@x.co.uk" })
    expect(countryForFile(officeAbroad, "US")).toBe("GB")
    expect(countryForFile(officeAbroad, "GB")).toBeUndefined()
    expect(countryForFile(row({ email: "a@x.co.uk" }), "US")).toBeUndefined()
    expect(
      countriesOfFile(
        new Map([
          ["GB", 3],
          ["ES", 2]
        ])
      )
    ).toEqual(["GB"])
    const anywhere = ["GB", "ES", "DE", "FR", "IT", "AR"] as const
    expect(countriesOfFile(new Map(anywhere.map((country) => [country, 9])))).toEqual([])
  })
})
