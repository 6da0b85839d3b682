import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { fisher, holm, type Share, wilson } from "../../src/Services/Learnings/Proportions.ts"

const share = (hits: number, tries: number): Share => ({ hits, tries })

describe("wilson", () => {
  // Values of published tables and of R's prop.test(correct = FALSE).
  it.each([
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [1, 20, 0.0089, 0.2361],
    [10, 100, 0.0552, 0.1744],
    [50, 100, 0.4038, 0.5962],
    [300, 1000, 0.2724, 0.3291]
  ])("%i of %i lies between %f and %f", (hits, tries, low, high) => {
    const interval = wilson(share(hits, tries))
    assert.closeTo(interval.low, low, 5e-5)
    assert.closeTo(interval.high, high, 5e-5)
  })

  it("holds the rate, lies within 0 and 1, and narrows with tries", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, rate) => {
        const hits = Math.round(rate * tries)
        const { high, low } = wilson(share(hits, tries))
        const wider = wilson(share(hits * 4, tries * 4))
        assert.isTrue(low >= 0 && low <= hits / tries && hits / tries <= high && high <= 1)
        assert.isTrue(wider.high - wider.low < high - low)
      })
    )
  })

  it("covers the truth in about 95 of 100 cases", () => {
    const tries = 60
    let covered = 0
    // Exact, by the binomial weight of every outcome.
    let weight = (1 - 0.08) ** tries
    for (let hits = 0; hits <= tries; hits++) {
      const { high, low } = wilson(share(hits, tries))
      if (low <= 0.08 && 0.08 <= high) covered += weight
      weight *= ((tries - hits) / (hits + 1)) * (0.08 / 0.92)
    }
    assert.closeTo(covered, 0.95, 0.03)
  })
})

describe("fisher", () => {
  // R: fisher.test(matrix(c(...), 2))$p.value
  it.each([
    [3, 4, 1, 4, 0.4857142857],
    [1, 10, 11, 14, 0.0027594562],
    [10, 100, 20, 100, 0.0734],
    [0, 30, 5, 30, 0.0522],
    [5, 5, 0, 5, 0.0079365079]
  ])("%i of %i against %i of %i has %f", (a, n, b, m, expected) => {
    assert.closeTo(fisher(share(a, n), share(b, m)), expected, 5e-4)
  })

  it("lies within 0 and 1, and does not mind the order", () => {
    const one = fc
      .integer({ min: 1, max: 400 })
      .chain((tries) => fc.tuple(fc.integer({ min: 0, max: tries }), fc.constant(tries)))
    fc.assert(
      fc.property(one, one, ([a, n], [b, m]) => {
        const probability = fisher(share(a, n), share(b, m))
        assert.isTrue(probability > 0 && probability <= 1)
        assert.closeTo(fisher(share(b, m), share(a, n)), probability, 1e-9)
        assert.closeTo(fisher(share(n - a, n), share(m - b, m)), probability, 1e-9)
      })
    )
  })

  it("weighs millions", () => {
    assert.isBelow(fisher(share(90_000, 1_000_000), share(80_000, 1_000_000)), 1e-15)
    assert.isAbove(fisher(share(80_010, 1_000_000), share(80_000, 1_000_000)), 0.9)
  })
})

describe("holm", () => {
  it("corrects as R's p.adjust does", () => {
    const adjusted = holm([0.01, 0.04, 0.03, 0.005])
    for (const [index, expected] of [0.03, 0.06, 0.06, 0.02].entries()) {
      assert.closeTo(adjusted[index] ?? 0, expected, 1e-12)
    }
  })

  it("never makes anything surer, and keeps the order", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }), (probabilities) => {
        const adjusted = holm(probabilities)
        for (const [index, probability] of probabilities.entries()) {
          assert.isTrue((adjusted[index] ?? 0) >= probability)
          for (const [other, another] of probabilities.entries()) {
            if (probability < another) assert.isTrue((adjusted[index] ?? 0) <= (adjusted[other] ?? 0))
          }
        }
      })
    )
  })
})
