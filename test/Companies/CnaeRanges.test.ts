import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { byDivision, type CnaeRange, cnaeRanges, divisionSize } from "../../src/Services/Companies/CnaeRanges.ts"

const isIn = (ranges: ReadonlyArray<CnaeRange>, code: number) =>
  ranges.some(({ first, last }) => code >= first && code <= last)

describe("ranges of subclasses by division", () => {
  it("are whole divisions where all of a division is asked for", () => {
    assert.deepStrictEqual(byDivision(cnaeRanges([], [])), { divisions: [{ first: 0, last: 99 }], rest: [] })
    assert.deepStrictEqual(byDivision(cnaeRanges(["47"], ["4711302"])), {
      divisions: [],
      rest: [
        { first: 4_700_000, last: 4_711_301 },
        { first: 4_711_303, last: 4_799_999 }
      ]
    })
    assert.deepStrictEqual(byDivision(cnaeRanges([], ["6201501"])), {
      divisions: [
        { first: 0, last: 61 },
        { first: 63, last: 99 }
      ],
      rest: [
        { first: 6_200_000, last: 6_201_500 },
        { first: 6_201_502, last: 6_299_999 }
      ]
    })
  })

  it("take in the same subclasses, each once", () => {
    const code = fc
      .tuple(fc.nat({ max: 9_999_999 }), fc.constantFrom(2, 3, 5, 7))
      .map(([number, length]) => String(number).padStart(7, "0").slice(0, length))
    fc.assert(
      fc.property(fc.array(code, { maxLength: 4 }), fc.array(code, { maxLength: 4 }), (included, excluded) => {
        const ranges = cnaeRanges(included, excluded)
        const { divisions, rest } = byDivision(ranges)
        const edges = [...ranges, ...rest].flatMap(({ first, last }) => [first - 1, first, last, last + 1])
        for (const subclass of [...edges, 0, 4_711_302, 9_999_999]) {
          const ways = [isIn(divisions, Math.floor(subclass / divisionSize)), isIn(rest, subclass)].filter(Boolean)
          assert.lengthOf(ways, isIn(ranges, subclass) ? 1 : 0, String(subclass))
        }
      })
    )
  })
})
