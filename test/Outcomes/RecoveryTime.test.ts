import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type RecoverySituation, recoveryTime } from "../../src/Services/Outcomes/RecoveryTime.ts"

const hour = 3_600_000
const now = Date.parse("2026-03-03T14:00:00Z")
const situation: RecoverySituation = {
  leadId: 7,
  now,
  lastOutbound: undefined,
  lastInbound: undefined,
  namedDay: undefined,
  zone: "America/Sao_Paulo"
}

describe("when a recovered conversation is taken up again", () => {
  it("is in minutes to hours, and not for all leads at once", () => {
    const waits = Array.from({ length: 50 }, (_, leadId) => recoveryTime({ ...situation, leadId }) - now)
    assert.isAtLeast(Math.min(...waits), 20 * 60_000)
    assert.isAtMost(Math.max(...waits), 4 * hour)
    assert.isAbove(new Set(waits).size, 40)
  })

  it("is a day after the last message to the lead, unless the lead wrote since", () => {
    assert.strictEqual(recoveryTime({ ...situation, lastOutbound: now - hour }), now + 23 * hour)
    const wrote = { ...situation, lastOutbound: now - hour, lastInbound: now - hour / 2 }
    assert.isAtMost(recoveryTime(wrote), now + 4 * hour)
  })

  it("is on the day that the lead named, in its zone", () => {
    assert.strictEqual(recoveryTime({ ...situation, namedDay: "2026-04-01" }), Date.parse("2026-04-01T03:00:00Z"))
    assert.isAtMost(recoveryTime({ ...situation, namedDay: "2026-02-01" }), now + 4 * hour)
  })

  it("is never before any of them", () =>
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 0, max: 60 }),
        (leadId, ago, days) => {
          const lastOutbound = now - ago * hour
          const namedDay = new Date(now + days * 24 * hour).toISOString().slice(0, 10)
          const at = recoveryTime({ ...situation, leadId, lastOutbound, namedDay })
          assert.isAtLeast(at, now + 20 * 60_000)
          assert.isAtLeast(at, lastOutbound + 24 * hour)
          assert.isAtLeast(at, Date.parse(`${namedDay}T03:00:00Z`))
        }
      )
    ))
})
