import { assert, describe, it } from "@effect/vitest"
import { hasEnded, mayBecome, outcomeUnknown } from "../../src/Services/Voice/VoiceCallState.ts"
import { VoiceCallStatus } from "../../src/Services/Voice/VoiceCalls.ts"

const state = (status: VoiceCallStatus, failureReason: string | null = null) => ({ status, failureReason })

describe("the state of a call", () => {
  it("moves on and never back", () => {
    const allowed = VoiceCallStatus.literals.flatMap((from) =>
      VoiceCallStatus.literals.filter((to) => mayBecome(state(from), state(to))).map((to) => `${from} ${to}`)
    )
    const ends = ["completed", "no_answer", "busy", "failed", "cancelled"]
    assert.deepStrictEqual(allowed, [
      ...["dialing", "in_progress", ...ends].map((to) => `queued ${to}`),
      ...["in_progress", ...ends].map((to) => `dialing ${to}`),
      ...ends.map((to) => `in_progress ${to}`)
    ])
    assert.deepStrictEqual(VoiceCallStatus.literals.filter(hasEnded), ends)
  })

  it("of an end that nobody could tell gives way to one that somebody can", () => {
    const unknown = state("failed", outcomeUnknown)
    assert.isTrue(mayBecome(unknown, state("completed")))
    assert.isTrue(mayBecome(unknown, state("failed", "provider_failed")))
    assert.isFalse(mayBecome(unknown, unknown))
    assert.isFalse(mayBecome(unknown, state("in_progress")))
    assert.isFalse(mayBecome(state("failed", "provider_failed"), state("completed")))
  })
})
