import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import {
  deliverable,
  instructionsAfter,
  type ParkedMessage,
  readParkedMessages,
  withParkedMessage
} from "../../src/Services/ChatApp/ChatAppParking.ts"

const park = (messages: ReadonlyArray<ParkedMessage>, instructions: string | null = null) =>
  messages.reduce<string | null>((before, message) => withParkedMessage(before, message), instructions) ?? ""

describe("messages that wait for a lead's next touch", () => {
  it("are readable, next to the existing instructions", () => {
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

  it("are read back word for word, whatever they contain", () => {
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

  it("are not found if there are none", () => {
    assert.deepStrictEqual(readParkedMessages('Say "hello" and call back.'), {
      messages: [],
      instructions: 'Say "hello" and call back.'
    })
  })
})

const parkedMessage = (text: string, attachmentUrl?: string): ParkedMessage => ({ text, attachmentUrl })

describe("the part that can be sent", () => {
  const two = [parkedMessage("Um"), parkedMessage("Dois", "https://files.example/a.pdf")]
  const closed = { isWindowOpen: false, mayOpen: true }

  it("is everything within the service window", () => {
    assert.deepStrictEqual(deliverable(two, { isWindowOpen: true, mayOpen: false }), two)
  })

  it("is only the oldest as an opening, if it fits completely and has no file", () => {
    assert.deepStrictEqual(deliverable(two, closed), [parkedMessage("Um")])
    assert.deepStrictEqual(deliverable([...two].reverse(), closed), [])
    assert.deepStrictEqual(deliverable([parkedMessage("x".repeat(901)), parkedMessage("Um")], closed), [])
    assert.deepStrictEqual(deliverable(two, { isWindowOpen: false, mayOpen: false }), [])
  })
})

describe("the instructions that remain after a touch", () => {
  const both = park([parkedMessage("Um"), parkedMessage("Dois")], "Be brief.")
  const after = (touch: Partial<Parameters<typeof instructionsAfter>[0]>) =>
    instructionsAfter({ now: both, seen: both, delivered: [], areFollowed: true, ...touch })

  it("are those that were not delivered or followed", () => {
    assert.strictEqual(
      after({ delivered: [parkedMessage("Um")], areFollowed: false }),
      park([parkedMessage("Dois")], "Be brief.")
    )
    assert.strictEqual(
      after({ delivered: [parkedMessage("Um"), parkedMessage("Dois")], areFollowed: false }),
      "Be brief."
    )
    assert.strictEqual(after({}), park([parkedMessage("Um"), parkedMessage("Dois")]))
    assert.isNull(after({ now: "Be brief.", seen: "Be brief." }))
    assert.isNull(after({ now: null, seen: null }))
  })

  it("include those that were added in between", () => {
    assert.strictEqual(after({ now: "Ask for the CFO." }), "Ask for the CFO.")
    assert.strictEqual(
      after({
        now: park([parkedMessage("Três")], both),
        delivered: [parkedMessage("Um"), parkedMessage("Dois")],
        areFollowed: false
      }),
      park([parkedMessage("Três")], "Be brief.")
    )
    // One of two equal messages was delivered.
    assert.strictEqual(
      after({
        now: park([parkedMessage("Um"), parkedMessage("Um")]),
        delivered: [parkedMessage("Um")],
        areFollowed: false
      }),
      park([parkedMessage("Um")])
    )
  })
})
