import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { offsetAt, wallClock } from "../../src/Services/Core/LocalTime.ts"
import type { Act, ActTime } from "../../src/Services/Replies/Acts.ts"
import { judgeTimes, noticeMinutes, type TimeSetting } from "../../src/Services/Replies/Consequences/Plausibility.ts"
import { act, exactTime } from "./support/acts.ts"

const now = Date.parse("2026-11-24T12:00:00Z")

const proposal = (time: ActTime, isCertain = true, kind: Act["kind"] = "proposes"): Act =>
  act(kind, { time, isCertain })

const setting: TimeSetting = {
  now,
  leadZone: "America/Sao_Paulo",
  hostZone: "America/Sao_Paulo",
  isLeadClosed: () => false,
  isHostClosed: () => false,
  isTaken: () => false
}

const verdict = (proposed: Act, more: Partial<TimeSetting> = {}): string => {
  const { bookable, why } = judgeTimes([proposed], { ...setting, ...more })
  const [first] = bookable
  return first === undefined ? (why ?? "none") : new Date(first).toISOString()
}

describe("a time that a lead proposes", () => {
  it("is booked where it is certain and plausible", () => {
    assert.strictEqual(verdict(proposal(exactTime("2026-11-26", [15 * 60]))), "2026-11-26T18:00:00.000Z")
  })

  it.each<readonly [why: string, Act, Partial<TimeSetting>]>([
    ["uncertain", proposal(exactTime("2026-11-26", [900]), false), {}],
    ["no_exact_time", proposal(exactTime("2026-11-26", [])), {}],
    ["no_exact_time", proposal(exactTime("2026-11-26", [900], { untilMinute: 960 })), {}],
    ["no_exact_time", proposal(exactTime("2026-11-26", [900], { days: [] })), {}],
    ["day_open", proposal(exactTime("2026-11-26", [900], { days: ["2026-11-26", "2026-12-03"] })), {}],
    ["past", proposal(exactTime("2026-11-24", [480])), {}],
    ["past", proposal(exactTime("2026-11-26", [900], { isPast: true })), {}],
    ["too_soon", proposal(exactTime("2026-11-24", [10 * 60])), {}],
    ["night", proposal(exactTime("2026-11-26", [23 * 60])), {}],
    ["day_off", proposal(exactTime("2026-11-28", [600])), {}],
    ["day_off", proposal(exactTime("2026-11-26", [900])), { isLeadClosed: () => true }],
    ["taken", proposal(exactTime("2026-11-26", [900])), { isTaken: () => true }],
    ["zone_unknown", proposal(exactTime("2026-11-26", [900])), { leadZone: undefined }],
    ["none", proposal(exactTime("2026-11-26", [900]), true, "cannot"), {}],
    ["none", proposal(exactTime("2026-11-26", [900]), true, "mentions"), {}]
  ])("is not: %s", (why, act, more) => {
    assert.strictEqual(verdict(act, more), why)
  })

  it("takes the half of the day in which people meet, and asks where both do", () => {
    assert.strictEqual(verdict(proposal(exactTime("2026-11-26", [180, 900]))), "2026-11-26T18:00:00.000Z")
    assert.strictEqual(verdict(proposal(exactTime("2026-11-26", [600, 1320]))), "2026-11-26T13:00:00.000Z")
    const early = proposal(exactTime("2026-11-26", [7 * 60, 19 * 60]))
    assert.strictEqual(verdict(early), "hour_open")
  })

  it("is in the zone that the words name", () => {
    const eastern = proposal(exactTime("2026-11-27", [16 * 60], { zone: "America/New_York" }))
    assert.strictEqual(verdict(eastern), "2026-11-27T21:00:00.000Z")
  })

  it("takes the first of several that can be had", () => {
    const [one, other] = [exactTime("2026-11-26", [900]), exactTime("2026-11-27", [660])].map((time) => proposal(time))
    assert.isDefined(one)
    assert.isDefined(other)
    const isTaken = (from: number) => new Date(from).toISOString().startsWith("2026-11-26")
    const { bookable, why } = judgeTimes([one, other], { ...setting, isTaken })
    assert.deepStrictEqual(
      bookable.map((at) => new Date(at).toISOString()),
      ["2026-11-27T14:00:00.000Z"]
    )
    assert.strictEqual(why, "taken")
  })

  const zones = ["America/Sao_Paulo", "America/New_York", "Europe/Lisbon", "Asia/Kolkata", "Australia/Sydney"]

  it("is never booked at night, on a day off, too soon, over another appointment, or while anything is open", () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 1439 }), { minLength: 0, maxLength: 2 })
    const days = fc
      .array(fc.integer({ min: -3, max: 400 }), { minLength: 0, maxLength: 2 })
      .map((list) => list.map((ahead) => new Date(now + ahead * 86_400_000).toISOString().slice(0, 10)))
    fc.assert(
      fc.property(
        fc.record({
          days,
          minutes,
          untilMinute: fc.option(fc.integer({ min: 0, max: 1440 }), { nil: null }),
          isPast: fc.boolean(),
          zone: fc.option(fc.constantFrom(...zones), { nil: null }),
          isCertain: fc.boolean(),
          leadZone: fc.option(fc.constantFrom(...zones), { nil: undefined }),
          hostZone: fc.constantFrom(...zones),
          closed: fc.integer({ min: 0, max: 6 }),
          takenHour: fc.integer({ min: 0, max: 23 })
        }),
        ({ isCertain, closed, days, hostZone, isPast, leadZone, minutes, takenHour, untilMinute, zone }) => {
          const isClosed = (_year: number, _month: number, day: number) => day % 7 === closed
          const isTaken = (from: number) => new Date(from).getUTCHours() === takenHour
          const time = {
            text: "",
            days,
            first: days[0] ?? null,
            last: null,
            minutes,
            untilMinute,
            zone,
            isPast,
            relation: null
          }
          const { bookable } = judgeTimes([proposal(time, isCertain)], {
            ...setting,
            leadZone,
            hostZone,
            isLeadClosed: isClosed,
            isHostClosed: isClosed,
            isTaken
          })
          const [startsAt] = bookable
          if (startsAt === undefined) return
          const leadClock = zone ?? leadZone
          assert.isDefined(leadClock)
          assert.isNull(untilMinute)
          assert.isFalse(isPast)
          assert.isTrue(isCertain)
          assert.isAtLeast(startsAt - now, noticeMinutes * 60_000)
          assert.isFalse(isTaken(startsAt))
          for (const each of [leadClock, hostZone]) {
            const local = wallClock(startsAt, each)
            assert.isTrue(local.hour >= 7 && local.hour < 22, `${each} ${local.hour}`)
            assert.isTrue(local.weekday >= 1 && local.weekday <= 5)
            assert.isFalse(isClosed(local.year, local.month, local.day))
          }
          const local = startsAt + offsetAt(startsAt, leadClock)
          assert.isTrue(days.includes(new Date(local).toISOString().slice(0, 10)))
        }
      ),
      { numRuns: 5000, seed: 1 }
    )
  })
})
