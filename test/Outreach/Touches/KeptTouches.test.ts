import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Logger, LogLevel } from "effect"
import { unscheduledLeads, unscheduledLeadsReport } from "../../../src/Layers/Outreach/UnscheduledLeads.ts"
import { Campaigns } from "../../../src/Services/Campaigns/Campaigns.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../src/Services/Core/Calls/UnitOfWork.ts"
import type { LeadId } from "../../../src/Services/Leads/Ids.ts"
import { Leads } from "../../../src/Services/Leads/Leads.ts"
import { MailOutbox } from "../../../src/Services/Mail/MailOutbox.ts"
import { ProspectingConfig } from "../../../src/Services/Prospecting/ProspectingConfig.ts"
import { receiveCall, receiveMail } from "../../Replies/support/replies.ts"
import { insertLine } from "../../support/channels/ChatAppServices.ts"
import { insertCampaign, insertLead } from "../../support/leads/LeadServices.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { reading as readingOf } from "../../Writing/TestBrief.ts"
import { claimTouches, composeAll, composeAtOnce, TestEngine } from "../support/touches.ts"

const due = { time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z" }

const transition = (leadId: LeadId, operation: "pause" | "resume") =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const leads = yield* Leads
    yield* unit.write(leads.transition(leadId, operation))
  })

const setProspecting = (isActive: boolean) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const configs = yield* ProspectingConfig
    yield* unit.write(configs.setActive(isActive))
  })

const setCampaign = (isActive: boolean) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const campaigns = yield* Campaigns
    yield* unit.write(campaigns.setActive("Clínicas", isActive))
  })

const setMode = (mode: "Active" | "Passive") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`update prospecting_config set mode = ${mode} where account_id = ${accountId}`
  })

type Act = Effect.Effect<void, unknown, SqlClient | UnitOfWork | Caller | Leads | Campaigns | ProspectingConfig>

/** As if the time that the account's leads wait for had passed. */
const letTimePass = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  yield* sql`
    update lead /* of a test */ set next_touch_at = ${due.next_touch_at}
    where account_id = ${accountId} and next_touch_at is not null`
})

const goRound = Effect.zipRight(claimTouches, composeAll)

const mailsOf = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return yield* sql<{ readonly id: number; readonly status: string; readonly type: string; readonly body: string }>`
      select email_message_id as id, status, message_type as type, body_text as body from email_message
      where lead_id = ${leadId} and direction = 'outbound' order by email_message_id`
  })

const deliverAll = (leadId: LeadId) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const outbox = yield* MailOutbox
    for (const { id, status } of yield* mailsOf(leadId)) {
      if (status === "queued") yield* outbox.deliver({ accountId, emailMessageId: id }, { isLast: false })
    }
  })

const stateOf = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [lead] = yield* sql<{
      readonly count: number
      readonly context: string | null
      readonly instructions: string | null
      readonly isScheduled: boolean
    }>`
      select touch_count as count, owner_context as context, next_touch_instructions as instructions,
        next_touch_at is not null as "isScheduled"
      from lead where lead_id = ${leadId}`
    return lead ?? assert.fail("there is no such lead")
  })

