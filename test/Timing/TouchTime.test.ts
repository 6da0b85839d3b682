import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { nextInWindow, wallClock } from "../../src/Services/Core/LocalTime.ts"
import { type PreferredHours, preferredHalf, touchTime } from "../../src/Services/Timing/TouchTime.ts"

const zone = "America/Sao_Paulo"
const window = { startHour: 8, endHour: 18 }
const monday = Date.parse("2026-03-02T15:00:00Z")
const day = 86_400_000

const replies = (
  ...hours: ReadonlyArray<readonly [weekday: number, hour: number, weight: number]>
): PreferredHours => ({
  reason: { _tag: "Replies", source: "sector", replies: 40 },
  hours: hours.map(([weekday, hour, weight]) => ({ weekday, hour, weight }))
})

const at = (preferred: PreferredHours, share: number, earliest = monday + 3 * day, now = monday) =>
  touchTime(earliest, { now, zone, window, preferred, share })

describe("touchTime", () => {
  it("takes the best hour of that weekday, in the lead's zone, and says whose replies say so", () => {
    const time = at(replies([4, 10, 9], [4, 15, 1], [1, 8, 90]), 0)
    assert.deepInclude(time, {
      weekday: "thursday",
      hour: 10,
      reason: { _tag: "Replies", source: "sector", replies: 40 }
    })
    assert.strictEqual(new Date(time?.at ?? 0).toISOString(), "2026-03-05T13:00:00.000Z")
  })

  it("spreads leads over the three best hours by their weight, and over the minutes", () => {
    const preferred = replies([4, 9, 5], [4, 10, 3], [4, 14, 2], [4, 16, 1])
    const times = Array.from({ length: 1000 }, (_, index) => at(preferred, index / 1000))
    const count = (hour: number) => times.filter((time) => time?.hour === hour).length
    assert.deepStrictEqual([count(9), count(10), count(14), count(16)], [500, 300, 200, 0])
    assert.isAtLeast(new Set(times.map((time) => time?.at)).size, 150)
  })

  it("takes the hours of other days where that day has none, and nothing where none lies in the window", () => {
    assert.deepInclude(at(replies([1, 11, 4]), 0.5), { weekday: "thursday", hour: 11 })
    assert.isUndefined(at(replies([4, 20, 9], [4, 6, 9]), 0))
    assert.isUndefined(at(replies(), 0))
  })

  it("goes to the next workday with the window, and never before now", () => {
    const saturday = Date.parse("2026-03-07T15:00:00Z")
    assert.deepInclude(at(replies([1, 9, 1]), 0, saturday), { weekday: "monday", hour: 9 })
    // It is noon on Monday there, so nine o'clock has passed.
    assert.deepInclude(at(replies([1, 9, 5], [1, 14, 1]), 0, monday), { hour: 14 })
  })

  it("of a trial all hours of a half come alike", () => {
    const hours = Array.from({ length: 1000 }, (_, index) => at(preferredHalf("afternoon", window), index / 1000)?.hour)
    assert.deepStrictEqual([...new Set(hours)].toSorted(), [12, 13, 14, 15, 16, 17])
  })

  it("always lies in the window of a workday, after now, on the day that was meant", () => {
    const zones = fc.constantFrom(
      "America/Sao_Paulo",
      "America/New_York",
      "Europe/Lisbon",
      "Asia/Kolkata",
      "Australia/Lord_Howe"
    )
    const preferredHours = fc
      .array(
        fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 50 })),
        { maxLength: 30 }
      )
      .map((hours) => replies(...hours))
    const windows = fc
      .tuple(fc.integer({ min: 0, max: 22 }), fc.integer({ min: 1, max: 12 }))
      .map(([startHour, length]) => ({ startHour, endHour: Math.min(24, startHour + length) }))
    fc.assert(
      fc.property(
        zones,
        preferredHours,
        windows,
        fc.integer({ min: 0, max: 400 * 24 }),
        fc.integer({ min: 0, max: 40 }),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (where, hours, open, hoursOn, days, share) => {
          const now = monday + hoursOn * 3_600_000
          const earliest = now + days * day
          const time = touchTime(earliest, { now, zone: where, window: open, preferred: hours, share })
          if (time === undefined) return
          const touchDay = wallClock(time.at, where)
          const expectedDay = wallClock(nextInWindow(earliest, where, open), where)
          assert.isAbove(time.at, now)
          assert.strictEqual(nextInWindow(time.at, where, open), time.at)
          assert.deepStrictEqual(
            [touchDay.year, touchDay.month, touchDay.day],
            [expectedDay.year, expectedDay.month, expectedDay.day]
          )
          assert.isTrue(hours.hours.some(({ hour }) => hour === time.hour))
        }
      ),
      { numRuns: 500 }
    )
  })
})
