import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import {
  decide,
  longestOpening,
  MessageStates,
  nextState,
  openingText,
  type ProviderState,
  phoneSpellings,
  type SendFacts
} from "../../src/Services/ChatApp/ChatAppRules.ts"

const ready: SendFacts = {
  kind: "text",
  messageType: "first_contact",
  isVerbatim: false,
  body: "Olá!",
  block: undefined,
  isLineLive: true,
  isLeadFinished: false,
  isWindowOpen: false,
  hasRepliedSince: false,
  allowsOpenings: true,
  leader: undefined
}

describe("how a message is sent", () => {
  const cases: ReadonlyArray<readonly [string, Partial<SendFacts>, object]> = [
    ["an opening outside of the window", {}, { _tag: "Send", as: "opening" }],
    ["a late answer as an opening", { messageType: "response" }, { _tag: "Send", as: "opening" }],
    ["text within the window", { isWindowOpen: true }, { _tag: "Send", as: "text" }],
    ["text within the window though openings are off", { isWindowOpen: true, allowsOpenings: false }, { as: "text" }],
    ["a file within the window", { isWindowOpen: true, kind: "media" }, { _tag: "Send", as: "media" }],
    ["no file outside of it", { kind: "media" }, { status: "failed", reason: "service_window_closed" }],
    [
      "no opening of the owner's",
      { messageType: "user_written" },
      { status: "failed", reason: "service_window_closed" }
    ],
    [
      "no opening where they are off",
      { allowsOpenings: false },
      { status: "cancelled", reason: "template_messages_off" }
    ],
    ["nothing that is blocked", { block: "blacklisted", isWindowOpen: true }, { reason: "blacklisted" }],
    ["nothing without a line", { isLineLive: false, isWindowOpen: true }, { reason: "chatapp_line_not_live" }],
    ["no follow-up after an answer", { messageType: "follow_up", hasRepliedSince: true }, { reason: "lead_replied" }],
    [
      "an answer after another one",
      { messageType: "response", hasRepliedSince: true, isWindowOpen: true },
      { as: "text" }
    ],
    [
      "the owner's words for a touch after an answer too",
      { messageType: "follow_up", isVerbatim: true, hasRepliedSince: true, isWindowOpen: true },
      { _tag: "Send", as: "text" }
    ],
    [
      "no opening that would cut the owner's words",
      { isVerbatim: true, body: "x".repeat(longestOpening + 1) },
      { status: "cancelled", reason: "service_window_closed" }
    ],
    [
      "an opening that says all of the owner's words",
      { isVerbatim: true, body: `x\n\n${"y".repeat(longestOpening - 2)}` },
      { _tag: "Send", as: "opening" }
    ],
    ["nothing before the text that it follows", { leader: "queued", isWindowOpen: true }, { _tag: "Wait" }],
    ["nothing while nobody knows of that text", { leader: "unknown", isWindowOpen: true }, { _tag: "Wait" }],
    ["nothing after a text that failed", { leader: "failed", isWindowOpen: true }, { reason: "text_not_sent" }],
    ["a file after its text", { leader: "read", kind: "media", isWindowOpen: true }, { as: "media" }],
    [
      "nothing of the owner's to a lead that was stopped",
      { messageType: "user_written", isLeadFinished: true, isWindowOpen: true },
      { status: "cancelled", reason: "lead_finished" }
    ]
  ]
  for (const [name, facts, decision] of cases) {
    it(`sends ${name}`, () => {
      assert.deepInclude(decide({ ...ready, ...facts }), decision)
    })
  }
})

describe("the state of a message", () => {
  const reports = fc.array(fc.constantFrom<ProviderState>("sent", "delivered", "read", "failed"), { maxLength: 8 })
  const order = ["sent", "failed", "delivered", "read"]

  it("never goes back, and does not depend on the order of reports", () => {
    fc.assert(
      fc.property(reports, (states) => {
        const end = states.reduce(nextState, "sending")
        assert.strictEqual([...states].reverse().reduce(nextState, "sending"), end)
        const furthest = states.reduce((best, state) => Math.max(best, order.indexOf(state)), -1)
        assert.strictEqual(end, order[furthest] ?? "sending")
      }),
      { seed: 4 }
    )
  })

  it("is not changed by repeated reports", () => {
    for (const state of MessageStates) {
      for (const word of ["sent", "delivered", "read", "failed"] as const) {
        const once = nextState(state, word)
        assert.strictEqual(nextState(once, word), once)
      }
    }
  })

  it("of an inbound or cancelled message never changes", () => {
    for (const word of ["sent", "delivered", "read", "failed"] as const) {
      assert.strictEqual(nextState("received", word), "received")
      assert.strictEqual(nextState("cancelled", word), "cancelled")
    }
  })
})

describe("the text of an opening", () => {
  it("has no line breaks, tabs or runs of blanks, and fits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 3000 }), (text) => {
        const opening = openingText(text)
        assert.notMatch(opening, /[\n\t\r]| {2}/)
        assert.isAtMost(opening.length, longestOpening)
        assert.isTrue(opening.isWellFormed())
      }),
      { seed: 5 }
    )
  })

  it("ends at a sentence if it is cut", () => {
    const opening = openingText(`${"Uma frase inteira. ".repeat(60)}`)
    assert.isTrue(opening.endsWith("inteira."))
  })
})

describe("the spellings of a phone number", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["5511987654321", ["+5511987654321", "+551187654321"]],
    ["551187654321", ["+551187654321", "+5511987654321"]],
    ["551133334444", ["+551133334444"]],
    ["5215512345678", ["+5215512345678", "+525512345678"]],
    ["525512345678", ["+525512345678", "+5215512345678"]],
    ["16505551234", ["+16505551234"]]
  ]
  for (const [waId, spellings] of cases) {
    it(`of ${waId}`, () => {
      assert.deepStrictEqual(phoneSpellings(waId), spellings)
    })
  }
})
