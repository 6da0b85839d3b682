import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { sentencesOf } from "../../src/Services/Text/PlainText.ts"

describe("sentences", () => {
  it("end at marks and line breaks, not inside addresses and numbers", () => {
    assert.deepStrictEqual(sentencesOf("See www.x.example, 1.5 of it. Why?! ¿Que; x\nyes"), [
      { text: "See www.x.example, 1.5 of it.", isQuestion: false },
      { text: "Why?!", isQuestion: true },
      { text: "¿Que;", isQuestion: true },
      { text: "x", isQuestion: false },
      { text: "yes", isQuestion: false }
    ])
  })

  it("are cut where they have no end, so that a long text is read in one pass", () => {
    const sentences = sentencesOf("a".repeat(100_000))
    assert.lengthOf(sentences, 50)
    assert.isTrue(sentences.every(({ text }) => text.length === 2000))
  })

  it("have every letter of the text once", () => {
    const letters = (text: string) => text.replace(/[^a-z]/g, "")
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab .!?;\n"), maxLength: 100 }), (text) => {
        const said = sentencesOf(text).map((sentence) => sentence.text)
        assert.strictEqual(letters(said.join("")), letters(text))
      })
    )
  })
})
