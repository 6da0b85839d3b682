import { assert, describe, it } from "@effect/vitest"
import { holdAfterFailure, isGivenUp, retryDelay } from "../../src/Services/Events/WebhookSchedule.ts"

const hours = 3600
const days = 24 * hours

describe("the schedule of attempts", () => {
  const waits = [5, 300, 1800, 2 * hours, 5 * hours, 10 * hours, 10 * hours]

  it("is at once, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h", () => {
    assert.deepStrictEqual(
      waits.map((_, index) => retryDelay(index + 1, undefined, 0)),
      waits
    )
    assert.isUndefined(retryDelay(8, 60, 0))
  })

  it("has jitter, which is later only", () => {
    waits.forEach((wait, index) => {
      const latest = retryDelay(index + 1, undefined, 1) ?? 0
      assert.isAbove(latest, wait)
      assert.isAtMost(latest, wait * 1.1)
    })
  })

  it("waits longer where the receiver asks for it, within the longest wait of its own, and never shorter", () => {
    assert.strictEqual(retryDelay(1, 120, 0), 120)
    assert.strictEqual(retryDelay(2, 1, 0), 300)
    assert.strictEqual(retryDelay(1, 10_000_000, 0), 10 * hours)
  })
})

describe("a receiver that fails again and again", () => {
  it("is left alone for growing times after 20 failures, for 5 minutes at most", () => {
    assert.deepStrictEqual(
      [1, 19, 20, 21, 24, 100, 1_000_000].map((failures) => holdAfterFailure(failures, undefined, 0)),
      [0, 0, 1, 2, 16, 300, 300]
    )
    assert.strictEqual(holdAfterFailure(100, undefined, 1), 330)
  })

  it("is left alone from the first failure on where it asks for it", () => {
    assert.strictEqual(holdAfterFailure(1, 60, 0), 60)
    assert.strictEqual(holdAfterFailure(1, 10_000_000, 0), 10 * hours)
  })

  it("is given up after 5 days and at least 20 attempts", () => {
    assert.isTrue(isGivenUp(20, 5 * days))
    assert.isFalse(isGivenUp(19, 50 * days))
    assert.isFalse(isGivenUp(1000, 5 * days - 1))
  })
})
