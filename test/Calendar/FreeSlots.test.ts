import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  allDay,
  daysAhead,
  freeSlots,
  isBusy,
  type Period,
  proposals,
  usualSlots,
  utcDay,
  type WantedSlots
} from "../../src/Services/Calendar/FreeSlots.ts"
import { startOfDay } from "../../src/Services/Core/LocalTime.ts"

const minute = 60_000
const hour = 60 * minute

// By the formatter alone, and minute by minute: nothing here is shared with the rules.
const formats = new Map<string, Intl.DateTimeFormat>()
const view = (millis: number, zone: string) => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23"
    })
  formats.set(zone, format)
  const parts = Object.fromEntries(format.formatToParts(millis).map(({ type, value }) => [type, value]))
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    hour: Number(parts.hour),
    minute: Number(parts.minute),
    isWorkday: !["Sat", "Sun"].includes(parts.weekday ?? "")
  }
}

const zones = [
  "America/Sao_Paulo",
  "America/New_York",
  "America/Santiago",
  "America/Havana",
  "Europe/Madrid",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Asia/Beirut",
  "Pacific/Chatham",
  "UTC"
]

const year = Date.parse("2026-01-01T00:00:00Z")
const rules = (zone: string, hostZone: string, window: { startHour: number; endHour: number }) => ({
  ...usualSlots,
  zone,
  hostZone,
  window
})

type Rules = ReturnType<typeof rules>

const bruteForce = (
  now: number,
  busy: ReadonlyArray<Period>,
  { hostWindow, hostZone, window, zone }: Rules,
  days: number
) => {
  const dates = new Set<string>()
  for (let at = now; dates.size < days + 1; at += 12 * hour) dates.add(view(at, zone).date)
  const looked = [...dates].slice(0, days)
  const match: Array<number> = []
  for (let at = Math.floor(now / (15 * minute)) * 15 * minute; at < now + (days + 2) * 24 * hour; at += 15 * minute) {
    const begins = view(at, zone)
    const ends = view(at + 29 * minute, zone)
    if (begins.minute % 30 !== 0 || !begins.isWorkday || !looked.includes(begins.date)) continue
    if (begins.hour < window.startHour || begins.hour >= window.endHour) continue
    if (ends.date !== begins.date || ends.hour >= window.endHour) continue
    const [host, hostEnd] = [view(at, hostZone), view(at + 29 * minute, hostZone)]
    const isAwake =
      host.hour >= hostWindow.startHour &&
      host.hour < hostWindow.endHour &&
      hostEnd.date === host.date &&
      hostEnd.hour < hostWindow.endHour
    if ((hostZone !== zone && !isAwake) || !host.isWorkday) continue
    if (at < now + 120 * minute) continue
    let isClear = true
    for (let one = at - 15 * minute; one < at + 45 * minute && isClear; one += minute) {
      isClear = busy.every(({ from, to }) => one < from || one >= to)
    }
    if (isClear) match.push(at)
  }
  return match
}

