import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { instantOf, isHoliday, nextInWindow, wallClock } from "../../src/Services/Core/LocalTime.ts"
import { holidaysOf } from "../../src/Services/Timing/Holidays.ts"

const nowhere = { country: null, state: null, phone: null }
const brasilia = "America/Sao_Paulo"

describe("the holidays of a lead", () => {
  const cases: ReadonlyArray<
    readonly [what: string, place: Partial<Record<keyof typeof nowhere, string>>, day: string, isClosed: boolean]
  > = [
    ["Brazil's Independence Day", { country: "BR" }, "2026-09-07", true],
    ["by the country's name", { country: "Brasil" }, "2026-09-07", true],
    ["by the telephone", { phone: "+5511987650011" }, "2026-09-07", true],
    ["by the state alone", { state: "sp" }, "2026-09-07", true],
    ["by the account's time zone, where nothing else tells", {}, "2026-09-07", true],
    ["carnival, on which banks are closed", { country: "BR" }, "2026-02-17", true],
    ["Good Friday, which moves", { country: "BR" }, "2026-04-03", true],
    ["and the year after", { country: "BR" }, "2027-03-26", true],
    ["a state's own", { country: "BR", state: "SP" }, "2026-07-09", true],
    ["not another state's", { country: "BR", state: "RJ" }, "2026-07-09", false],
    ["not without the state", { country: "BR" }, "2026-07-09", false],
    ["the whole country's in a state whose list lacks it", { country: "BR", state: "SP" }, "2026-11-20", true],
    ["a state of another country of the same letters", { country: "US", state: "SP" }, "2026-07-09", false],
    ["Thanksgiving", { country: "US" }, "2026-11-26", true],
    ["a day off for a holiday on a Saturday", { country: "US" }, "2026-07-03", true],
    ["not Brazil's in the United States", { country: "US" }, "2026-09-08", false],
    ["Spain's", { country: "ES" }, "2026-10-12", true],
    ["Mexico's, on a Monday", { country: "MX" }, "2026-03-16", true],
    ["an evening before a holiday", { country: "BR" }, "2026-12-24", false],
    ["a Sunday of elections is a Sunday", { country: "BR" }, "2026-10-05", false]
  ]
  for (const [what, place, day, isClosed] of cases) {
    it(`${what}: ${day}`, () => {
      const [year = 0, month = 0, date = 0] = day.split("-").map(Number)
      assert.strictEqual(holidaysOf({ ...nowhere, ...place }, brasilia)(year, month, date), isClosed)
    })
  }

  it("of a place are worked out once", () => {
    const [one, other] = [
      holidaysOf({ ...nowhere, country: "PT" }, brasilia),
      holidaysOf({ ...nowhere, country: "Portugal" }, "UTC")
    ]
    assert.strictEqual(one, other)
  })
})

describe("the send window", () => {
  const places = [
    { zone: brasilia, place: { ...nowhere, country: "BR", state: "SP" } },
    { zone: "America/New_York", place: { ...nowhere, country: "US" } },
    { zone: "Europe/Madrid", place: { ...nowhere, country: "ES" } },
    { zone: "Asia/Tokyo", place: { ...nowhere, country: "JP" } }
  ]
  it("opens on the first workday that is no holiday, and on no other", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.integer({ min: Date.parse("2026-01-01T00:00:00Z"), max: Date.parse("2029-12-31T00:00:00Z") }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 11 }),
        ({ place, zone }, now, startHour, hours) => {
          const isClosed = holidaysOf(place, zone)
          const window = { startHour, endHour: startHour + hours, isClosed }
          const at = nextInWindow(now, zone, window)
          const localTime = wallClock(at, zone)
          assert.isAtLeast(at, now)
          assert.isTrue(localTime.weekday >= 1 && localTime.weekday <= 5)
          assert.isTrue(localTime.hour >= startHour && localTime.hour < startHour + hours)
          assert.isFalse(isClosed(localTime.year, localTime.month, localTime.day))
          assert.isFalse(isHoliday(at, zone, window))
          // No earlier day was possible.
          const first = wallClock(now, zone)
          for (let days = 0; days < 30; days++) {
            const opens = instantOf(first.year, first.month, first.day + days, startHour, 0, zone)
            const closes = instantOf(first.year, first.month, first.day + days, startHour + hours, 0, zone)
            if (closes <= now) continue
            const day = wallClock(opens, zone)
            const isOpen = day.weekday >= 1 && day.weekday <= 5 && !isClosed(day.year, day.month, day.day)
            if (Math.max(opens, now) < at) assert.isFalse(isOpen, new Date(opens).toISOString())
            else break
          }
        }
      ),
      { numRuns: 300 }
    )
  })
})
