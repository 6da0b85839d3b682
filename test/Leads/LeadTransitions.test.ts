import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { type LeadOperation, leadOperations } from "../../src/Services/Leads/LeadPipeline.ts"
import { Leads, type OperationDetails } from "../../src/Services/Leads/Leads.ts"
import { historyOf, insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const march = Timestamp.make("2026-03-01T09:00:00Z")

const transition = (leadId: LeadId, operation: LeadOperation, details?: OperationDetails) =>
  Effect.flatMap(UnitOfWork, (unit) =>
    unit.write(Effect.flatMap(Leads, (leads) => leads.transition(leadId, operation, details)))
  )
const eventsOf = (leadId: LeadId) =>
  Effect.map(historyOf(leadId), (history) => history.map(({ event_type }) => event_type))

layer(LeadServices, { excludeTestServices: true })("a lead's transitions", (it) => {
  it.effect("say that something changed exactly if a read shows it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const leads = yield* Leads
      const details: ReadonlyArray<OperationDetails> = [
        {},
        { nextTouchAt: march, nextTouchInstructions: "Offer a call" },
        { nextTouchAt: march }
      ]
      const shown = (lead: LeadId) =>
        Effect.map(Effect.all([leads.get(lead), historyOf(lead)]), ([profile, history]) =>
          JSON.stringify([
            history,
            profile.status,
            profile.pipeline_state,
            profile.is_paused,
            profile.paused_at,
            profile.pause_reason,
            profile.final_outcome,
            profile.next_touch_at,
            profile.next_touch_instructions,
            profile.blocks
          ])
        )
      let changes = 0
      for (const pipeline_state of ["not_started", "in_pipeline", "pending_review", "user_controlled", "finished"]) {
        for (const operation of leadOperations) {
          for (const detail of details) {
            const review = pipeline_state === "pending_review" ? { review_requested_at: march } : {}
            const lead = yield* me(insertLead({ pipeline_state, next_touch_at: march, ...review }))
            const before = yield* me(shown(lead))
            const view = yield* Effect.option(me(transition(lead, operation, detail)))
            const isChanged = Option.isSome(view) && view.value.changed
            assert.strictEqual(isChanged, before !== (yield* me(shown(lead))), `${pipeline_state} ${operation}`)
            if (isChanged) changes++
          }
        }
      }
      assert.isAbove(changes, 20)
    })
  )

  it.effect("write the state and one entry of the history", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead({ next_touch_at: march }))
      const view = yield* me(transition(lead, "take_over", { reason: "mine", data: { by: "phone" } }))
      assert.deepInclude(view, {
        lead_id: lead,
        changed: true,
        pipeline_state: "user_controlled",
        next_touch_at: null,
        blocks: ["user_controlled"]
      })
      assert.deepStrictEqual(yield* me(historyOf(lead)), [
        {
          event_type: "taken_over",
          actor: "owner",
          from_state: "in_pipeline",
          to_state: "user_controlled",
          reason: "mine",
          data: { by: "phone" }
        }
      ])
    })
  )

  it.effect("are without effect where they are repeated", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead())
      const stopped = yield* me(transition(lead, "stop", { reason: "first" }))
      const again = yield* me(transition(lead, "stop", { reason: "second" }))
      assert.deepStrictEqual(again, { ...stopped, changed: false })
      assert.deepStrictEqual(yield* me(eventsOf(lead)), ["stopped"])
    })
  )

  it.effect("that are refused say why, and leave everything as it was", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead({ pipeline_state: "finished" }))
      const error = yield* Effect.flip(me(transition(lead, "take_over")))
      assert.deepInclude(error, { _tag: "Refused", reason: "lead_finished", fields: { lead_id: lead } })
      assert.deepStrictEqual(yield* me(eventsOf(lead)), [])
    })
  )

  it.effect("pause keeps status, schedule and instructions; resume lifts it and names the other blocks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaign = yield* me(insertCampaign("Paused", { is_active: false }))
      yield* sql`update account set is_prospecting_active = false where account_id = ${caller.accountId}`
      const lead = yield* me(
        insertLead({
          campaign_id: campaign,
          status: "Interested",
          next_touch_at: march,
          next_touch_instructions: "ask about budget"
        })
      )
      const paused = yield* me(transition(lead, "pause", { reason: "on holiday" }))
      const unchanged = {
        status: "Interested" as const,
        pipeline_state: "in_pipeline" as const,
        next_touch_at: march,
        next_touch_instructions: "ask about budget"
      }
      assert.deepInclude(paused, { ...unchanged, changed: true, is_paused: true, pause_reason: "on holiday" })
      assert.isNotNull(paused.paused_at)
      const again = yield* me(transition(lead, "pause", { reason: "another" }))
      assert.deepStrictEqual(again, { ...paused, changed: false })

      const resumed = yield* me(transition(lead, "resume"))
      assert.deepInclude(resumed, {
        ...unchanged,
        changed: true,
        is_paused: false,
        paused_at: null,
        pause_reason: null
      })
      assert.deepStrictEqual(resumed.blocks, ["campaign_paused", "account_prospecting_off"])
      assert.deepStrictEqual(yield* me(eventsOf(lead)), ["paused", "resumed"])
    })
  )

  it.effect("keep a pause when the lead is taken over", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead())
      yield* me(transition(lead, "pause", { reason: "wait" }))
      const takenOver = yield* me(transition(lead, "take_over"))
      assert.deepInclude(takenOver, { is_paused: true, pause_reason: "wait", pipeline_state: "user_controlled" })
      const resumed = yield* me(transition(lead, "resume"))
      assert.deepInclude(resumed, { pipeline_state: "user_controlled", blocks: ["user_controlled"] })
    })
  )

  it.effect("return a reviewed lead to the pipeline, at the date asked for or at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead())
      yield* me(transition(lead, "flag_for_review", { actor: "platform", reason: "asks for a discount" }))
      const flagged = yield* sql`
        select review_requested_at is not null as is_flagged, review_reason from lead where lead_id = ${lead}`
      assert.deepStrictEqual(flagged, [{ is_flagged: true, review_reason: "asks for a discount" }])

      const nextTouchAt = Timestamp.make("2027-05-06T07:08:09Z")
      const details = { nextTouchAt, nextTouchInstructions: "grant ten per cent" }
      const returned = yield* me(transition(lead, "return_to_pipeline", details))
      assert.deepInclude(returned, {
        changed: true,
        pipeline_state: "in_pipeline",
        next_touch_at: nextTouchAt,
        next_touch_instructions: "grant ten per cent"
      })
      const reviewed = yield* sql`select review_requested_at, review_reason from lead where lead_id = ${lead}`
      assert.deepStrictEqual(reviewed, [{ review_requested_at: null, review_reason: null }])

      const other = yield* me(insertLead({ pipeline_state: "pending_review" }))
      assert.isNotNull((yield* me(transition(other, "return_to_pipeline"))).next_touch_at)
    })
  )

  it.effect("returning a lead that is in the pipeline takes the new date and instructions, and nothing else", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead({ next_touch_at: march, next_touch_instructions: "old" }))
      const unchanged = yield* me(transition(lead, "return_to_pipeline"))
      assert.deepInclude(unchanged, { changed: false, next_touch_at: march })
      const returned = yield* me(transition(lead, "return_to_pipeline", { nextTouchInstructions: "new" }))
      assert.deepInclude(returned, {
        changed: true,
        next_touch_at: march,
        next_touch_instructions: "new"
      })
      assert.deepStrictEqual(yield* me(eventsOf(lead)), [])
    })
  )

  it.effect("record outcomes, unsubscriptions and recoveries", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead())
      assert.deepInclude(yield* me(transition(lead, "register_gave_up")), {
        pipeline_state: "finished",
        final_outcome: "gave_up"
      })
      const recovered = yield* me(transition(lead, "recover"))
      assert.deepInclude(recovered, { pipeline_state: "in_pipeline", final_outcome: null })
      const left = yield* me(transition(lead, "unsubscribe", { actor: "lead" }))
      assert.deepStrictEqual(left.blocks, ["unsubscribed", "finished"])
      const rows = yield* sql`select unsubscribed_at is not null as is_out from lead where lead_id = ${lead}`
      assert.deepStrictEqual(rows, [{ is_out: true }])
      const error = yield* Effect.flip(me(transition(lead, "recover")))
      assert.deepInclude(error, { _tag: "Refused", reason: "lead_unsubscribed" })
      assert.deepStrictEqual(yield* me(eventsOf(lead)), ["outcome_gave_up", "recovered", "unsubscribed"])
    })
  )

  it.effect("know of a meeting that is scheduled", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(insertLead({ pipeline_state: "user_controlled" }))
      const none = yield* Effect.flip(me(transition(lead, "cancel_meeting")))
      assert.deepInclude(none, { _tag: "Refused", reason: "no_scheduled_meeting" })
      yield* sql`
        insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through)
        values (${caller.accountId}, ${lead}, 'Demo', now(), now() + interval '1 hour', 'conversation')`
      const cancelled = yield* me(transition(lead, "cancel_meeting"))
      assert.deepInclude(cancelled, { changed: true, pipeline_state: "in_pipeline" })
    })
  )

  it.effect("keep back what the owner wrote once the lead is finished", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(insertLead({ pipeline_state: "user_controlled" }))
      const message = (id: string, type: string, status: string) => sql`
        insert into email_message (account_id, lead_id, direction, message_type, status, message_id, from_address,
          to_address, subject, body_text)
        values (${caller.accountId}, ${lead}, 'outbound', ${type}, ${status}, ${id}, 'a@x.example', 'b@x.example', 's', 'b')`
      yield* message("<queued@x>", "user_written", "queued")
      yield* message("<sent@x>", "user_written", "sent")
      yield* message("<autonomous@x>", "follow_up", "queued")
      yield* sql`
        insert into chatapp_message (account_id, lead_id, direction, kind, message_type, status, phone, body)
        values (${caller.accountId}, ${lead}, 'outbound', 'text', 'user_written', 'queued', '+5511987654321', 'Hi')`
      yield* me(transition(lead, "stop"))
      const chats = yield* sql`select status, failure_reason from chatapp_message where lead_id = ${lead}`
      assert.deepStrictEqual(chats, [{ status: "cancelled", failure_reason: "lead_finished" }])
      const rows = yield* sql`
        select message_id, status, failure_reason from email_message where lead_id = ${lead} order by email_message_id`
      assert.deepStrictEqual(rows, [
        { message_id: "<queued@x>", status: "cancelled", failure_reason: "lead_finished" },
        { message_id: "<sent@x>", status: "sent", failure_reason: null },
        { message_id: "<autonomous@x>", status: "queued", failure_reason: null }
      ])
    })
  )

  it.effect("come one after another where they are asked for at once", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead())
      const views = yield* Effect.all(
        Array.from({ length: 10 }, () => me(transition(lead, "take_over"))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(views.filter(({ changed }) => changed).length, 1)
      assert.deepStrictEqual(yield* me(eventsOf(lead)), ["taken_over"])
    })
  )

  it.effect("find no lead of another account", () =>
    Effect.gen(function* () {
      const lead = yield* as(yield* makeAccount())(insertLead())
      const stranger = as(yield* makeAccount())
      const foreign = yield* Effect.flip(stranger(transition(lead, "stop")))
      const unused = yield* Effect.flip(stranger(transition(LeadId.make(987_654_321), "stop")))
      assert.deepInclude(foreign, { _tag: "NotFound", reason: "lead_not_found" })
      assert.strictEqual(foreign.error.replaceAll(`${lead}`, "987654321"), unused.error)
    })
  )
})
