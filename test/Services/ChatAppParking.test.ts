import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type ParkedMessage, readParkedMessages, withParkedMessage } from "../../src/Services/ChatAppParking.ts"

const park = (messages: ReadonlyArray<ParkedMessage>, instructions: string | null = null) =>
  messages.reduce<string | null>((before, message) => withParkedMessage(before, message), instructions) ?? ""

describe("messages that wait for a lead's next touch", () => {
  it("are readable, beside the instructions that were there", () => {
    const text = park(
      [{ text: "Olá!\n\nSegue a proposta.", attachmentUrl: "https://files.example/a.pdf" }],
      "Be brief."
    )
    assert.strictEqual(
      text,
      'Be brief.\n\nSend this on the messaging app, word for word:\n"""\nOlá!\n\nSegue a proposta.\n"""\nAttach: https://files.example/a.pdf'
    )
    assert.deepStrictEqual(readParkedMessages(text), {
      messages: [{ text: "Olá!\n\nSegue a proposta.", attachmentUrl: "https://files.example/a.pdf" }],
      instructions: "Be brief."
    })
  })

  it("are read back word for word, whatever stands in them", () => {
    const piece = fc.constantFrom(
      '"',
      '"""',
      "\n",
      "\n\n",
      "Attach: https://x.example",
      "a",
      "Send this on the messaging app, word for word:"
    )
    const text = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 20 })), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join(""))
    const message = fc.record({
      text,
      attachmentUrl: fc.option(fc.constant("https://files.example/a.pdf"), { nil: undefined })
    })
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), (messages) => {
        assert.deepStrictEqual(readParkedMessages(park(messages)), { messages, instructions: "" })
      }),
      { seed: 6, numRuns: 500 }
    )
  })

  it("are not found where there are none", () => {
    assert.deepStrictEqual(readParkedMessages('Say "hello" and call back.'), {
      messages: [],
      instructions: 'Say "hello" and call back.'
    })
  })
})
