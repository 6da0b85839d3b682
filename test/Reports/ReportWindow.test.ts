import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { wallClock } from "../../src/Services/Core/LocalTime.ts"
import { bucketsOf, mondayOf, percent, reportWindow } from "../../src/Services/Reports/ReportWindow.ts"
import { benchmarkOf, minimumAccounts, publication, rounded } from "../../src/Services/Reports/VolumeBenchmark.ts"

const zones = ["America/Sao_Paulo", "America/New_York", "Europe/Lisbon", "Asia/Kathmandu", "Pacific/Auckland", "UTC"]

describe("the window of a report", () => {
  it("begins at the first day's midnight, whatever clocks do in between, and has each day once", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) }),
        fc.integer({ min: 1, max: 365 }),
        fc.constantFrom(...zones),
        (now, days, zone) => {
          const window = reportWindow(now, days, zone)
          assert.strictEqual(window.days.length, days)
          assert.strictEqual(new Set(window.days).size, days)
          const dayAt = (millis: number) => {
            const { day, month, year } = wallClock(millis, zone)
            return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
          }
          assert.strictEqual(window.days.at(-1), dayAt(now))
          assert.strictEqual(window.days[0], dayAt(window.from))
          // A zone may skip midnight, and the day then begins at one o'clock.
          assert.notStrictEqual(dayAt(window.from - 1000), window.days[0])
        }
      ),
      { examples: [[Date.UTC(2006, 1, 27, 3), 135, "America/Sao_Paulo"]] }
    )
  })

  it.each([
    ["2026-01-01", "2025-12-29"],
    ["2025-12-28", "2025-12-22"],
    ["2024-02-29", "2024-02-26"],
    ["2026-11-23", "2026-11-23"]
  ])("%s is in the week of Monday %s", (day, monday) => assert.strictEqual(mondayOf(day), monday))

  it("weeks across a year's end are whole", () => {
    const { days } = reportWindow(Date.UTC(2026, 0, 3, 15), 10, "America/Sao_Paulo")
    assert.deepStrictEqual(bucketsOf(days, "week"), ["2025-12-22", "2025-12-29"])
  })

  it("shares are to a tenth, and none of nothing", () => {
    assert.strictEqual(percent(1, 3), 33.3)
    assert.isNull(percent(0, 0))
  })
})

describe("what paying customers come to", () => {
  const volume = (newLeads: number, index = 0) => ({
    accountId: AccountId.make(index + 1),
    newLeads,
    confirmedReplies: 1,
    interestedLeads: 1,
    messagesSent: 500
  })

  it("too few accounts have no range", () => {
    assert.isUndefined(benchmarkOf(Array.from({ length: minimumAccounts - 1 }, () => volume(10))))
  })

  it("ranges are rounded, and the median is never above the top", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 10, maxLength: 60 }), (leads) => {
        const figures = benchmarkOf(leads.map(volume))
        const { median, top } = figures?.newLeads ?? { median: 1, top: 0 }
        assert.isAtMost(median, top)
        assert.strictEqual(rounded(median), median)
      })
    )
  })

  it("one account more among many moves nothing that is not rounded away, as a rule", () => {
    const many = Array.from({ length: 200 }, (_, index) => volume(index))
    assert.deepStrictEqual(benchmarkOf([...many, volume(5000)])?.newLeads, benchmarkOf(many)?.newLeads)
  })

  it("the two largest accounts alone move nothing, however large they are", () => {
    const few = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(fc.array(few, { minLength: 10, maxLength: 40 }), few, few, (leads, more, most) => {
        const sorted = leads.toSorted((a, b) => a - b)
        const grown = sorted.map((value, index) => value + (index >= sorted.length - 2 ? more + most : 0))
        assert.deepStrictEqual(benchmarkOf(grown.map(volume)), benchmarkOf(sorted.map(volume)))
      })
    )
  })

  it("who joins or leaves with fewer than two others is in nothing new that is shown, by whatever way they come and go", () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => AccountId.make(index + 1))
    const publishedIds = ids(12)
    const without = (...removedIds: ReadonlyArray<number>) => publishedIds.filter((id) => !removedIds.includes(id))
    assert.strictEqual(publication(undefined, ids(9)), "hide")
    assert.strictEqual(publication(undefined, ids(10)), "publish")
    assert.strictEqual(publication(publishedIds, publishedIds), "publish")
    assert.strictEqual(publication(publishedIds, ids(13)), "keep")
    assert.strictEqual(publication(publishedIds, without(1)), "keep")
    // One leaves and another joins: the same number, but not the same accounts.
    assert.strictEqual(publication(publishedIds, [...without(1), AccountId.make(99)]), "keep")
    assert.strictEqual(publication(publishedIds, [...without(1), AccountId.make(98), AccountId.make(99)]), "publish")
    assert.strictEqual(publication(publishedIds, without(1, 2, 3)), "hide")
  })
})