describe("free slots", () => {
  it("are those that a search minute by minute finds, in all zones, over a year and its clock changes", () => {
    const situation = fc.record({
      zone: fc.constantFrom(...zones),
      hostZone: fc.constantFrom(...zones),
      // Around the changes of clocks as often as anywhere.
      at: fc.oneof(
        fc.integer({ min: 0, max: 365 * 24 * 60 }),
        fc
          .constantFrom(
            "2026-03-06",
            "2026-03-27",
            "2026-04-03",
            "2026-09-04",
            "2026-10-02",
            "2026-10-23",
            "2026-10-30"
          )
          .map((date) => (Date.parse(date) - year) / minute)
      ),
      startHour: fc.constantFrom(0, 1, 8, 9),
      length: fc.integer({ min: 1, max: 14 }),
      busy: fc.array(fc.tuple(fc.integer({ min: -600, max: 5 * 24 * 60 }), fc.integer({ min: 1, max: 700 })), {
        maxLength: 8
      })
    })
    fc.assert(
      fc.property(situation, ({ at, busy, hostZone, length, startHour, zone }) => {
        const now = year + at * minute
        const periods = busy.map(([from, lasts]) => ({ from: now + from * minute, to: now + (from + lasts) * minute }))
        const finding = rules(zone, hostZone, { startHour, endHour: startHour + length })
        const slots = freeSlots(now, periods, { ...finding, days: 4 })
        assert.deepStrictEqual(
          slots.map(({ from }) => new Date(from).toISOString()),
          bruteForce(now, periods, finding, 4).map((one) => new Date(one).toISOString())
        )
      }),
      { numRuns: 40 }
    )
  })

  it("a day begins at its first minute, also where clocks skip midnight or show it twice", () => {
    for (const zone of zones) {
      for (let ahead = 0; ahead < 365; ahead++) {
        const at = startOfDay(2026, 1, 1 + ahead, zone)
        const date = new Date(year + ahead * 24 * hour).toISOString().slice(0, 10)
        assert.strictEqual(view(at, zone).date, date, `${zone} ${date}`)
        assert.isBelow(Date.parse(view(at - minute, zone).date), Date.parse(date), `${zone} ${date}`)
      }
    }
    const { from, to } = allDay("2026-09-06", "2026-09-07", "America/Santiago")
    assert.strictEqual(to - from, 23 * hour)
  })

  it("respect what takes time, and nothing else", () => {
    const event = {
      from: 0,
      to: 1,
      status: "confirmed",
      isTransparent: false,
      kind: "default",
      isDeclined: false
    } as const
    const cases: ReadonlyArray<readonly [Partial<Parameters<typeof isBusy>[0]>, boolean]> = [
      [{}, true],
      [{ status: "tentative" }, true],
      [{ kind: "outOfOffice" }, true],
      [{ kind: "focusTime" }, true],
      [{ status: "cancelled" }, false],
      [{ isTransparent: true }, false],
      [{ isDeclined: true }, false],
      [{ kind: "presence" }, false],
      [{ to: 0 }, false]
    ]
    for (const [input, expected] of cases)
      assert.strictEqual(isBusy({ ...event, ...input }), expected, JSON.stringify(input))
    assert.deepStrictEqual(utcDay("2026-02-28"), {
      from: Date.parse("2026-02-28T00:00Z"),
      to: Date.parse("2026-03-01T00:00Z")
    })
  })

  it("are proposed on different days, of those that are free, the same ones to a lead whenever it asks", () => {
    const now = Date.parse("2026-11-20T12:00:00Z")
    const all = rules("America/Sao_Paulo", "America/Sao_Paulo", { startHour: 9, endHour: 18 })
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 30 }), (seed, days) => {
        const slots = freeSlots(now, [], { ...all, days })
        const choice = proposals(slots, { zone: all.zone, seed })
        assert.deepStrictEqual(choice, proposals(slots, { zone: all.zone, seed }))
        assert.isTrue(choice.every((slot) => slots.includes(slot)))
        assert.strictEqual(new Set(choice).size, Math.min(3, slots.length))
        const dates = new Set(choice.map(({ from }) => view(from, all.zone).date))
        assert.strictEqual(dates.size, Math.min(3, new Set(slots.map(({ from }) => view(from, all.zone).date)).size))
      }),
      { numRuns: 50 }
    )
  })

  it("are those of the days and the part of the day for which the lead asks", () => {
    const now = Date.parse("2026-11-20T12:00:00Z")
    const zone = "America/Sao_Paulo"
    const all = rules(zone, zone, { startHour: 9, endHour: 18 })
    const of = (request: WantedSlots, busy: ReadonlyArray<Period> = []) =>
      proposals(freeSlots(now, busy, { ...all, days: daysAhead(now, request) }), { zone, seed: 3, wish: request }).map(
        ({ from }) => view(from, zone)
      )
    const datesOf = (target: WantedSlots, busy?: ReadonlyArray<Period>) => [
      ...new Set(of(target, busy).map(({ date }) => date))
    ]
    // A day, a week, a week in two months.
    assert.deepStrictEqual(datesOf({ first: "2026-11-26", last: "2026-11-26", minutes: null }), ["2026-11-26"])
    assert.lengthOf(of({ first: "2026-11-26", last: "2026-11-26", minutes: null }), 3)
    for (const [first, last] of [
      ["2026-11-30", "2026-12-04"],
      ["2027-01-18", "2027-01-22"]
    ] as const) {
      const dates = datesOf({ first, last, minutes: null })
      assert.lengthOf(dates, 3)
      assert.isTrue(dates.every((date) => date >= first && date <= last))
    }
    const afternoons = of({ first: "2026-11-30", last: "2026-12-04", minutes: { from: 13 * 60, until: 18 * 60 } })
    assert.isTrue(afternoons.every(({ date, hour: begins }) => begins >= 13 && date >= "2026-11-30"))
    // A week without room: the days after it.
    const full = { from: Date.parse("2026-11-30T00:00:00Z"), to: Date.parse("2026-12-05T00:00:00Z") }
    const later = datesOf({ first: "2026-11-30", last: "2026-12-04", minutes: null }, [full])
    assert.isTrue(later.length > 0 && later.every((date) => date > "2026-12-04"))
    assert.strictEqual(daysAhead(now, { first: "2090-01-01", last: null, minutes: null }), 120)
  })

  it("are on no holiday and no weekend of the host", () => {
    const now = Date.parse("2026-11-20T12:00:00Z")
    const isClosed = (_year: number, month: number, day: number) => month === 11 && day === 25
    const all = rules("Asia/Kolkata", "America/Sao_Paulo", { startHour: 8, endHour: 22 })
    const slots = freeSlots(now, [], { ...all, hostWindow: { startHour: 0, endHour: 24, isClosed } })
    const atHost = slots.map(({ from }) => view(from, "America/Sao_Paulo"))
    assert.isTrue(atHost.every(({ date, isWorkday }) => isWorkday && date !== "2026-11-25"))
    assert.isTrue(atHost.some(({ date }) => date === "2026-11-24"))
  })
})
