import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { PipelineState } from "../../src/Services/Leads/Ids.ts"
import {
  blocksOf,
  type ContactFacts,
  eligibilityReasonsOf,
  type WaitingFacts,
  type WaitReason,
  waitingFor
} from "../../src/Services/Leads/LeadBlocks.ts"
import { type ChannelFacts, chooseChannel } from "../../src/Services/Outreach/ChannelChoice.ts"

interface State {
  readonly pipeline: PipelineState
  readonly isPaused: boolean
  readonly isUnsubscribed: boolean
}

const inPipeline: State = { pipeline: "in_pipeline", isPaused: false, isUnsubscribed: false }

const reachable: ContactFacts = {
  hasEmail: true,
  hasPhone: true,
  isEmailFailed: false,
  isEmailBlacklisted: false,
  isPhoneBlacklisted: false,
  isChatPossible: true,
  isVoiceOn: false,
  isCampaignPaused: false,
  isAccountProspecting: true,
  hasBusinessName: true,
  hasSenderName: true
}
const blocks = (state: Partial<State>, facts: Partial<ContactFacts>) =>
  blocksOf({ ...inPipeline, ...state }, { ...reachable, ...facts })

const now = Timestamp.make("2026-03-02T12:00:00Z")
const later = Timestamp.make("2026-03-05T12:00:00Z")

const due: WaitingFacts = {
  now,
  next_touch_at: now,
  is_date_of_owner: false,
  is_date_of_reply: false,
  is_touch_open: false,
  skip_reason: null,
  unanswered_kind: null,
  has_written: false,
  is_passive: false,
  held_until: null
}
const waiting = (facts: Partial<WaitingFacts>, state: Partial<State> = {}) =>
  waitingFor({ ...inPipeline, ...state }, [], { ...due, ...facts })

const factsOfAnyLead = fc.record<ContactFacts>({
  hasEmail: fc.boolean(),
  hasPhone: fc.boolean(),
  isEmailFailed: fc.boolean(),
  isEmailBlacklisted: fc.boolean(),
  isPhoneBlacklisted: fc.boolean(),
  isChatPossible: fc.boolean(),
  isVoiceOn: fc.boolean(),
  isCampaignPaused: fc.boolean(),
  isAccountProspecting: fc.boolean(),
  hasBusinessName: fc.boolean(),
  hasSenderName: fc.boolean()
})

const instants = fc.constantFrom(null, Timestamp.make("2026-03-01T12:00:00Z"), now, later)

const waitingOfAnyLead = fc.record<WaitingFacts>({
  now: fc.constant(now),
  next_touch_at: instants,
  is_date_of_owner: fc.boolean(),
  is_date_of_reply: fc.boolean(),
  is_touch_open: fc.boolean(),
  skip_reason: fc.constantFrom(null, "outside_send_window", "no_open_channel", "passive_mode", "cadence_ended"),
  unanswered_kind: fc.constantFrom(null, "later", "question"),
  has_written: fc.boolean(),
  is_passive: fc.boolean(),
  held_until: fc.constantFrom(null, later)
})

