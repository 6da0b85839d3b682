import { assert, describe, it } from "@effect/vitest"
import { accountNews } from "../../src/Services/Events/AccountNews.ts"
import { callCost, callNewsOf, endedWithout, touchEndOf } from "../../src/Services/Voice/CallEnds.ts"
import { outcomeUnknown } from "../../src/Services/Voice/VoiceCallState.ts"

const spoken = { ...endedWithout("completed", "ended"), failureReason: null, wasPickedUp: true, durationSeconds: 61 }

const call = { phone: "+5511980000000", goal: "Confirmar a reunião" }

describe("a call that has ended", () => {
  it("without a talk was not picked up, unless nobody knows", () => {
    assert.deepInclude(endedWithout("failed", "busy"), { wasPickedUp: false, goalAchieved: false })
    assert.deepInclude(endedWithout("failed", outcomeUnknown), { wasPickedUp: null, goalAchieved: null })
    assert.deepInclude(endedWithout("cancelled", outcomeUnknown), { wasPickedUp: false, goalAchieved: false })
  })

  it("ends its touch", () => {
    assert.strictEqual(touchEndOf(spoken), "done")
    assert.strictEqual(touchEndOf(endedWithout("cancelled", "unsubscribed")), "skipped")
    assert.strictEqual(touchEndOf(endedWithout("failed", "busy")), "failed")
    assert.strictEqual(touchEndOf(endedWithout("failed", outcomeUnknown)), "unknown")
  })

  it("is told of as what it was", () => {
    assert.deepInclude(callNewsOf(spoken, call), { end: "completed", reason: null })
    assert.deepInclude(callNewsOf({ ...spoken, wasPickedUp: false }, call), { end: "machine" })
    assert.deepInclude(callNewsOf(endedWithout("failed", "busy"), call), { end: "failed", reason: "busy" })
  })

  it("says to whom, what for, and what was agreed, asked and promised, in the words that were said", () => {
    const transcript = [
      { role: "person" as const, text: "Alô?", at_seconds: 0 },
      { role: "agent" as const, text: "Podemos marcar quinta às 10h? Vou enviar o convite por e-mail.", at_seconds: 3 },
      { role: "person" as const, text: "Pode ser. Quanto custa o plano básico?", at_seconds: 9 },
      { role: "agent" as const, text: "Combinado, fica marcado para quinta às 10h.", at_seconds: 12 }
    ]
    const news = callNewsOf({ ...spoken, transcript, goalAchieved: true }, call)
    assert.deepInclude(news, {
      phone: call.phone,
      goal: call.goal,
      agreed: ["Combinado, fica marcado para quinta às 10h."],
      questions: ["Quanto custa o plano básico?"],
      promised: ["Vou enviar o convite por e-mail."]
    })
    const text = accountNews(news, "pt-BR")
    for (const part of [
      call.phone,
      call.goal,
      "Combinado: “Combinado",
      "Perguntado: “Quanto custa",
      "Prometido: “Vou"
    ]) {
      assert.include(text, part)
    }
  })

  it("costs each minute that began", () => {
    const costs = [0, 1, 60, 61, null].map((durationSeconds) => callCost({ ...spoken, durationSeconds }, 0.5))
    assert.deepStrictEqual(costs, [0, 0.5, 0.5, 1, null])
    assert.isNull(callCost(spoken, null))
  })
})
