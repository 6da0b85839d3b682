import { assert, describe, it } from "@effect/vitest"
import { getAllCountries, getTimezone } from "countries-and-timezones"
import * as fc from "fast-check"
import { offsetMinutes, offsetOfHour, zoneOfHour } from "../../src/Services/Accounts/TimeZoneOffset.ts"

const at = (text: string) => Date.parse(text)
const moments = fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2027-01-01T00:00:00Z") })
const hourIn = (zone: string, now: number) => new Date(now + (offsetMinutes(zone, now) ?? 0) * 60_000).getUTCHours()

describe("the time zone of an account, told by the hour on its clock", () => {
  const told = [
    [9, "2026-06-15T12:30:00Z", "BR", -3, "America/Sao_Paulo", true],
    [8, "2026-06-15T12:30:00Z", "BR", -4, "America/Manaus", false],
    [14, "2026-06-15T12:30:00Z", "DE", 2, "Europe/Berlin", true],
    [13, "2026-01-15T12:30:00Z", "DE", 1, "Europe/Berlin", true],
    [18, "2026-06-15T12:30:00Z", "IN", 5.5, "Asia/Kolkata", true],
    [18, "2026-06-15T12:50:00Z", "NP", 5.75, "Asia/Kathmandu", true],
    [1, "2026-06-15T12:30:00Z", "TO", 13, "Pacific/Tongatapu", true],
    [2, "2026-06-15T12:30:00Z", "KI", 14, "Pacific/Kiritimati", true],
    [1, "2026-06-15T12:30:00Z", undefined, -11, "Etc/GMT+11", false],
    [0, "2026-06-15T12:30:00Z", undefined, 12, "Etc/GMT-12", false],
    [23, "2026-06-15T01:10:00Z", undefined, -2, "Etc/GMT+2", false],
    [12, "2026-06-15T12:30:00Z", undefined, 0, "Etc/UTC", false]
  ] as const
  for (const [hour, now, country, offset, zone, isCertain] of told) {
    it(`${hour} o'clock in ${country ?? "an unknown country"} at ${now} is ${offset}`, () => {
      const found = zoneOfHour(hour, at(now), country)
      assert.strictEqual(found.offsetHours, offset)
      if (isCertain) assert.deepStrictEqual(found, { offsetHours: offset, zone, isCertain: true })
      assert.strictEqual(offsetMinutes(found.zone, at(now)), offset * 60)
    })
  }

  it("is a zone whose clock shows that hour now", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 23 }),
        moments,
        fc.option(fc.constantFrom(...Object.keys(getAllCountries())), { nil: undefined }),
        (hour, now, country) => {
          const { offsetHours, zone } = zoneOfHour(hour, now, country)
          assert.strictEqual(hourIn(zone, now), hour)
          assert.strictEqual((offsetMinutes(zone, now) ?? Number.NaN) / 60, offsetHours)
        }
      ),
      { numRuns: 300 }
    )
  })

  it("is never further from UTC than a clock on earth, and nearest to it unless the country says otherwise", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), moments, (hour, now) => {
        const offset = offsetOfHour(hour, now, [])
        assert.isTrue(offset >= -11 && offset <= 12)
        assert.strictEqual((new Date(now).getUTCHours() + offset + 24) % 24, hour)
      })
    )
  })

  it("is certain only where all zones of the country that show the hour stay together all year", () => {
    fc.assert(
      fc.property(moments, fc.constantFrom("US", "BR", "AU", "MX", "CA", "PT", "DE"), (now, country) => {
        for (let hour = 0; hour < 24; hour++) {
          const found = zoneOfHour(hour, now, country)
          if (!found.isCertain) continue
          assert.include(getTimezone(found.zone)?.countries ?? [], country)
        }
      }),
      { numRuns: 30 }
    )
  })
})
