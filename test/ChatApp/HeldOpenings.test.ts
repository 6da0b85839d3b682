import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ChatAppLines } from "../../src/Services/ChatApp/ChatAppLines.ts"
import { ChatAppOutbox } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { wallClock } from "../../src/Services/Core/LocalTime.ts"
import { at } from "../Reports/at.ts"
import { ChatAppWithFake, insertLine, messageRow, queueMessage } from "../support/channels/ChatAppServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const acre = "America/Rio_Branco"

const deliver = (id: number, time?: string) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const outbox = yield* ChatAppOutbox
    const delivery = outbox.deliver({ accountId, chatAppMessageId: id }, { isLast: false })
    return yield* time === undefined ? delivery : at(Date.parse(time))(delivery)
  })

const setCap = (cap: number | null) =>
  Effect.flatMap(ChatAppLines, (lines) => Effect.flatMap(UnitOfWork, (unit) => unit.write(lines.setCap("daily", cap))))

/** An opening to a lead in Acre, two hours behind the account, that the cap delays. */
const heldOpening = Effect.gen(function* () {
  const me = as(yield* makeAccount())
  yield* me(insertLine())
  yield* me(setCap(0.2))
  const leadId = yield* me(insertLead({ phone: "+5568999990000", country: "BR", state: "AC" }))
  const id = yield* me(queueMessage(leadId))
  yield* me(deliver(id))
  return { id, me }
})

layer(ChatAppWithFake, { excludeTestServices: true })("an opening that a cap holds", (it) => {
  it.effect("waits for the lead's window on a workday, not for the account's", () =>
    Effect.gen(function* () {
      const { id, me } = yield* heldOpening
      const row = yield* me(messageRow(id))
      assert.strictEqual(row.status, "queued")
      const { hour, weekday } = wallClock(Date.parse(row.deferred_until ?? ""), acre)
      assert.include([1, 2, 3, 4, 5], weekday)
      assert.strictEqual(hour, 8)
    })
  )

  it.effect("waits for the lead's window even if the cap was raised in the account's working hours", () =>
    Effect.gen(function* () {
      const { id, me } = yield* heldOpening
      yield* me(setCap(null))
      const closed = {
        // Eight in São Paulo, six in Acre.
        "2026-03-03T11:00:00Z": "2026-03-03T13:00:00Z",
        "2026-03-07T15:00:00Z": "2026-03-09T13:00:00Z",
        "2026-12-25T15:00:00Z": "2026-12-28T13:00:00Z"
      }
      for (const [time, until] of Object.entries(closed)) {
        yield* me(deliver(id, time))
        assert.deepInclude(yield* me(messageRow(id)), { status: "queued", deferred_until: until, cost_brl: 0 })
      }
      yield* me(deliver(id, "2026-03-03T13:00:00Z"))
      assert.deepInclude(yield* me(messageRow(id)), { status: "sent", deferred_until: null, cost_brl: 0.35 })
    })
  )

  it.effect("is checked when the cap is raised", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id, me } = yield* heldOpening
      yield* me(setCap(null))
      const due = yield* sql`
        select from graphile_worker._private_jobs
        where (payload ->> 'chatAppMessageId')::bigint = ${id} and run_at <= now()`
      assert.lengthOf(due, 1)
    })
  )
})