layer(TestEngine, { excludeTestServices: true })("a touch that is kept back", (it) => {
  const blocks: ReadonlyArray<readonly [name: string, stop: (leadId: LeadId) => Act, goOn: (leadId: LeadId) => Act]> = [
    ["prospecting that is off", () => setProspecting(false), () => setProspecting(true)],
    ["a pause", (lead) => transition(lead, "pause"), (lead) => transition(lead, "resume")],
    ["a paused campaign", () => setCampaign(false), () => setCampaign(true)],
    ["passive mode", () => setMode("Passive"), () => setMode("Active")]
  ]

  it.effect("by what comes after the claim is written once that is lifted", () =>
    Effect.gen(function* () {
      for (const [name, stop, goOn] of blocks) {
        const me = as(yield* makeAccount())
        yield* me(
          Effect.gen(function* () {
            const campaign = yield* insertCampaign("Clínicas")
            const lead = yield* insertLead({ ...due, campaign_id: campaign })
            yield* claimTouches
            yield* stop(lead)
            yield* composeAll
            assert.lengthOf(yield* mailsOf(lead), 0, name)
            assert.isTrue((yield* stateOf(lead)).isScheduled, name)
            yield* goRound
            assert.lengthOf(yield* mailsOf(lead), 0, name)
            yield* goOn(lead)
            yield* letTimePass
            yield* goRound
            assert.lengthOf(yield* mailsOf(lead), 1, name)
          })
        )
      }
      assert.deepStrictEqual(yield* unscheduledLeads, [])
    })
  )

  it.effect("keeps none of those back that are written and sent with it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const outbox = yield* MailOutbox
      const account = yield* makeAccount()
      const { accountId } = account
      const me = as(account)
      const leads = yield* me(Effect.replicateEffect(insertLead(due), 6))
      const [held, paused, ...free] = leads
      if (held === undefined || paused === undefined) return assert.fail("there are no leads")
      yield* claimTouches
      yield* me(transition(paused, "pause"))
      const released = yield* Effect.makeLatch(false)
      const hold = (isHeld: Effect.Latch) =>
        unit.write(
          sql`select from lead where account_id = ${accountId} and lead_id = ${held} for update`.pipe(
            Effect.zipRight(isHeld.open),
            Effect.zipRight(released.await)
          )
        )
      const isHeld = yield* Effect.makeLatch(false)
      const holder = yield* Effect.fork(hold(isHeld))
      yield* isHeld.await
      const composing = yield* Effect.fork(composeAtOnce)
      const states = sql<{ readonly lead: LeadId; readonly status: string }>`
            select lead_id as lead, status from email_message where account_id = ${accountId} order by lead_id`
      yield* Effect.repeat(states, { until: (rows) => rows.length === free.length })
      assert.deepStrictEqual(
        yield* states,
        free.map((lead) => ({ lead, status: "queued" }))
      )
      const messages = yield* sql<{ readonly emailMessageId: number }>`
            select email_message_id as "emailMessageId" from email_message where account_id = ${accountId}
            union all select 0 order by 1`
      // Each twice: both attempts may be of one group.
      yield* Effect.forEach(
        [...messages, ...messages],
        ({ emailMessageId }) => Effect.exit(outbox.deliver({ accountId, emailMessageId }, { isLast: false })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        yield* states,
        free.map((lead) => ({ lead, status: "sent" }))
      )
      yield* released.open
      yield* Fiber.join(holder)
      yield* Fiber.join(composing)
      assert.sameMembers(
        (yield* states).map(({ lead }) => lead),
        [held, ...free]
      )
      const outbound = yield* sql<{ readonly count: number }>`
            select count(*)::int as count from sandbox_mail where account_id = ${accountId}`
      assert.deepStrictEqual(outbound, [{ count: free.length }])
      const touches = yield* sql<{ readonly count: number; readonly status: string }>`
            select t.status, l.touch_count as count from touch t join lead l using (account_id, lead_id)
            where account_id = ${accountId} order by lead_id`
      assert.deepStrictEqual(touches, [
        { status: "queued", count: 1 },
        { status: "skipped", count: 0 },
        ...free.map(() => ({ status: "done", count: 1 }))
      ])
      const [used] = yield* sql<{ readonly calls: number }>`
            select sum(calls)::int as calls from language_usage where account_id = ${accountId}`
      assert.strictEqual(used?.calls, leads.length)
    })
  )

  it.effect("on its way out does not count, and hands nothing of the owner's on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const [name, stop, goOn] of blocks.slice(0, 3)) {
        const me = as(yield* makeAccount())
        yield* me(
          Effect.gen(function* () {
            const { accountId } = yield* Caller
            const campaign = yield* insertCampaign("Clínicas")
            const lead = yield* insertLead({
              ...due,
              campaign_id: campaign,
              owner_context: "They have a new budget.",
              next_touch_instructions: "Mention the fair."
            })
            const questions = yield* sql<{ readonly id: number }>`
              insert into open_question (account_id, question_text, status)
              values (${accountId}, 'Qual é o prazo?', 'answered') returning open_question_id as id`
            const question = questions[0]?.id ?? 0
            yield* sql`
              with answer as (
                insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
                values (${accountId}, ${question}, 'Qual é o prazo?', 'O prazo é de 15 dias.', false) returning answer_id
              )
              insert into lead_answer_delivery (account_id, open_question_id, lead_id, answer_id)
              select ${accountId}, ${question}, ${lead}, answer_id from answer`
            const isHandedOn = Effect.map(
              sql`select from lead_answer_delivery where lead_id = ${lead} and status = 'delivered'`,
              (rows) => rows.length > 0
            )
            yield* goRound
            yield* stop(lead)
            yield* deliverAll(lead)
            assert.deepStrictEqual(
              yield* stateOf(lead),
              { count: 0, context: "They have a new budget.", instructions: "Mention the fair.", isScheduled: true },
              name
            )
            assert.isFalse(yield* isHandedOn, name)

            yield* goOn(lead)
            yield* letTimePass
            yield* goRound
            yield* deliverAll(lead)
            const mails = yield* mailsOf(lead)
            assert.deepStrictEqual(
              mails.map(({ status }) => status),
              ["cancelled", "sent"],
              name
            )
            assert.include(mails[1]?.body, "15 dias", name)
            // Rules cannot carry these out, so they are kept for the touches to come, but as what they are: instructions.
            assert.deepStrictEqual(
              yield* stateOf(lead),
              {
                count: 1,
                context: null,
                instructions: "Mention the fair.\nThey have a new budget.",
                isScheduled: true
              },
              name
            )
            assert.isTrue(yield* isHandedOn, name)
          })
        )
      }
    })
  )

  it.effect("for want of a way is looked at again, and leaves one trace however often", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      yield* me(
        Effect.gen(function* () {
          const lead = yield* insertLead({ ...due, email: null, phone: "+5511987650777" })
          for (let round = 0; round < 3; round++) {
            yield* goRound
            yield* letTimePass
          }
          assert.deepStrictEqual(yield* sql`select status, reason from touch where lead_id = ${lead}`, [
            { status: "skipped", reason: "no_open_channel" }
          ])
          yield* insertLine("sandbox-line-of-kept-touches")
          const { accountId } = yield* Caller
          yield* sql`
            update chatapp_line set provider_line_id = ${`sandbox-${accountId}`}
            where account_id = ${accountId} and status = 'live'`
          yield* goRound
          const open = yield* sql`select channel from touch where lead_id = ${lead} and status = 'queued'`
          assert.deepStrictEqual(open, [{ channel: "chatapp" }])
        })
      )
    })
  )

  it.effect("and was dropped nevertheless is reported, and due again", () =>
    Effect.gen(function* () {
      const { accountId, ...caller } = yield* makeAccount()
      const lead = yield* as({ accountId, ...caller })(insertLead({ time_zone: "UTC" }))
      yield* as({ accountId, ...caller })(insertLead({ time_zone: "UTC", touch_count: 6 }))
      assert.deepStrictEqual(yield* unscheduledLeads, [{ account_id: accountId, lead_id: lead }])
      yield* unscheduledLeadsReport.handler
        .run({}, { id: "1", attempt: 1, maxAttempts: 3 })
        .pipe(Logger.withMinimumLogLevel(LogLevel.None))
      assert.isTrue((yield* stateOf(lead)).isScheduled)
      assert.deepStrictEqual(yield* unscheduledLeads, [])
    })
  )
})

