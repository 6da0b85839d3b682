import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { afterAttempt, type TouchId, TouchLedger } from "../../src/Services/Outreach/TouchLedger.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { claimTouches, composeAll, TestEngine } from "./support/touches.ts"

const instructions = "Diga que temos estoque em Recife. Elogie o novo site da clínica."
const left = "Elogie o novo site da clínica."

const setUp = (columns: { readonly [column: string]: string | number | null }) =>
  Effect.gen(function* () {
    const me = as(yield* makeAccount())
    const leadId = yield* me(
      insertLead({
        time_zone: "UTC",
        next_touch_at: "2026-01-01T00:00:00Z",
        next_touch_instructions: instructions,
        ...columns
      })
    )
    return { me, leadId }
  })

/** The lead's next message, written and delivered. */
const touch = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const ledger = yield* TouchLedger
    const { accountId } = yield* Caller
    yield* sql`update lead set next_touch_at = '2026-01-01T00:00:00Z' where account_id = ${accountId} and lead_id = ${leadId}`
    yield* claimTouches
    yield* composeAll
    const rows = yield* sql<{
      readonly touch_id: TouchId
      readonly not_applied: ReadonlyArray<{ readonly text: string }>
    }>`
      select touch_id, not_applied from touch where account_id = ${accountId} and lead_id = ${leadId}
      order by touch_id desc limit 1`
    const touchId = rows[0]?.touch_id
    assert.isDefined(touchId)
    if (touchId !== undefined) {
      yield* ledger.sent([{ accountId, leadId, touchId, channel: "email", kind: "follow_up" }])
    }
    const mails = yield* sql<{ readonly body: string }>`
      select body_text as body from email_message where account_id = ${accountId} and lead_id = ${leadId}
      order by email_message_id desc limit 1`
    const leads = yield* sql<{ readonly instructions: string | null }>`
      select next_touch_instructions as instructions from lead where account_id = ${accountId} and lead_id = ${leadId}`
    return {
      body: mails[0]?.body ?? "",
      shownTexts: rows[0]?.not_applied.map(({ text }) => text),
      waits: leads[0]?.instructions ?? null
    }
  })

const reports = Effect.gen(function* () {
  const notifications = yield* Notifications
  const { notifications: pending } = yield* notifications.pending
  return pending.filter(({ kind }) => kind === "instructions_not_followed")
})

layer(TestEngine, { excludeTestServices: true })("an instruction that rules cannot carry out", (it) => {
  it.effect("is shown at the touch, waits for two more touches, and is then reported to the owner", () =>
    Effect.gen(function* () {
      const { leadId, me } = yield* setUp({ name: "Ana Souza" })
      const first = yield* me(touch(leadId))
      assert.include(first.body, "Temos estoque em Recife.")
      assert.deepStrictEqual([first.shownTexts, first.waits], [[left], left])
      assert.isEmpty(yield* me(reports))

      const second = yield* me(touch(leadId))
      assert.notInclude(second.body, "Temos estoque em Recife.")
      assert.deepStrictEqual([second.shownTexts, second.waits], [[left], left])
      assert.isEmpty(yield* me(reports))

      const third = yield* me(touch(leadId))
      assert.deepStrictEqual([third.shownTexts, third.waits], [[left], null])
      const [report, ...others] = yield* me(reports)
      assert.isEmpty(others)
      assert.include(report?.message, left)
      assert.include(report?.message, "Ana Souza")
      assert.deepInclude(report?.data, { lead_id: leadId, instructions: [left] })

      assert.deepInclude(yield* me(touch(leadId)), { shownTexts: [], waits: null })
    })
  )

  it.effect("is reported after the last touch of the cadence", () =>
    Effect.gen(function* () {
      const { leadId, me } = yield* setUp({ touch_count: 6, last_outbound_at: "2026-01-01T00:00:00Z" })
      assert.deepInclude(yield* me(touch(leadId)), { waits: null })
      assert.strictEqual((yield* me(reports)).length, 1)
    })
  )
})

describe("attempts", () => {
  const text = "Elogie o site."
  it("are counted per instruction, and begin again after the report", () => {
    assert.deepStrictEqual(afterAttempt([{ text }], [], false), {
      counted: [{ text, attempt: 1 }],
      waiting: [text],
      reported: []
    })
    assert.deepStrictEqual(afterAttempt([{ text }], [{ text, attempt: 2 }], false), {
      counted: [{ text, attempt: 3 }],
      waiting: [],
      reported: [text]
    })
    assert.deepStrictEqual(afterAttempt([{ text }], [{ text, attempt: 3 }], false).waiting, [text])
    assert.deepStrictEqual(afterAttempt([{ text }], [{ text: "Other", attempt: 2 }], false).waiting, [text])
    assert.deepStrictEqual(afterAttempt([{ text }], [], true).reported, [text])
  })
})
