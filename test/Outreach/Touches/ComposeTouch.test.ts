import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { longestOpening, sandboxLinePrefix } from "../../../src/Services/ChatApp/ChatAppRules.ts"
import { UnitOfWork } from "../../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../../src/Services/Leads/Ids.ts"
import { Leads } from "../../../src/Services/Leads/Leads.ts"
import { Meetings } from "../../../src/Services/Meetings/Meetings.ts"
import { LeadSchedule } from "../../../src/Services/Outreach/LeadSchedule.ts"
import { receiveMail } from "../../Replies/support/replies.ts"
import { insertLine } from "../../support/channels/ChatAppServices.ts"
import { insertCampaign, insertLead } from "../../support/leads/LeadServices.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { reading as readingOf } from "../../Writing/TestBrief.ts"
import { claimTouches, composeAll, TestEngine } from "../support/touches.ts"

const makeLeads = (accountId: number, count: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly id: number }>`
      insert into lead (account_id, name, email, company, status, pipeline_state, next_touch_at, time_zone)
      select ${accountId}, 'Lead ' || n, 'lead' || n || '@client.example', 'Company ' || n, 'Cold', 'in_pipeline',
        instant() - interval '1 hour', 'UTC'
      from generate_series(1, ${count}) n returning lead_id as id`
  )