layer(TestEngine, { excludeTestServices: true })("a reply", (it) => {
  it.effect("that arrives while another message leaves is answered", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(
        Effect.gen(function* () {
          const lead = yield* insertLead(due)
          yield* goRound
          const classification = JSON.stringify(readingOf("interested"))
          yield* receiveMail(lead, "Tenho interesse, como funciona?", { classification })
          yield* deliverAll(lead)
          yield* letTimePass
          yield* goRound
          yield* deliverAll(lead)
          // The answer is given once.
          yield* letTimePass
          yield* goRound
          assert.deepStrictEqual(
            (yield* mailsOf(lead)).map(({ type }) => type),
            ["first_contact", "response", "follow_up"]
          )
        })
      )
    })
  )

  it.effect("beside the one that the owner answers is answered too", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const { accountId } = caller
      yield* me(
        Effect.gen(function* () {
          const lead = yield* insertLead({ ...due, last_outbound_at: "2026-01-01T00:00:00Z" })
          const asked = JSON.stringify(readingOf("question", { question: "Qual é o prazo?" }))
          yield* receiveMail(lead, "Qual é o prazo?", { classification: asked })
          yield* receiveMail(lead, "E tenho interesse, sim.", {
            classification: JSON.stringify(readingOf("interested"))
          })
          yield* sql`
            with question as (
              insert into open_question (account_id, question_text, status)
              values (${accountId}, 'Qual é o prazo?', 'answered') returning open_question_id
            ), answer as (
              insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
              select ${accountId}, open_question_id, 'Qual é o prazo?', 'O prazo é de 15 dias.', false from question
              returning open_question_id, answer_id
            )
            insert into lead_answer_delivery (account_id, open_question_id, lead_id, answer_id)
            select ${accountId}, open_question_id, ${lead}, answer_id from answer`.pipe(Effect.catchAll(Effect.die))
          for (let round = 0; round < 3; round++) {
            yield* goRound
            yield* deliverAll(lead)
            yield* letTimePass
          }
          const mails = yield* mailsOf(lead)
          assert.include(mails[0]?.body, "15 dias")
          assert.deepStrictEqual(
            mails.map(({ type }) => type),
            ["response", "response", "follow_up"]
          )
        })
      )
    })
  )

  it.effect("whose question was answered while the owner held the lead gets the answer when it is back, once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const { accountId } = caller
      yield* as(caller)(
        Effect.gen(function* () {
          const [lead, told] = [
            yield* insertLead({ ...due, last_outbound_at: "2026-01-01T00:00:00Z" }),
            yield* insertLead({ ...due, last_outbound_at: "2026-01-01T00:00:00Z" })
          ]
          // As it stands once the lead is back in the pipeline: nothing was queued for it when the answer came.
          yield* sql`
            with question as (
              insert into open_question (account_id, question_text, status)
              values (${accountId}, 'Qual é o prazo?', 'answered') returning open_question_id
            ), waiting as (
              insert into open_question_lead (account_id, open_question_id, lead_id)
              select ${accountId}, open_question_id, l from question, unnest(array[${lead}, ${told}]::bigint[]) l
            )
            insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
            select ${accountId}, open_question_id, 'Qual é o prazo?', 'O prazo é de 15 dias.', false from question`
          // The owner told one of them.
          yield* sql`
            insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address,
              subject, body_text, sent_at)
            values (${accountId}, ${told}, 'outbound', 'sent', '<by-hand@x>', 'a@x.example', 'b@x.example', 'Prazo',
              'São duas semanas.', instant())`
          for (let round = 0; round < 2; round++) {
            yield* goRound
            for (const each of [lead, told]) yield* deliverAll(each)
            yield* letTimePass
          }
          const bodies = (leadId: LeadId) => Effect.map(mailsOf(leadId), (mails) => mails.map(({ body }) => body))
          const hasAnswer = (body: string) => body.includes("15 dias")
          assert.deepStrictEqual((yield* bodies(lead)).map(hasAnswer), [true, false])
          assert.notInclude((yield* bodies(told)).map(hasAnswer), true)
          const rows = yield* sql<{ readonly status: string }>`
            select status from lead_answer_delivery where account_id = ${accountId}`
          assert.deepStrictEqual(rows, [{ status: "delivered" }])
        })
      )
    })
  )

  it.effect("in a call is answered in writing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      yield* me(
        Effect.gen(function* () {
          const lead = yield* insertLead({ ...due, last_outbound_at: "2026-01-01T00:00:00Z" })
          const call = yield* receiveCall(lead, "Tenho interesse, mande por e-mail.")
          yield* sql`
            update voice_call set classification = ${JSON.stringify(readingOf("interested"))}::jsonb
            where voice_call_request_id = ${call.messageId}`
          yield* goRound
          assert.deepStrictEqual(
            (yield* mailsOf(lead)).map(({ type }) => type),
            ["response"]
          )
        })
      )
    })
  )
})
