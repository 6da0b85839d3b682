import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { LeadId, LeadStatus } from "../../src/Services/Leads/Ids.ts"
import { passedBy, progressStatuses, statusesThatPass } from "../../src/Services/Leads/LeadProgress.ts"
import { Meetings } from "../../src/Services/Meetings/Meetings.ts"
import { ChangesSince } from "../../src/Services/Reports/ReportModel.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { LeadsGroup } from "../../src/Tools/Groups/Leads.ts"
import { ReportsGroup } from "../../src/Tools/Reports/Reports.ts"
import { TestEngine } from "../Outreach/support/touches.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([LeadsGroup, ReportsGroup])

const setStatus = (lead_id: LeadId, status: LeadStatus) => answerOf(catalog, "update_lead", { lead_id, status })

const progressTold = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const rows = yield* sql<{ readonly type: string }>`
    select event_type as type from account_event where account_id = ${accountId}
      and event_type in ('lead_confirmed', 'lead_became_interested') order by account_event_id`
  return rows.map(({ type }) => type)
})

const funnel = answerOf(catalog, "what_changed_since", { since_date: "2026-01-01" }).pipe(
  Effect.flatMap(Schema.decodeUnknown(ChangesSince)),
  Effect.map(({ funnel_progress }) => funnel_progress)
)

const book = (leadId: LeadId, bookedThrough: "scheduler" | "calendar" | "voice" | "conversation") =>
  Effect.flatMap(Meetings, (meetings) =>
    meetings.book({
      leadId,
      startsAt: Timestamp.make("2031-03-05T15:00:00Z"),
      endsAt: Timestamp.make("2031-03-05T15:30:00Z"),
      title: "A call",
      bookedThrough,
      externalId: `${bookedThrough}:${leadId}`
    })
  )

describe("the order of statuses", () => {
  it("passes the earlier ones with each", () => {
    assert.deepStrictEqual(passedBy("Interested"), progressStatuses)
    assert.deepStrictEqual(passedBy("Aware"), ["Confirmed", "Aware"])
    assert.deepStrictEqual(passedBy("NotInterested"), [])
    assert.deepStrictEqual(statusesThatPass("Aware"), ["Aware", "Interested"])
  })
})

layer(TestEngine, { excludeTestServices: true })("progress of a lead", (it) => {
  it.effect("is told once, when it is passed upwards, and never by a downgrade", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const jumping = yield* me(insertLead())
      for (const status of ["Interested", "Confirmed", "Cold", "Interested"] as const) {
        yield* me(setStatus(jumping, status))
      }
      assert.deepStrictEqual(yield* me(progressTold), ["lead_confirmed", "lead_became_interested"])
      assert.deepStrictEqual(yield* me(funnel), { reached_confirmed: 1, became_interested: 1 })
      const slow = yield* me(insertLead())
      for (const status of ["NotInterested", "Aware", "Confirmed"] as const) yield* me(setStatus(slow, status))
      assert.deepStrictEqual((yield* me(progressTold)).slice(2), ["lead_confirmed"])
      assert.deepStrictEqual(yield* me(funnel), { reached_confirmed: 2, became_interested: 1 })
    })
  )

  it.effect("does not include the status with which the owner adds a lead", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(answerOf(catalog, "register_lead", { name: "Eva", email: "eva@example.com", status: "Confirmed" }))
      assert.deepStrictEqual(yield* me(progressTold), [])
      assert.deepStrictEqual(yield* me(funnel), { reached_confirmed: 0, became_interested: 0 })
    })
  )

  for (const way of ["scheduler", "calendar", "voice", "conversation"] as const) {
    it.effect(`includes a meeting that was booked through: ${way}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const unit = yield* UnitOfWork
        const caller = yield* makeAccount()
        const me = as(caller)
        const lead = yield* me(insertLead())
        yield* me(unit.write(book(lead, way)))
        const rows = yield* sql`select status from lead where account_id = ${caller.accountId} and lead_id = ${lead}`
        assert.deepStrictEqual(rows, [{ status: "Interested" }])
        assert.deepStrictEqual(yield* me(progressTold), ["lead_confirmed", "lead_became_interested"])
        assert.deepStrictEqual(yield* me(funnel), { reached_confirmed: 1, became_interested: 1 })
        const won = yield* me(insertLead({ status: "Closed" }))
        yield* me(unit.write(book(won, way)))
        const statuses = yield* sql`select status from lead where account_id = ${caller.accountId} and lead_id = ${won}`
        assert.deepStrictEqual(statuses, [{ status: "Closed" }])
      })
    )
  }
})
