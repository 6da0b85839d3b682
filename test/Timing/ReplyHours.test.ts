import { assert, describe, it } from "@effect/vitest"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { hoursKnownOf, hoursOf, longestResponse, type TimedReply } from "../../src/Services/Timing/ReplyHours.ts"
import { enough } from "../../src/Services/Timing/Timing.ts"

/** A Tuesday at noon in UTC. */
const noon = Date.parse("2026-03-03T12:00:00Z") / 1000
const reply = (lead: number, changes: Partial<TimedReply> = {}): TimedReply => ({
  leadId: LeadId.make(lead),
  at: noon,
  after: null,
  timeZone: "UTC",
  state: null,
  phone: null,
  country: null,
  cnae: null,
  industry: null,
  ...changes
})

describe("the hours of replies", () => {
  it("are of the lead's own zone, else of the account's", () => {
    const [inOwnZone] = hoursOf([reply(1, { timeZone: "Asia/Tokyo" })], "UTC")
    const [account] = hoursOf([reply(1, { timeZone: null })], "America/Sao_Paulo")
    assert.deepInclude(inOwnZone, { weekday: 2, hour: 21, replies: 1, responses: 0 })
    assert.deepInclude(account, { weekday: 2, hour: 9 })
  })

  it("count of several replies to one message the first as the response, and none that comes too late", () => {
    const replies = [
      reply(1, { after: noon - 600 }),
      reply(1, { at: noon + 60, after: noon - 600 }),
      reply(2, { after: noon - longestResponse - 1 }),
      reply(3, { after: noon - 30 })
    ]
    assert.deepStrictEqual(hoursOf(replies, "UTC"), [
      { weekday: 2, hour: 12, replies: 4, responses: 2, responseSeconds: 630 }
    ])
  })
})

describe("the level that timing rests on", () => {
  const many = (level: "lead" | "sector" | "account", changes: Partial<TimedReply> = {}) =>
    Array.from({ length: Math.max(enough[level].replies, enough[level].leads) }, (_, index) =>
      reply(level === "lead" ? 1 : index + 1, changes)
    )
  const lead = { cnae: "8630504", industry: null }
  const sourceOf = (leadReplies: ReadonlyArray<TimedReply>, replies: ReadonlyArray<TimedReply>) =>
    hoursKnownOf(lead, leadReplies, { timeZone: "UTC", replies })?.source

  it("is the lead's own, else its sector's, else the account's, as soon as each has enough", () => {
    const sector = many("sector", { cnae: "8630504" })
    const account = many("account", { cnae: "4711302" })
    assert.strictEqual(sourceOf(many("lead"), [...sector, ...account]), "lead")
    assert.strictEqual(sourceOf(many("lead").slice(1), [...sector, ...account]), "sector")
    assert.strictEqual(sourceOf([], account), "account")
    assert.isUndefined(sourceOf([], account.slice(1)))
  })

  it("needs several leads: one that replies often says nothing about the others", () => {
    assert.isUndefined(
      sourceOf(
        [],
        Array.from({ length: 500 }, () => reply(9, { cnae: "8630504" }))
      )
    )
  })
})
