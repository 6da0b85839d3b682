import { assert, describe, it } from "@effect/vitest"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { MeetingStatus } from "../../src/Services/Meetings/Ids.ts"
import {
  areTimesValid,
  cleanText,
  isToCome,
  joinedTexts,
  statusAfter
} from "../../src/Services/Meetings/MeetingRules.ts"

const at = (hours: number) => fromMillis(Date.parse("2026-03-02T12:00:00Z") + hours * 3_600_000)

describe("what becomes of a meeting", () => {
  const [yes, no, unsaid] = [true, false, undefined]
  for (const [customer, lead, status] of [
    [unsaid, unsaid, "confirmed"],
    [yes, unsaid, "confirmed"],
    [unsaid, yes, "held"],
    [yes, yes, "held"],
    [no, unsaid, "no_show"],
    [no, yes, "no_show"],
    [unsaid, no, "no_show"],
    [yes, no, "no_show"],
    [no, no, "no_show"]
  ] as const) {
    it(`customer ${customer ?? "unsaid"}, lead ${lead ?? "unsaid"}: ${status}`, () => {
      const before = { status: "confirmed", has_customer_attended: null, has_lead_attended: null } as const
      assert.strictEqual(statusAfter(before, { hasCustomerAttended: customer, hasLeadAttended: lead }), status)
    })
  }

  it("what was said before holds until it is said otherwise", () => {
    const missed = { status: "no_show", has_customer_attended: true, has_lead_attended: false } as const
    const attendance = { hasCustomerAttended: true, hasLeadAttended: undefined }
    assert.strictEqual(statusAfter(missed, attendance), "no_show")
    assert.strictEqual(statusAfter(missed, { ...attendance, hasLeadAttended: true }), "held")
  })

  it("it may still take place while it is scheduled or confirmed", () => {
    const toCome = MeetingStatus.literals.filter((status) => isToCome({ status }))
    assert.deepStrictEqual(toCome, ["scheduled", "confirmed"])
  })
})

describe("times and texts of meetings", () => {
  it("a meeting ends after it begins, within a day", () => {
    const lengths = [-1, 0, 0.5, 24, 24.5].map((hours) => areTimesValid(at(0), at(hours)))
    assert.deepStrictEqual(lengths, [false, false, true, true, false])
  })

  it("a text without words is none", () => {
    assert.deepStrictEqual([cleanText(undefined), cleanText(" \n"), cleanText(" a ")], [undefined, undefined, "a"])
  })

  it("of notes that are too long the beginning is cut, never half a character", () => {
    assert.strictEqual(joinedTexts([null, "", undefined], 10), undefined)
    assert.strictEqual(joinedTexts(["one", null, "two"], 10), "one\ntwo")
    assert.strictEqual(joinedTexts(["😀bc"], 3), "bc")
  })
})
