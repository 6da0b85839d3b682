import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { instantOf, nextInWindow, wallClock } from "../../src/Services/Core/LocalTime.ts"

const window = { startHour: 8, endHour: 18 }

describe("nextInWindow", () => {
  it.each([
    ["within it", "2026-03-02T15:00:00Z", "2026-03-02T15:00:00Z"],
    ["before it", "2026-03-02T09:00:00Z", "2026-03-02T11:00:00Z"],
    ["at its end", "2026-03-02T21:00:00Z", "2026-03-03T11:00:00Z"],
    ["on a Friday evening", "2026-03-06T22:00:00Z", "2026-03-09T11:00:00Z"],
    ["on a Sunday", "2026-03-08T15:00:00Z", "2026-03-09T11:00:00Z"],
    ["after local midnight of another UTC day", "2026-03-03T02:00:00Z", "2026-03-03T11:00:00Z"]
  ])("%s", (_, from, to) => {
    const found = nextInWindow(Date.parse(from), "America/Sao_Paulo", window)
    assert.strictEqual(new Date(found).toISOString(), new Date(to).toISOString())
  })

  it("is never in the past, lies in the window, and stays where it is", () => {
    const zones = fc.constantFrom("America/Sao_Paulo", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "UTC")
    const instants = fc.integer({ min: Date.parse("2025-01-01"), max: Date.parse("2028-01-01") })
    fc.assert(
      fc.property(instants, zones, (millis, zone) => {
        const next = nextInWindow(millis, zone, window)
        const { hour, weekday } = wallClock(next, zone)
        assert.isAtLeast(next, millis)
        assert.isBelow(next - millis, 4 * 86_400_000)
        assert.isTrue(hour >= 8 && hour < 18 && weekday >= 1 && weekday <= 5)
        assert.strictEqual(nextInWindow(next, zone, window), next)
      }),
      { seed: 7, numRuns: 500 }
    )
  })
})

describe("instantOf", () => {
  it("is what the clocks of the zone show, on both sides of a change of the clocks", () => {
    const zone = "America/New_York"
    for (const [month, day] of [
      [3, 7],
      [3, 9],
      [10, 31],
      [11, 2]
    ] as const) {
      const shown = wallClock(instantOf(2026, month, day, 9, 30, zone), zone)
      assert.deepInclude(shown, { month, day, hour: 9, minute: 30 })
    }
  })
})