layer(TestEngine, { excludeTestServices: true })("the touch loop", (it) => {
  it.effect("claims each due lead once, however many claim at a time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      yield* makeLeads(accountId, 60)
      yield* Effect.all(
        Array.from({ length: 6 }, () => claimTouches),
        { concurrency: "unbounded" }
      )
      yield* claimTouches
      const rows = yield* sql<{ readonly touches: number; readonly leads: number }>`
        select count(*) as touches, count(distinct lead_id) as leads from touch where account_id = ${accountId}`
      assert.deepStrictEqual(rows, [{ touches: 60, leads: 60 }])
    })
  )

  it.effect("writes and queues a first mail, and sets the next touch", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      const [lead] = yield* makeLeads(accountId, 1)
      yield* claimTouches
      yield* composeAll
      yield* composeAll
      const mails = yield* sql<{ readonly subject: string; readonly body: string; readonly type: string }>`
        select subject, body_text as body, message_type as type from email_message where account_id = ${accountId}`
      const state = yield* sql`
        select touch_count, next_touch_at::date::text as next from lead
        where account_id = ${accountId} and lead_id = ${lead?.id}`
      assert.lengthOf(mails, 1)
      assert.isNotEmpty(mails[0]?.subject)
      assert.include(mails[0]?.body, "Company 1")
      assert.strictEqual(mails[0]?.type, "first_contact")
      assert.deepStrictEqual(state, [{ touch_count: 1, next: "2026-03-05" }])
    })
  )

  it.effect("the time that the owner sets while a message is written stays", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const schedule = yield* LeadSchedule
      const me = yield* makeAccount()
      const leads = yield* Leads
      const [one, returned, other] = yield* makeLeads(me.accountId, 3)
      assert.isDefined(one)
      assert.isDefined(returned)
      assert.isDefined(other)
      yield* claimTouches
      const givenBack = LeadId.make(returned?.id ?? 0)
      yield* as(me)(unit.write(leads.transition(givenBack, "flag_for_review", { reason: "Who is this?" })))
      yield* as(me)(
        unit.write(
          leads.transition(givenBack, "return_to_pipeline", { nextTouchAt: Timestamp.make("2031-02-20T13:00:00Z") })
        )
      )
      yield* unit.write(
        as(me)(
          schedule.reschedule({
            leadIds: [LeadId.make(one?.id ?? 0)],
            importedFrom: undefined,
            nextTouchAt: Timestamp.make("2031-01-15T13:00:00Z"),
            preferredChannel: undefined
          })
        )
      )
      yield* composeAll
      const state = yield* sql<{ readonly next: string; readonly count: number }>`
        select touch_count as count, next_touch_at::date::text as next from lead
        where account_id = ${me.accountId} order by lead_id`
      assert.deepStrictEqual(state, [
        { count: 1, next: "2031-01-15" },
        { count: 1, next: "2031-02-20" },
        { count: 1, next: "2026-03-05" }
      ])
    })
  )

  it.effect("a lead that was stopped after the claim gets nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const [lead] = yield* makeLeads(caller.accountId, 1)
      yield* claimTouches
      const unit = yield* UnitOfWork
      const leads = yield* Leads
      yield* unit.write(as(caller)(leads.transition(LeadId.make(lead?.id ?? 0), "stop")))
      yield* composeAll
      const mails = yield* sql`select from email_message where account_id = ${caller.accountId}`
      const touches = yield* sql`select status from touch where account_id = ${caller.accountId}`
      assert.lengthOf(mails, 0)
      assert.deepStrictEqual(touches, [{ status: "skipped" }])
    })
  )

  it.effect("leads of a paused campaign, a paused account and paused leads are passed over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const inactive = yield* makeAccount()
      const active = yield* makeAccount()
      yield* makeLeads(inactive.accountId, 2)
      yield* makeLeads(active.accountId, 3)
      yield* sql`update account set is_prospecting_active = false where account_id = ${inactive.accountId}`
      yield* sql`
        with paused as (
          insert into campaign (account_id, name, is_active) values (${active.accountId}, 'Paused', false)
          returning campaign_id
        )
        update lead set campaign_id = (select campaign_id from paused)
        where account_id = ${active.accountId} and name = 'Lead 1'`
      yield* sql`update lead set paused_at = instant() where account_id = ${active.accountId} and name = 'Lead 2'`
      yield* claimTouches
      const touched = yield* sql`
        select l.name from touch t join lead l using (account_id, lead_id)
        where account_id in (${inactive.accountId}, ${active.accountId})`
      assert.deepStrictEqual(touched, [{ name: "Lead 3" }])
    })
  )

  it.effect("an answer to a question says what the owner lets every lead know, and what holds no longer does not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const other = yield* makeAccount()
      const caller = yield* makeAccount()
      const me = as(caller)
      const known = (accountId: number, question: string, answer: string, more: object = {}) =>
        sql`insert into lead_answer ${sql.insert({
          account_id: accountId,
          question_text: question,
          answer_text: answer,
          is_reusable: true,
          ...more
        })}`
      yield* known(caller.accountId, "Qual é o prazo de entrega?", "A entrega leva 15 dias.")
      yield* known(caller.accountId, "Qual é a garantia?", "A garantia é de 10 anos.", { is_reusable: false })
      yield* known(caller.accountId, "Qual é a garantia?", "A garantia é de 5 anos.", {
        valid_until: "2026-01-01T00:00:00Z"
      })
      yield* known(other.accountId, "Qual é a garantia?", "A garantia é da outra empresa.")
      for (const [question, expected] of [
        ["Qual o prazo de entrega?", true],
        ["Qual a garantia?", false]
      ] as const) {
        const lead = yield* me(insertLead({ time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z" }))
        const classification = readingOf("question", { question })
        yield* me(receiveMail(lead, question, { classification: JSON.stringify(classification) }))
        yield* claimTouches
        yield* composeAll
        const [mail] = yield* sql<{ readonly body: string }>`
          select body_text as body from email_message where lead_id = ${lead} and direction = 'outbound'`
        assert.strictEqual(mail?.body.includes("15 dias"), expected, question)
        assert.notInclude(mail?.body, "garantia é")
        // What is promised to the lead stands before the owner, whenever the message came about.
        const tasks = yield* sql`
          select q.question_text from open_question_lead w
            join open_question q on q.account_id = w.account_id and q.open_question_id = w.open_question_id
          where w.account_id = ${caller.accountId} and w.lead_id = ${lead} and q.status = 'open'`
        assert.deepStrictEqual(tasks, expected ? [] : [{ question_text: question }])
        const told = yield* sql`
          select from notification where account_id = ${caller.accountId} and kind = 'lead_question'
            and data ->> 'lead_id' = ${`${lead}`} and message like ${`%${question}%`}`
        assert.lengthOf(told, expected ? 0 : 1)
      }
    })
  )

  it.effect("writes in the name of the campaign, else of the account; without either nobody is contacted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaign = yield* me(
        insertCampaign("Clínicas", { business_name: "Solaris", email_display_name: "Marta da Solaris" })
      )
      const first = (columns: { readonly [column: string]: string | number } = {}) =>
        Effect.gen(function* () {
          const lead = yield* me(insertLead({ time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z", ...columns }))
          yield* claimTouches
          yield* composeAll
          const [mail] = yield* sql<{ readonly body: string }>`
            select body_text as body from email_message where lead_id = ${lead}`
          return mail?.body
        })
      yield* sql`update account set mail_display_name = null where account_id = ${caller.accountId}`
      assert.isUndefined(yield* first())
      assert.isUndefined(
        yield* first({ campaign_id: yield* me(insertCampaign("Nobody's", { business_name: "Helios" })) })
      )
      yield* sql`update business_profile set business_name = null where account_id = ${caller.accountId}`
      assert.include(yield* first({ campaign_id: campaign }), "Marta da Solaris")
      yield* sql`update account set mail_display_name = 'Equipe Helios' where account_id = ${caller.accountId}`
      assert.isUndefined(yield* first())
      // Who waited is contacted as soon as there is somebody to write.
      yield* sql`update business_profile set business_name = 'Helios Solar' where account_id = ${caller.accountId}`
      assert.include(yield* first(), "Equipe Helios")
      const waited = yield* sql<{ readonly body: string }>`
        select body_text as body from email_message where account_id = ${caller.accountId} and body_text like '%Helios Solar%'`
      assert.lengthOf(waited, 3)
      const ofCampaign = yield* first({ campaign_id: campaign })
      assert.include(ofCampaign, "Marta da Solaris")
      assert.notInclude(ofCampaign, "Equipe Helios")
    })
  )

  it.effect("a line of another provider than the one that is set up opens no conversation", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const [line, expected] of [
        ["700099", "email"],
        [`${sandboxLinePrefix}99`, "chatapp"]
      ] as const) {
        const me = as(yield* makeAccount())
        yield* me(insertLine(line))
        const lead = yield* me(
          insertLead({
            phone: "+5511987650099",
            preferred_channel: "ChatApp",
            time_zone: "UTC",
            next_touch_at: "2026-01-01T00:00:00Z"
          })
        )
        yield* claimTouches
        yield* composeAll
        assert.deepStrictEqual(yield* sql`select channel from touch where lead_id = ${lead}`, [{ channel: expected }])
      }
    })
  )

  it.effect("an opening on the messaging app says no more than its template takes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* me(insertLine(`${sandboxLinePrefix}${caller.accountId}`))
      const wordy = (start: string) => `${start} ${"uma condição especial para clínicas da região ".repeat(6)}`
      const lead = yield* me(
        insertLead({
          phone: "+5511987650098",
          preferred_channel: "ChatApp",
          time_zone: "UTC",
          next_touch_at: "2026-01-01T00:00:00Z",
          next_touch_instructions: ["Mencione que temos", "Informe que oferecemos", "Diga que nós fazemos"]
            .map((start) => `${wordy(start)}.`)
            .join("\n")
        })
      )
      yield* claimTouches
      yield* composeAll
      const [message] = yield* sql<{ readonly body: string }>`
        select body from chatapp_message where lead_id = ${lead}`
      assert.isAtMost(message?.body.length ?? 0, longestOpening)
      assert.include(message?.body, "condição especial")
    })
  )

  it.effect("openings beyond a cap are not begun: e-mail takes their place, or the next day", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* me(insertLine(`${sandboxLinePrefix}${caller.accountId}`))
      const due = { preferred_channel: "ChatApp", time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z" }
      const both = yield* me(insertLead({ ...due, phone: "+5511987650091" }))
      const chatOnly = yield* me(insertLead({ ...due, phone: "+5511987650092", email: null }))
      yield* sql`insert into chatapp_budget (account_id, daily_cap_brl) values (${caller.accountId}, 0.01)`
      yield* claimTouches
      yield* composeAll
      const touches = yield* sql`
        select lead_id, channel, status, reason from touch where account_id = ${caller.accountId} order by lead_id`
      assert.deepStrictEqual(touches, [
        { lead_id: both, channel: "email", status: "queued", reason: null },
        { lead_id: chatOnly, channel: null, status: "skipped", reason: "no_open_channel" }
      ])
      const [next] = yield* sql`select next_touch_at::date::text as day from lead where lead_id = ${chatOnly}`
      assert.deepStrictEqual(next, { day: "2026-03-03" })
    })
  )

  it.effect("a lead whose meeting was cancelled is told so, once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const meetings = yield* Meetings
      const unit = yield* UnitOfWork
      const lead = yield* me(insertLead({ time_zone: "America/Sao_Paulo", last_outbound_at: "2026-01-01T00:00:00Z" }))
      const booked = yield* me(
        unit.write(
          meetings.book({
            leadId: lead,
            startsAt: Timestamp.make("2099-03-03T18:00:00Z"),
            endsAt: Timestamp.make("2099-03-03T18:30:00Z"),
            title: "Reunião",
            bookedThrough: "conversation"
          })
        )
      )
      yield* me(
        unit.write(
          meetings.cancel(booked.meeting_id, {
            nextTouchAt: Timestamp.make("2026-01-01T00:00:00Z"),
            reason: "Doença",
            additionalInstructions: undefined
          })
        )
      )
      const mails = sql<{ readonly body: string }>`
        select body_text as body from email_message where lead_id = ${lead} order by email_message_id`
      yield* claimTouches
      yield* composeAll
      const [told] = yield* mails
      assert.include(told?.body, "3 de março")
      assert.match(told?.body ?? "", /15(?:h|:00)/)
      yield* sql`update email_message set status = 'sent', occurred_at = instant() where lead_id = ${lead}`
      yield* sql`update touch set status = 'done' where lead_id = ${lead}`
      yield* sql`update lead set next_touch_at = '2026-01-01T00:00:00Z' where lead_id = ${lead}`
      yield* claimTouches
      yield* composeAll
      assert.notInclude((yield* mails)[1]?.body ?? assert.fail("nothing was written"), "3 de março")
    })
  )
})
