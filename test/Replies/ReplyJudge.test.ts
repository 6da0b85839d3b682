import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { LanguageModelFailed } from "../../src/Services/Models/LanguageModel.ts"
import { makeReplyJudge } from "../../src/Services/Replies/Readers/ReplyJudge.ts"
import { fakeModel, fakeUsage } from "../Models/FakeLanguageModel.ts"

const asked = {
  reviewCriteria: "Deals above R$ 100.000. Mentions a competitor",
  qualificationInstructions: "Only companies with at least 10 employees",
  profile: "Ana Lima\nClínica Sorriso",
  reply: "Somos só eu e minha sócia.",
  language: "en" as const
}
const nothing = { met_criterion: null, criterion_reason: null, qualification: "unknown", qualification_reason: null }

const judge = (answer: unknown, more: Partial<typeof asked> = {}) =>
  Effect.gen(function* () {
    const model = fakeModel([answer])
    const judged = yield* Effect.flatMap(makeReplyJudge, (run) => run({ ...asked, ...more })).pipe(
      Effect.provide(model.layer)
    )
    return { judged, calls: model.asked }
  })

describe("the owner's criteria", () => {
  it.effect("are judged by the model, whose reason is kept", () =>
    Effect.gen(function* () {
      const { calls, judged } = yield* judge({
        ...nothing,
        met_criterion: "mentions a competitor",
        criterion_reason: "It names Acme.",
        qualification: "no",
        qualification_reason: "They are two people."
      })
      assert.deepStrictEqual(judged, {
        met: { criterion: "mentions a competitor", reason: "It names Acme.", decidedBy: "model" },
        disqualified: { reason: "They are two people.", decidedBy: "model" },
        usage: fakeUsage
      })
      assert.deepStrictEqual(
        calls.map(({ purpose }) => purpose),
        ["judge_reply"]
      )
      assert.match(calls[0]?.prompt.user ?? "", /<<<DATA [0-9a-f]{32} lead_reply>>>\n\| Somos só eu/)
    })
  )

  it.effect("are the owner's: one that the model makes up counts for nothing", () =>
    Effect.gen(function* () {
      const { judged } = yield* judge({ ...nothing, met_criterion: "wants a refund", criterion_reason: "x" })
      assert.isUndefined(judged.met)
    })
  )

  it.effect("are judged by rules where the model fails, and what rules find holds beside it", () =>
    Effect.gen(function* () {
      const reply = "Temos 3 funcionários e um projeto de R$ 150.000"
      const failure = new LanguageModelFailed({ reason: "unavailable", detail: "server_error" })
      const failed = yield* judge(failure, { reply })
      assert.strictEqual(failed.judged.met?.criterion, "Deals above R$ 100.000")
      assert.deepInclude(failed.judged.disqualified, { decidedBy: "rules" })
      const beside = yield* judge(nothing, { reply })
      assert.deepInclude(beside.judged.met, { criterion: "Deals above R$ 100.000", decidedBy: "rules" })
    })
  )

  it.effect("that nobody wrote down cost nothing", () =>
    Effect.gen(function* () {
      const { calls, judged } = yield* judge(nothing, { reviewCriteria: " ", qualificationInstructions: "" })
      assert.lengthOf(calls, 0)
      assert.deepStrictEqual(judged, { met: undefined, disqualified: undefined, usage: undefined })
    })
  )
})
