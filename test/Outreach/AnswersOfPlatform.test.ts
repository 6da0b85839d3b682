import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { handle, notificationsNow, type Reply, receiveMail } from "../Replies/support/replies.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { claimTouches, composeAll, TestEngine } from "./support/touches.ts"

const worked = { time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z", language: "en" }

const mailsTo = (lead: LeadId) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly body: string }>`
      select body_text as body from email_message where lead_id = ${lead} and direction = 'outbound'
      order by email_message_id`
  ).pipe(Effect.map((rows) => rows.map(({ body }) => body)))

/** The lead's reply is read, and what is due then is written. */
const answered = (reply: Reply) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* handle(reply)
    yield* sql`update lead set next_touch_at = instant() where lead_id = ${reply.leadId} and next_touch_at is not null`
    yield* claimTouches
    yield* composeAll
  })

layer(TestEngine, { excludeTestServices: true })("what a lead asks of the platform itself", (it) => {
  it.effect("where its address comes from: the true source, and the owner is not asked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const referrer = yield* me(insertLead({ name: "Paulo Reis" }))
      for (const [columns, source] of [
        [{ referred_by_lead_id: referrer }, "Paulo Reis gave me your contact details."],
        [{ origin: "acquired" }, "public register of companies"],
        [{}, "added your contact details to its records"]
      ] as const) {
        const lead = yield* me(insertLead({ ...worked, ...columns }))
        if ("origin" in columns) {
          yield* sql`
            insert into acquired_company (account_id, source, company_key, lead_id)
            values (${caller.accountId}, 'cnpj', '12345678', ${lead})`
        }
        yield* me(answered(yield* me(receiveMail(lead, "Where did you get my address?"))))
        const [body] = yield* mailsTo(lead)
        assert.include(body, source)
        const questions = yield* sql`select from open_question_lead where lead_id = ${lead}`
        assert.lengthOf(questions, 0)
      }
    })
  )

  it.effect("an objection goes to the owner as what it is, and a second one to a person", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead(worked))
      yield* me(answered(yield* me(receiveMail(lead, "349 a month is too expensive for us."))))
      const [body] = yield* mailsTo(lead)
      assert.include(body, "I understand that the price matters.")
      const kinds = (yield* me(notificationsNow)).map((notice) => ("kind" in notice ? notice.kind : ""))
      assert.include(kinds, "lead_objected")
      assert.notInclude(kinds, "lead_question")
      yield* me(handle(yield* me(receiveMail(lead, "It is still too expensive."))))
      const [state] = yield* sql`select pipeline_state, review_reason from lead where lead_id = ${lead}`
      assert.deepStrictEqual(state, { pipeline_state: "pending_review", review_reason: "objection_again" })
    })
  )

  it.effect("to be called now: a call where calls are on, else the owner decides", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const phone = { ...worked, time_zone: "America/Sao_Paulo", country: "BR" }
      const silent = yield* me(insertLead({ ...phone, phone: "+5511987650001" }))
      yield* me(handle(yield* me(receiveMail(silent, "Please call me now."))))
      const [review] = yield* sql`select pipeline_state, review_reason from lead where lead_id = ${silent}`
      assert.deepStrictEqual(review, { pipeline_state: "pending_review", review_reason: "wants_call" })
      yield* sql`update prospecting_config set voice_calling_active = true where account_id = ${caller.accountId}`
      const called = yield* me(insertLead({ ...phone, phone: "+5511987650002" }))
      const reply = yield* me(receiveMail(called, "Please call me now."))
      yield* me(handle(reply))
      const [{ hour = 0 } = {}] = yield* sql<{ readonly hour: number }>`
        select extract(hour from instant() at time zone 'America/Sao_Paulo')::integer as hour`
      // At night no one is called. The engine of this file writes at noon of a Monday.
      if (hour < 8 || hour >= 20) return
      yield* sql`update lead set next_touch_at = instant() where lead_id = ${called}`
      yield* claimTouches
      yield* composeAll
      const calls = yield* sql<{ readonly goal: string }>`select goal from voice_call where lead_id = ${called}`
      assert.lengthOf(calls, 1)
      assert.include(calls[0]?.goal, "asked for this call")
    })
  )
})

layer(TestEngine, { excludeTestServices: true })("a lead that waits for a person", (it) => {
  it.effect("gets one line, and its message stays to be answered", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const leads = yield* Leads
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead(worked))
      yield* me(handle(yield* me(receiveMail(lead, "I want to talk to a human, please."))))
      const [task] = yield* sql<{ readonly seconds: number }>`
        select extract(epoch from run_at - now())::float8 as seconds from graphile_worker._private_jobs j
          join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'compose_answer' order by j.id desc limit 1`
      // As fast as an answer goes out.
      assert.isAbove(task?.seconds ?? 0, 2 * 60)
      assert.isBelow(task?.seconds ?? 0, 11 * 60)
      yield* composeAll
      assert.lengthOf(yield* mailsTo(lead), 1)
      const [line] = yield* mailsTo(lead)
      assert.include(line, "a person will answer you here")
      const [reviewed] = yield* sql`select pipeline_state, touch_count from lead where lead_id = ${lead}`
      assert.deepStrictEqual(reviewed, { pipeline_state: "pending_review", touch_count: 0 })
      // One line, however often the lead writes.
      yield* me(handle(yield* me(receiveMail(lead, "Is anybody there? I asked for a human."))))
      yield* composeAll
      assert.lengthOf(yield* mailsTo(lead), 1)
      // The owner returns it: what it wrote is answered.
      yield* me(unit.write(leads.transition(lead, "return_to_pipeline")))
      yield* sql`update touch set status = 'done' where lead_id = ${lead} and status = 'queued'`
      yield* sql`update lead set next_touch_at = instant() where lead_id = ${lead}`
      yield* claimTouches
      yield* composeAll
      const [touch] = yield* sql<{ readonly answers: number }>`
        select cardinality(answers) as answers from touch where lead_id = ${lead} order by touch_id desc limit 1`
      assert.strictEqual(touch?.answers, 2)
    })
  )

  it.effect("gets nothing once the owner has decided", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const leads = yield* Leads
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead(worked))
      yield* me(handle(yield* me(receiveMail(lead, "I want to talk to a human, please."))))
      yield* me(unit.write(leads.transition(lead, "take_over")))
      yield* composeAll
      assert.lengthOf(yield* mailsTo(lead), 0)
      const touches = yield* sql`select status, reason from touch where lead_id = ${lead}`
      assert.deepStrictEqual(touches, [{ status: "skipped", reason: "review_decided" }])
    })
  )
})
