import { assert, it } from "@effect/vitest"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { type WelcomeMessage, welcomeOf } from "../../src/Services/Members/MemberWelcomes.ts"

const [queued_at, sent_at] = [fromMillis(0), fromMillis(1000)]
const message: WelcomeMessage = { failure: null, status: null, message_failure: null, sent_at, queued_at }

it("a welcome is what its message became", () => {
  for (const [changes, status, failure_reason] of [
    [{ status: "queued" }, "queued", null],
    [{ status: "sending" }, "queued", null],
    [{ status: "sent" }, "sent", null],
    [{ status: "read" }, "sent", null],
    [{ status: "unknown" }, "failed", "outcome_unknown"],
    [{ status: "failed", message_failure: "hard_bounce" }, "failed", "hard_bounce"],
    [{ failure: "chatapp_line_not_live" }, "failed", "chatapp_line_not_live"],
    [{}, "failed", "not_sent"]
  ] as const) {
    const expected = { status, failure_reason, queued_at, sent_at: status === "sent" ? sent_at : null }
    assert.deepStrictEqual(welcomeOf({ ...message, ...changes }), expected)
  }
})
