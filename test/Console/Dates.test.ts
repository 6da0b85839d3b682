import { assert, describe, it } from "@effect/vitest"
import { clockText, dayText, distanceText, longDayText } from "../../console/src/i18n/DateTexts.ts"
import { locales } from "../../console/src/i18n/Format.ts"
import { numberText } from "../../console/src/i18n/Formats.ts"
import { setAccountZone, wallClock } from "../../console/src/i18n/WallClock.ts"
import { offsetsAround } from "../../src/Services/Core/ZoneOffsets.ts"

const hourMillis = 3_600_000
const start = Date.UTC(2026, 0, 1, 0, 30)
/** Each hour of a year would take long, and a step of 31 hours meets each day and each hour. */
const moments = Array.from({ length: 400 }, (_, index) => new Date(start + index * 31 * hourMillis))

/** Unicode's newer data has narrow spaces before AM and PM. */
const withPlainSpaces = (text: string) => text.replaceAll("\u202f", " ")

describe("dates of the console", () => {
  it("are written as the formatters of the language write them", () => {
    for (const locale of locales) {
      const texts = (options: Intl.DateTimeFormatOptions) => {
        const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" })
        return (at: Date) => withPlainSpaces(format.format(at))
      }
      const day = { day: "numeric", month: "short" } as const
      const [plain, withYear, withWeekday, withBoth, long, clock] = [
        texts(day),
        texts({ ...day, year: "numeric" }),
        texts({ ...day, weekday: "short" }),
        texts({ ...day, weekday: "short", year: "numeric" }),
        texts({ day: "numeric", month: "long", weekday: "long" }),
        texts({ hour: "2-digit", minute: "2-digit" })
      ]
      for (const at of moments) {
        assert.strictEqual(dayText(at, locale), plain(at))
        assert.strictEqual(dayText(at, locale, { hasYear: true }), withYear(at))
        assert.strictEqual(dayText(at, locale, { hasWeekday: true }), withWeekday(at))
        assert.strictEqual(dayText(at, locale, { hasWeekday: true, hasYear: true }), withBoth(at))
        assert.strictEqual(longDayText(at, locale), long(at))
        assert.strictEqual(clockText(at, locale), clock(at))
      }
    }
  })

  it("are near ones by their distance", () => {
    for (const locale of locales) {
      const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" })
      for (const [unit, most] of [
        ["minute", 59],
        ["hour", 23],
        ["day", 7]
      ] as const) {
        for (let distance = -most; distance <= most; distance++) {
          // A distance below one hour is given in minutes.
          if (unit === "hour" && distance === 0) continue
          assert.strictEqual(distanceText(distance, unit, locale), format.format(distance, unit))
        }
      }
    }
  })

  it("are on the clocks of the account's zone, with or without the session's offsets", () => {
    for (const zone of [
      "America/Sao_Paulo",
      "Europe/Lisbon",
      "Africa/Casablanca",
      "Asia/Kolkata",
      "Australia/Lord_Howe"
    ]) {
      setAccountZone("UTC", [])
      const byFormat = moments.map((at) => wallClock(at, zone).toISOString())
      setAccountZone(zone, offsetsAround(zone, start))
      assert.deepStrictEqual(
        moments.map((at) => wallClock(at, zone).toISOString()),
        byFormat,
        zone
      )
      const old = new Date("1999-07-01T12:00:00Z")
      const oldClock = wallClock(old, zone).toISOString()
      setAccountZone("UTC", [])
      assert.strictEqual(wallClock(old, zone).toISOString(), oldClock, zone)
    }
  })

  it("change their offset in the minute in which the zone changes its clocks", () => {
    const periods = offsetsAround("Europe/Lisbon", start).filter(({ from }) => from.startsWith("2026"))
    assert.deepStrictEqual(
      periods.map(({ from, minutes }) => [from, minutes]),
      [
        ["2026-03-29T01:00:00.000Z", 60],
        ["2026-10-25T01:00:00.000Z", 0]
      ]
    )
  })
})

describe("whole numbers of the console", () => {
  it("are grouped as the formatters of the language group them", () => {
    for (const locale of locales) {
      const format = new Intl.NumberFormat(locale)
      for (const value of [
        0, 7, 999, 1_000, 1_234, 9_999, 10_000, 123_456, 1_234_567, 9_007_199_254_740_991, -5_000, 1_234.5
      ]) {
        assert.strictEqual(numberText(value, locale), format.format(value), `${locale} ${value}`)
      }
    }
  })
})