describe("blocksOf", () => {
  it("is empty for a reachable lead in the pipeline", () => {
    assert.deepStrictEqual(blocks({}, {}), [])
  })

  it("counts a lead as blacklisted only when no contact of it is open", () => {
    assert.deepStrictEqual(blocks({}, { isEmailBlacklisted: true }), [])
    assert.deepStrictEqual(blocks({}, { isEmailBlacklisted: true, isPhoneBlacklisted: true }), ["blacklisted"])
    assert.deepStrictEqual(blocks({}, { isEmailBlacklisted: true, hasPhone: false }), ["blacklisted"])
    assert.deepStrictEqual(blocks({}, { hasEmail: false, isPhoneBlacklisted: true }), ["blacklisted"])
  })

  it("says that mail bounces if the phone is not open either", () => {
    assert.deepStrictEqual(blocks({}, { isEmailFailed: true }), [])
    assert.deepStrictEqual(blocks({}, { isEmailFailed: true, hasPhone: false }), ["email_undeliverable"])
    assert.deepStrictEqual(blocks({}, { isEmailFailed: true, isPhoneBlacklisted: true }), ["email_undeliverable"])
    assert.deepStrictEqual(blocks({}, { isEmailFailed: true, isChatPossible: false }), ["email_undeliverable"])
    assert.deepStrictEqual(blocks({}, { hasEmail: false, isEmailFailed: true, hasPhone: false }), [
      "no_reachable_channel"
    ])
  })

  it("counts a phone as a channel only with a live line or calls", () => {
    const phoneOnly = { hasEmail: false, isChatPossible: false }
    assert.deepStrictEqual(blocks({}, phoneOnly), ["no_reachable_channel"])
    assert.deepStrictEqual(blocks({}, { ...phoneOnly, isVoiceOn: true }), [])
    assert.deepStrictEqual(blocks({}, { ...phoneOnly, isChatPossible: true }), [])
    assert.deepStrictEqual(blocks({}, { isEmailBlacklisted: true, isChatPossible: false }), ["no_reachable_channel"])
    assert.deepStrictEqual(blocks({}, { hasEmail: false, hasPhone: false }), ["no_reachable_channel"])
  })

  it("says that the account is not eligible, and why", () => {
    const nameless = { ...reachable, hasBusinessName: false, hasSenderName: false }
    assert.deepStrictEqual(blocks({}, nameless), ["account_not_eligible"])
    assert.deepStrictEqual(eligibilityReasonsOf(nameless), ["business_name_missing", "sender_name_missing"])
    assert.deepStrictEqual(eligibilityReasonsOf(reachable), [])
  })

  it("lists everything that holds, in one order", () => {
    assert.deepStrictEqual(
      blocks(
        { pipeline: "finished", isUnsubscribed: true },
        {
          hasEmail: false,
          hasPhone: false,
          isCampaignPaused: true,
          isAccountProspecting: false,
          hasSenderName: false
        }
      ),
      [
        "unsubscribed",
        "no_reachable_channel",
        "finished",
        "campaign_paused",
        "account_prospecting_off",
        "account_not_eligible"
      ]
    )
    assert.deepStrictEqual(blocks({ pipeline: "user_controlled" }, {}), ["user_controlled"])
    assert.deepStrictEqual(blocks({ pipeline: "pending_review" }, {}), ["pending_review"])
    assert.deepStrictEqual(blocks({ pipeline: "not_started" }, {}), [])
  })

  it("has a reason of the channels exactly if a touch finds no channel", () => {
    const channelBlocks = new Set(["blacklisted", "email_undeliverable", "no_reachable_channel"])
    fc.assert(
      fc.property(factsOfAnyLead, fc.constantFrom(1, 2, 3), (facts, touchNumber) => {
        const isPhoneOpen = facts.hasPhone && !facts.isPhoneBlacklisted
        const channels: ChannelFacts & { readonly touchNumber: number } = {
          canEmail: facts.hasEmail && !facts.isEmailBlacklisted && !facts.isEmailFailed,
          canChat: isPhoneOpen && facts.isChatPossible,
          isChatWindowOpen: false,
          mayOpenChat: true,
          canCall: isPhoneOpen && facts.isVoiceOn,
          preferred: null,
          lastInbound: undefined,
          isResponse: false,
          touchNumber
        }
        const channelReasons = blocksOf(inPipeline, facts).filter((block) => channelBlocks.has(block))
        assert.strictEqual(channelReasons.length, chooseChannel(channels) === undefined ? 1 : 0)
      })
    )
  })
})

describe("waitingFor", () => {
  it("names what holds the next message, and until when", () => {
    assert.deepStrictEqual(waiting({}), [])
    assert.deepStrictEqual(waiting({ next_touch_at: later }), [{ reason: "next_touch", until: later }])
    const at = (reason: WaitReason) => [{ reason, until: later }]
    const postponed = { next_touch_at: later }
    assert.deepStrictEqual(waiting({ ...postponed, is_date_of_owner: true }), at("date_of_owner"))
    assert.deepStrictEqual(waiting({ ...postponed, is_date_of_reply: true }), at("lead_is_absent"))
    assert.deepStrictEqual(waiting({ ...postponed, unanswered_kind: "later" }), at("lead_asked_for_later"))
    assert.deepStrictEqual(waiting({ ...postponed, skip_reason: "outside_send_window" }), at("send_window"))
    assert.deepStrictEqual(waiting({ ...postponed, skip_reason: "public_holiday" }), at("public_holiday"))
    assert.deepStrictEqual(waiting({ ...postponed, skip_reason: "no_open_channel" }), at("spending_cap"))
    assert.deepStrictEqual(waiting({ held_until: later, is_touch_open: true }), at("spending_cap"))
    assert.deepStrictEqual(waiting({ is_passive: true }), [{ reason: "passive_mode", until: null }])
    assert.deepStrictEqual(waiting({ next_touch_at: null }), [{ reason: "reply_of_lead", until: null }])
    assert.deepStrictEqual(waiting({ next_touch_at: null, is_touch_open: true }), [])
  })

  it("leaves it to the pause or the block to say why", () => {
    assert.deepStrictEqual(waiting({ next_touch_at: later }, { isPaused: true }), [])
    assert.deepStrictEqual(waiting({ next_touch_at: later }, { pipeline: "finished" }), [])
    assert.deepStrictEqual(waitingFor(inPipeline, ["campaign_paused"], { ...due, next_touch_at: later }), [])
  })

  it("or blocks say why, for each lead in the pipeline to which no message is due or being written", () => {
    fc.assert(
      fc.property(factsOfAnyLead, waitingOfAnyLead, (facts, waits) => {
        const blocked = blocksOf(inPipeline, facts)
        const isImminent =
          waits.is_touch_open ||
          (waits.next_touch_at !== null && waits.next_touch_at <= now && (!waits.is_passive || waits.has_written))
        if (!isImminent) assert.isAbove(blocked.length + waitingFor(inPipeline, blocked, waits).length, 0)
      })
    )
  })
})
