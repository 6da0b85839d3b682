import { assert, describe, it } from "@effect/vitest"
import { learningAdvice } from "../../src/Services/Learnings/LearningAdvice.ts"

describe("the advice of a learning", () => {
  it.each<[string, string | null, object]>([
    ["region:SP:higher", "set_targeting", { uf_filter: "SP" }],
    ["sector:Clínicas: odontologia:higher", "generate_cnae_suggestion", { icp_text: "Clínicas: odontologia" }],
    ["refusal_reason:price", "register_business_file", {}],
    ["refusal_reason:has_supplier", "register_business_file", {}]
  ])("of %s names the call that applies it", (key, tool, args) => {
    const advice = learningAdvice(key, "en")
    assert.strictEqual(advice?.tool, tool)
    assert.deepStrictEqual(advice?.arguments, args)
    assert.isFalse(advice?.is_applied)
  })

  it("says where the platform acts by itself, in the account's language", () => {
    const texts = (["pt-BR", "en", "es"] as const).map((language) => learningAdvice("reply_hour:10:higher", language))
    assert.isTrue(texts.every((advice) => advice?.is_applied === true && advice.tool === null))
    assert.strictEqual(new Set(texts.map((advice) => advice?.text)).size, 3)
    assert.isTrue(learningAdvice("opening:offer:lower", "es")?.is_applied)
  })

  it.each([
    "reply_hour",
    "region:SP:lower",
    "region:TEXAS:higher",
    "refusal_reason:timing",
    "message_type:response:higher"
  ])("is none where nothing follows: %s", (key) => {
    assert.isNull(learningAdvice(key, "pt-BR"))
  })
})
