import { assert, describe, it } from "@effect/vitest"
import { type CnpjSearch, foundedShare, isFasterByDay, type YearCount } from "../../src/Layers/Companies/CnpjSearch.ts"

const years: ReadonlyArray<YearCount> = [
  { type: "Private", year: 0, companies: 100 },
  { type: "Private", year: 2023, companies: 365_000 },
  { type: "Private", year: 2024, companies: 634_900 },
  { type: "Government", year: 2024, companies: 7 }
]

const search = (foundedFrom: string | null, foundedTo: string | null, types: CnpjSearch["types"] = ["Private"]) => ({
  types,
  placeColumn: "state" as const,
  places: [35],
  ranges: [{ first: 0, last: 9_999_999 }],
  sizes: null,
  foundedFrom,
  foundedTo
})

describe("what days of foundation leave", () => {
  it.each<readonly [string | null, string | null, number]>([
    [null, null, 1],
    ["2023-01-01", "2023-12-31", 0.3651],
    ["2024-01-01", null, 0.635],
    // One day, and companies without a date.
    ["2023-05-05", "2023-05-05", 0.0011],
    ["2030-01-01", null, 0.0001],
    [null, "1999-12-31", 0.0001]
  ])("from %s to %s", (from, to, share) => assert.closeTo(foundedShare(search(from, to), years), share, 1e-6))

  it("is all where nothing is known of the kind", () => {
    assert.strictEqual(foundedShare(search("2024-01-01", null, ["NonProfit"]), years), 1)
    assert.strictEqual(foundedShare(search("2023-01-01", "2023-12-31", ["Government"]), years), 0)
  })
})

describe("companies are looked up by day of foundation", () => {
  it.each<readonly [string, string | null, string | null, number, boolean]>([
    ["a week, for a count", "2023-05-01", "2023-05-07", 10_001, true],
    ["a year, for a count", "2023-01-01", "2023-12-31", 10_001, false],
    ["a year, for the first company", "2023-01-01", "2023-12-31", 1, false],
    ["a day, for a page", "2023-05-05", "2023-05-05", 51, true],
    ["any day", "1900-01-01", null, 10_001, false],
    ["a day that nobody has", "2030-01-01", null, 51, true]
  ])("%s: where that reads less", (_, from, to, limit, expected) =>
    assert.strictEqual(isFasterByDay(search(from, to), years, limit), expected)
  )
})
