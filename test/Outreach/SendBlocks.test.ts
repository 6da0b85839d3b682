import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { PipelineState } from "../../src/Services/Leads/Ids.ts"
import { type SendFacts, sendBlockOf } from "../../src/Services/Outreach/SendBlocks.ts"
import type { SendBlock } from "../../src/Services/Outreach/SendGuard.ts"

const free: SendFacts = {
  pipeline_state: "in_pipeline",
  is_paused: false,
  is_unsubscribed: false,
  has_contact: true,
  is_suppressed: false,
  is_blacklisted: false,
  is_campaign_paused: false,
  is_prospecting_active: true,
  is_notice: false,
  is_holding_line: false,
  is_knowledge_changed: false,
  notice_block: null
}

type Row = readonly [what: Partial<SendFacts>, autonomous: SendBlock | undefined, owners: SendBlock | undefined]

const table: ReadonlyArray<Row> = [
  [{}, undefined, undefined],
  [{ is_unsubscribed: true }, "unsubscribed", "unsubscribed"],
  [{ is_suppressed: true }, "suppressed", "suppressed"],
  [{ is_blacklisted: true }, "blacklisted", "blacklisted"],
  [{ has_contact: false }, "no_contact", "no_contact"],
  [{ is_prospecting_active: false }, "account_prospecting_off", undefined],
  [{ is_campaign_paused: true }, "campaign_paused", undefined],
  [{ pipeline_state: "user_controlled" }, "user_controlled", undefined],
  [{ pipeline_state: "finished", is_paused: true }, "finished", undefined],
  [{ is_paused: true }, "paused", undefined],
  [{ is_knowledge_changed: true }, "knowledge_changed", undefined],
  // Word that a person will answer goes to a lead that waits for that, and to no other.
  [{ is_holding_line: true, pipeline_state: "pending_review", is_prospecting_active: false }, undefined, undefined],
  [{ is_holding_line: true }, "review_decided", undefined],
  [{ is_holding_line: true, pipeline_state: "user_controlled" }, "review_decided", undefined],
  [{ is_holding_line: true, pipeline_state: "pending_review", is_unsubscribed: true }, "unsubscribed", "unsubscribed"],
  // A notice of a meeting goes to a lead that was handed over, whatever prospects.
  [{ is_notice: true, pipeline_state: "user_controlled", is_prospecting_active: false }, undefined, undefined],
  [{ is_notice: true, is_campaign_paused: true }, undefined, undefined],
  [{ is_notice: true, notice_block: "meeting_moved" }, "meeting_moved", undefined],
  [{ is_notice: true, pipeline_state: "finished" }, "finished", undefined],
  [{ is_notice: true, is_paused: true }, "paused", undefined],
  [{ is_notice: true, is_unsubscribed: true, notice_block: "meeting_over" }, "unsubscribed", "unsubscribed"]
]

const anyFacts: fc.Arbitrary<SendFacts> = fc.record({
  pipeline_state: fc.constantFrom<PipelineState>(
    "in_pipeline",
    "user_controlled",
    "pending_review",
    "not_started",
    "finished"
  ),
  is_paused: fc.boolean(),
  is_unsubscribed: fc.boolean(),
  has_contact: fc.boolean(),
  is_suppressed: fc.boolean(),
  is_blacklisted: fc.boolean(),
  is_campaign_paused: fc.boolean(),
  is_prospecting_active: fc.boolean(),
  is_notice: fc.boolean(),
  is_holding_line: fc.boolean(),
  is_knowledge_changed: fc.boolean(),
  notice_block: fc.constantFrom("meeting_cancelled", "meeting_over", "meeting_moved", "user_controlled", null)
})

describe("what keeps a message from leaving", () => {
  for (const [what, autonomous, owners] of table) {
    it(`of ${JSON.stringify(what)} is ${autonomous ?? "nothing"}; of what the owner wrote ${owners ?? "nothing"}`, () => {
      const facts = { ...free, ...what }
      assert.deepStrictEqual([sendBlockOf(facts, true), sendBlockOf(facts, false)], [autonomous, owners])
    })
  }

  it("of what the owner wrote keeps the platform's own as well, for the same reason", () =>
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const owners = sendBlockOf(facts, false)
        if (owners !== undefined) assert.strictEqual(sendBlockOf(facts, true), owners)
      })
    ))

  it("is always something for a person who does not want it or cannot be reached", () =>
    fc.assert(
      fc.property(anyFacts, fc.boolean(), (facts, isAutonomous) => {
        const mayNot = facts.is_unsubscribed || facts.is_suppressed || facts.is_blacklisted || !facts.has_contact
        if (mayNot) assert.isDefined(sendBlockOf(facts, isAutonomous))
      })
    ))
})
