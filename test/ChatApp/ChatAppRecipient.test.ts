import { assert, describe, it } from "@effect/vitest"
import { type ChatAppRecipient, chatAppRefusalOf } from "../../src/Services/ChatApp/ChatAppRecipient.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"

const reachable: ChatAppRecipient = {
  phone: "+5511912345678",
  pipelineState: "in_pipeline",
  isUnsubscribed: false,
  isBlacklisted: false,
  isLineLive: true,
  windowOpenUntil: null
}

const table: ReadonlyArray<readonly [what: Partial<ChatAppRecipient>, reason: string | undefined]> = [
  [{}, undefined],
  [{ isLineLive: false, phone: null }, "chatapp_line_not_live"],
  [{ phone: null }, "lead_has_no_phone"],
  [{ isUnsubscribed: true, isBlacklisted: true }, "lead_unsubscribed"],
  [{ isBlacklisted: true }, "lead_blacklisted"],
  [{ pipelineState: "finished" }, "lead_finished"],
  // In the pipeline it waits for the next touch. A lead that was taken over has none.
  [{ pipelineState: "user_controlled" }, "service_window_closed"],
  [{ pipelineState: "user_controlled", windowOpenUntil: fromMillis(0) }, undefined],
  [{ pipelineState: "pending_review" }, undefined]
]

describe("a message on the messaging app", () => {
  for (const [what, reason] of table) {
    it(`to a lead of ${JSON.stringify(what)} is ${reason ?? "taken"}`, () => {
      assert.strictEqual(chatAppRefusalOf(LeadId.make(7), { ...reachable, ...what })?.reason, reason)
    })
  }
})
