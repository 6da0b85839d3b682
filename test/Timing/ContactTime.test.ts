import { assert, describe, it } from "@effect/vitest"
import { freeSlots, usualSlots } from "../../src/Services/Calendar/FreeSlots.ts"
import { startOfDay, wallClock } from "../../src/Services/Core/LocalTime.ts"
import { nextContactTime } from "../../src/Services/Timing/ContactTime.ts"
import { holidaysOf } from "../../src/Services/Timing/Holidays.ts"

const lead = { country: "BR", state: "AC", phone: "+5568999990000", timeZone: null }
const account = { timeZone: "America/Sao_Paulo", language: "pt-BR" }
const hours = { startHour: 8, endHour: 18 }
const next = (at: string) => new Date(nextContactTime(Date.parse(at), lead, account, hours)).toISOString()

describe("the next time at which a lead may be contacted", () => {
  it("is in the window of the lead, not in that of the account", () => {
    // Eight in São Paulo is six in Acre.
    assert.strictEqual(next("2026-03-03T11:00:00Z"), "2026-03-03T13:00:00.000Z")
    assert.strictEqual(next("2026-03-03T15:00:00Z"), "2026-03-03T15:00:00.000Z")
  })

  it("is on no weekend and on no holiday", () => {
    assert.strictEqual(next("2026-03-07T15:00:00Z"), "2026-03-09T13:00:00.000Z")
    // Christmas is a Friday.
    assert.strictEqual(next("2026-12-25T15:00:00Z"), "2026-12-28T13:00:00.000Z")
  })
})

describe("free times", () => {
  it("skip public holidays", () => {
    const zone = "America/Sao_Paulo"
    const now = startOfDay(2026, 12, 21, zone)
    const window = { ...hours, isClosed: holidaysOf({ country: "BR", state: "SP", phone: null }, zone) }
    const days = new Set(
      freeSlots(now, [], { ...usualSlots, zone, window, hostZone: zone }).map(({ from }) => wallClock(from, zone).day)
    )
    assert.isTrue(days.has(24))
    assert.isFalse(days.has(25))
  })
})
