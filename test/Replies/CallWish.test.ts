import { assert, describe, it } from "@effect/vitest"
import { callTimeOf, isCallDue } from "../../src/Services/Replies/Times/CallWish.ts"
import { act, likely, readingWith } from "./support/acts.ts"

/** A Tuesday, 11:00 in São Paulo. */
const now = Date.parse("2026-03-03T14:00:00Z")
const zone = "America/Sao_Paulo"
const soon = now + 5 * 60_000
const setting = { now, soon, zone, near: undefined }
const wants = [act("wants_call")]
const at = (date: string | null, time: string | null) => ({ date, time, text: "then" })

describe("when a lead that asks to be called is called", () => {
  it("is soon, where it names no time", () => {
    assert.strictEqual(callTimeOf(readingWith(wants), setting), soon)
    assert.isTrue(isCallDue(readingWith(wants), soon, zone))
  })

  it("is the hour that it names", () => {
    const today = readingWith(wants, { proposedMeeting: at(null, "17:00"), timeProblem: "no_exact_time" })
    const five = Date.parse("2026-03-03T20:00:00Z")
    assert.strictEqual(callTimeOf(today, setting), five)
    assert.isTrue(isCallDue(today, five + 60_000, zone))
    assert.isFalse(isCallDue(today, now, zone))
    const dated = readingWith(wants, { proposedMeeting: at("2026-03-03", "12:00"), timeProblem: "too_soon" })
    assert.strictEqual(callTimeOf(dated, { ...setting, near: now + 3_600_000 }), now + 3_600_000)
  })

  it("is the owner's to decide otherwise", () => {
    const night = { ...setting, now: now + 12 * 3_600_000, soon: soon + 12 * 3_600_000 }
    assert.isUndefined(callTimeOf(readingWith(wants), night))
    assert.isUndefined(callTimeOf(readingWith([likely("wants_call")]), setting))
    assert.isUndefined(callTimeOf(readingWith(wants, { proposedMeeting: at("2026-03-04", null) }), setting))
    assert.isUndefined(callTimeOf(readingWith(wants, { proposedMeeting: at(null, "09:00") }), setting))
    const uncertain = readingWith(wants, { proposedMeeting: at("2026-03-03", "12:00"), timeProblem: "hour_open" })
    assert.isUndefined(callTimeOf(uncertain, { ...setting, near: now + 3_600_000 }))
    const contact = { name: null, email: null, phone: "+5511988887777" }
    assert.isUndefined(callTimeOf(readingWith(wants, { contact }), setting))
  })
})
