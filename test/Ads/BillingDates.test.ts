import { assert, describe, it } from "@effect/vitest"
import { billingInstant } from "../../src/Services/Ads/BillingDates.ts"

describe("a date of the ads platform", () => {
  const cases: ReadonlyArray<readonly [text: string, zone: string, place: "start" | "end", instant: string | null]> = [
    ["2026-11-01", "America/Sao_Paulo", "start", "2026-11-01T03:00:00Z"],
    ["2026-11-30", "America/Sao_Paulo", "end", "2026-12-01T02:59:59Z"],
    ["2026-11-01 00:00:00", "America/Sao_Paulo", "end", "2026-11-01T03:00:00Z"],
    ["2037-12-30 23:59:59", "America/Sao_Paulo", "end", "2037-12-31T02:59:59Z"],
    ["2026-07-01 08:30", "Europe/Lisbon", "start", "2026-07-01T07:30:00Z"],
    ["2026-11-01T10:00:00", "UTC", "start", "2026-11-01T10:00:00Z"],
    ["", "UTC", "start", null],
    ["2026-02-30", "UTC", "start", null],
    ["2026-13-01", "UTC", "start", null],
    ["2026-11-01 25:00:00", "UTC", "start", null],
    ["tomorrow", "UTC", "start", null]
  ]
  it.each(cases)("%s in %s, as the %s of a period", (text, zone, place, instant) => {
    assert.strictEqual(billingInstant(text, zone, place), instant)
  })
})
