import { assert, describe, it } from "@effect/vitest"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { readByReader } from "../../src/Services/Replies/ReadReply.ts"
import type { ReplyClass, ReplyReading } from "../../src/Services/Replies/ReplyReading.ts"
import { furtherReplies } from "./support/FurtherReplies.ts"
import { labelledReplies, noUnsubscribeWishes } from "./support/ReplyCorpus.ts"
import { furtherNoUnsubscribeWishes } from "./support/UnsubscribeReplies.ts"

const read = (text: string): ReplyReading =>
  readByReader({
    text,
    receivedAt: Timestamp.make("2025-03-10T13:00:00Z"),
    timeZone: "America/Sao_Paulo",
    country: "BR",
    leadLanguage: "pt-BR",
    ownContacts: []
  })

const textsOf = (replyClass: ReplyClass): ReadonlyArray<string> => [
  ...labelledReplies.filter((reply) => reply.class === replyClass).map(({ text }) => text),
  ...(furtherReplies[replyClass] ?? [])
]

const shareOf = (texts: ReadonlyArray<string>, holds: (reading: ReplyReading) => boolean): number =>
  texts.filter((text) => holds(read(text))).length / texts.length

/** Replies that were written before the reader was, none of which it learnt from. Floors are below what was measured. */
const floors: ReadonlyArray<readonly [ReplyClass, accepted: ReadonlyArray<ReplyClass>, floor: number]> = [
  ["interested", ["interested", "meeting_request", "question"], 0.85],
  ["not_interested", ["not_interested", "objection", "later"], 0.75],
  ["question", ["question", "objection"], 0.85],
  ["wrong_person", ["wrong_person"], 0.9],
  ["referral", ["referral", "gatekeeper"], 0.85],
  ["meeting_request", ["meeting_request"], 0.9],
  ["out_of_office", ["out_of_office", "later"], 0.8]
]

describe("of whole replies that the reader did not learn from", () => {
  it.each(floors)("%s is read as such", (replyClass, accepted, floor) => {
    const texts = textsOf(replyClass)
    assert.isAtLeast(texts.length, 20)
    assert.isAtLeast(
      shareOf(texts, (reading) => accepted.includes(reading.class)),
      floor
    )
  })

  it("opt-outs stop, and what is not certain to be one is at least no interest", () => {
    const texts = textsOf("unsubscribe")
    assert.isAtLeast(
      shareOf(texts, (reading) => reading.class === "unsubscribe"),
      0.7
    )
    const isNoInterest = (reading: ReplyReading): boolean => !["interested", "meeting_request"].includes(reading.class)
    assert.isAtLeast(shareOf(texts, isNoInterest), 0.97)
  })

  it("those that look like opt-outs and are none rarely stop", () => {
    const texts = [...noUnsubscribeWishes, ...furtherNoUnsubscribeWishes]
    assert.isAtMost(
      shareOf(texts, (reading) => reading.class === "unsubscribe"),
      0.15
    )
  })
})
