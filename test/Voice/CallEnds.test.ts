import { assert, describe, it } from "@effect/vitest"
import { callCost, callNewsOf, endedWithout, touchEndOf } from "../../src/Services/Voice/CallEnds.ts"
import { outcomeUnknown } from "../../src/Services/Voice/VoiceCallState.ts"

const spoken = { ...endedWithout("completed", "ended"), failureReason: null, wasPickedUp: true, durationSeconds: 61 }

describe("a call that has ended", () => {
  it("without a talk was not picked up, unless nobody knows", () => {
    assert.deepInclude(endedWithout("failed", "busy"), { wasPickedUp: false, goalAchieved: false })
    assert.deepInclude(endedWithout("failed", outcomeUnknown), { wasPickedUp: null, goalAchieved: null })
    assert.deepInclude(endedWithout("cancelled", outcomeUnknown), { wasPickedUp: false, goalAchieved: false })
  })

  it("ends its touch", () => {
    assert.strictEqual(touchEndOf(spoken), "done")
    assert.strictEqual(touchEndOf(endedWithout("cancelled", "unsubscribed")), "skipped")
    assert.strictEqual(touchEndOf(endedWithout("failed", "busy")), "failed")
    assert.strictEqual(touchEndOf(endedWithout("failed", outcomeUnknown)), "unknown")
  })

  it("is told of as what it was", () => {
    assert.deepInclude(callNewsOf(spoken), { end: "completed", reason: null })
    assert.deepInclude(callNewsOf({ ...spoken, wasPickedUp: false }), { end: "machine" })
    assert.deepInclude(callNewsOf(endedWithout("failed", "busy")), { end: "failed", reason: "busy" })
  })

  it("costs each minute that began", () => {
    const costs = [0, 1, 60, 61, null].map((durationSeconds) => callCost({ ...spoken, durationSeconds }, 0.5))
    assert.deepStrictEqual(costs, [0, 0.5, 0.5, 1, null])
    assert.isNull(callCost(spoken, null))
  })
})
