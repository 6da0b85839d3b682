import { assert, describe, it } from "@effect/vitest"
import { fromMillis } from "../../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../../src/Services/Leads/Ids.ts"
import { MeetingId } from "../../../src/Services/Meetings/Ids.ts"
import type { WritePlan } from "../../../src/Services/Outreach/TouchComposer.ts"
import { afterOutage, carriedContent, settledSubjects, sourcesOf } from "../../../src/Services/Outreach/WrittenTouch.ts"

const relay: Pick<WritePlan, "isParkedMessage" | "kind"> = {
  isParkedMessage: false,
  kind: { _tag: "answer_relay", question: "Price?", answer: "R$ 900" }
}
const first: Pick<WritePlan, "isParkedMessage" | "kind"> = { isParkedMessage: false, kind: { _tag: "first_contact" } }
const cancelled: Pick<WritePlan, "isParkedMessage" | "kind"> = {
  isParkedMessage: false,
  kind: { _tag: "meeting_cancelled", meeting: { startsAt: fromMillis(0) } }
}

const answer = { answer_id: 4, question: "Price?", answer: "R$ 900" }
const meeting = { meeting_id: MeetingId.make(9), starts_at: fromMillis(0), reason: null }
const waiting = { unanswered: ["email:1", "chatapp:2"], unanswered_besides: ["chatapp:2"], cancelled_meeting: meeting }

describe("a message that is written", () => {
  it("tells of all that waits, an owner's answer only of what it answers, and of a meeting where it is about that", () => {
    assert.deepStrictEqual(settledSubjects(waiting, first), ["email:1", "chatapp:2"])
    assert.deepStrictEqual(settledSubjects(waiting, relay), ["email:1"])
    assert.deepStrictEqual(settledSubjects(waiting, cancelled), ["email:1", "chatapp:2", "meeting:9"])
  })

  it("hands on what the owner gave it, unless its words are the owner's or a notice's", () => {
    const facts = { answer, next_touch_instructions: "Mention the fair", notice: null, owner_context: null }
    const instructions = "Mention the fair"
    assert.deepStrictEqual(carriedContent(facts, relay), { answer_id: 4, context: null, instructions })
    assert.deepStrictEqual(carriedContent(facts, first), { answer_id: null, context: null, instructions })
    assert.isNull(carriedContent({ ...facts, next_touch_instructions: null }, first))
    assert.isNull(carriedContent(facts, { ...relay, isParkedMessage: true }))
    const times = { starts_at: fromMillis(0), ends_at: fromMillis(1_800_000), is_in_calendar: false }
    const notice = { kind: "meeting_booked", ...times, join_url: null, is_moved: false } as const
    assert.isNull(carriedContent({ ...facts, notice }, relay))
  })

  it("rests on the owner's answer where it relays one", () => {
    const known = [{ kind: "faq", answer_id: 2 }] as const
    assert.deepStrictEqual(sourcesOf({ answer }, relay, known), [{ kind: "faq", answer_id: 4 }, ...known])
    assert.deepStrictEqual(sourcesOf({ answer }, first, known), known)
  })

  it("waits five to fifteen minutes where no model can be had, each lead its own time", () => {
    const waits = Array.from({ length: 500 }, (_, lead) => afterOutage(LeadId.make(lead + 1), 0) / 60_000)
    assert.isTrue(waits.every((minutes) => minutes >= 5 && minutes < 15))
    assert.isAbove(new Set(waits).size, 400)
  })
})
