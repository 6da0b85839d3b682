import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { handle, notificationsNow, receiveMail } from "../Replies/support/replies.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { claimTouches, composeAll, TestEngine } from "./support/touches.ts"

layer(TestEngine, { excludeTestServices: true })("times that are offered without a calendar", (it) => {
  it.effect("are in the week for which the lead asks, and the owner is advised once to connect a calendar", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      for (let turn = 1; turn <= 2; turn++) {
        const lead = yield* me(
          insertLead({ time_zone: "America/Sao_Paulo", next_touch_at: "2026-01-01T00:00:00Z", language: "en" })
        )
        // The engine writes on Monday, March 2.
        const reply = yield* me(
          receiveMail(lead, "Sounds good. Can we have a meeting next week?", { occurred_at: monday })
        )
        yield* me(handle(reply))
        yield* sql`update lead set next_touch_at = instant() where lead_id = ${lead}`
        yield* claimTouches
        yield* composeAll
        const [mail] = yield* sql<{ readonly body: string }>`
          select body_text as body from email_message where lead_id = ${lead} and direction = 'outbound'`
        const days = [...(mail?.body ?? "").matchAll(/(Monday|Tuesday|Wednesday|Thursday|Friday), March (\d+)/g)]
        assert.lengthOf(days, 3, mail?.body)
        for (const [, , day] of days) {
          assert.isAtLeast(Number(day), 9)
          assert.isAtMost(Number(day), 13)
        }
      }
      const kinds = (yield* me(notificationsNow)).map((notice) => ("kind" in notice ? notice.kind : ""))
      assert.lengthOf(
        kinds.filter((kind) => kind === "calendar_missing"),
        1
      )
    })
  )
})

const monday = "2026-03-02T11:00:00Z"
