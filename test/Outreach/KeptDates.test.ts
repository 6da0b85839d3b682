import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeComposeTouchHandler } from "../../src/Layers/Outreach/Composing/ComposeTouch.ts"
import { TouchComposerLive } from "../../src/Layers/Outreach/Composing/TouchComposerLive.ts"
import { recheckSkipped } from "../../src/Layers/Outreach/Sql.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { LanguageModelFailed } from "../../src/Services/Models/LanguageModel.ts"
import { LeadQuestions } from "../../src/Services/Outcomes/LeadQuestions.ts"
import { LeadSchedule } from "../../src/Services/Outreach/LeadSchedule.ts"
import { type TouchId, TouchLedger } from "../../src/Services/Outreach/TouchLedger.ts"
import { Writer } from "../../src/Services/Writing/Writer.ts"
import { handle, receiveMail } from "../Replies/support/replies.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { claimTouches, composeAll, composeAtNight, composeWithout, runWith, TestEngine } from "./support/touches.ts"

const day = 86_400_000
const due = {
  time_zone: "UTC",
  language: "pt-BR",
  next_touch_at: "2026-01-01T00:00:00Z",
  last_outbound_at: "2025-12-01T00:00:00Z",
  touch_count: 1
}

const nextTouchOf = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [lead] = yield* sql<{ readonly at: Timestamp | null }>`
      select next_touch_at as at from lead where lead_id = ${leadId}`
    return lead?.at ?? assert.fail("the lead is not scheduled")
  })

const ownerSetsDate = (leadId: LeadId) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const schedule = yield* LeadSchedule
    yield* unit.write(
      schedule.reschedule({
        leadIds: [leadId],
        importedFrom: undefined,
        nextTouchAt: Timestamp.make("2031-01-15T13:00:00Z"),
        preferredChannel: undefined
      })
    )
  })

const leadIsAway = (leadId: LeadId) =>
  Effect.gen(function* () {
    const back = new Date(Date.now() + 60 * day).toISOString().slice(0, 10).split("-").reverse().join("/")
    const mail = yield* receiveMail(leadId, `Estou fora do escritório e retorno em ${back}.`, { is_auto_reply: true })
    yield* handle(mail)
  })

const leadWantsLater = (leadId: LeadId) =>
  Effect.flatMap(receiveMail(leadId, "Agora não é o momento. Me procure de novo daqui a três meses."), handle)

const setters = { "a date of the owner": ownerSetsDate, "an absence": leadIsAway, "a deferral": leadWantsLater }

const pause = (leadId: LeadId) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const leads = yield* Leads
    yield* unit.write(leads.transition(leadId, "pause"))
  })

const deliver = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const outbox = yield* MailOutbox
    const { accountId } = yield* Caller
    const mails = yield* sql<{ readonly id: number }>`
      select email_message_id as id from email_message where lead_id = ${leadId} and status = 'queued'`
    for (const { id } of mails) yield* outbox.deliver({ accountId, emailMessageId: id }, { isLast: false })
  })

/** As if the provider had refused what the touch sent. */
const fail = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const ledger = yield* TouchLedger
    const { accountId } = yield* Caller
    const touches = yield* sql<{ readonly id: TouchId }>`
      select touch_id as id from touch where lead_id = ${leadId} and status = 'queued'`
    yield* unit.write(
      ledger.settle(
        touches.map(({ id }) => ({ accountId, touchId: id, end: "failed" as const, reason: "mail_refused" }))
      )
    )
  })

const outage = new LanguageModelFailed({ reason: "unavailable", detail: "server_error" })

layer(TestEngine, { excludeTestServices: true })("what a person sets while a touch is under way stays:", (it) => {
  /** Sets a date between two steps of a lead's touch. It must be the same after the second one. */
  const check = <Before, After>(
    before: (leadId: LeadId) => Effect.Effect<unknown, unknown, Before>,
    after: (leadId: LeadId) => Effect.Effect<unknown, unknown, After>,
    columns: { readonly [column: string]: string | null } = {}
  ) =>
    Effect.forEach(Object.entries(setters), ([name, set]) =>
      Effect.gen(function* () {
        yield* as(yield* makeAccount())(
          Effect.gen(function* () {
            const lead = yield* insertLead({ ...due, ...columns })
            yield* before(lead)
            yield* set(lead)
            const date = yield* nextTouchOf(lead)
            assert.isAbove(Date.parse(date), Date.now() + 30 * day, name)
            yield* after(lead)
            assert.strictEqual(yield* nextTouchOf(lead), date, name)
          })
        )
      })
    )

  it.effect("when the message is queued", () =>
    check(
      () => claimTouches,
      () => composeAll
    )
  )

  it.effect("when the window is closed", () =>
    check(
      () => claimTouches,
      () => composeAtNight
    )
  )

  it.effect("when a block stops the message", () =>
    check(
      () => claimTouches,
      (lead) => Effect.zipRight(pause(lead), composeAll)
    )
  )

  it.effect("when a block stops the queued message", () =>
    check(
      () => Effect.zipRight(claimTouches, composeAll),
      (lead) => Effect.zipRight(pause(lead), deliver(lead))
    )
  )

  it.effect("when the message fails that carries the owner's words", () =>
    check(() => Effect.zipRight(claimTouches, composeAll), fail, { owner_context: "They have a new budget." })
  )

  it.effect("when a channel is opened for leads that had none", () =>
    check(
      () => Effect.zipRight(claimTouches, composeAll),
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          yield* recheckSkipped(sql, accountId)
        }),
      { email: null, phone: "+5511987650778" }
    )
  )

  it.effect("when the model is away", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* check(
        () => claimTouches,
        () => Effect.zipRight(composeWithout(outage, 6), sql`delete from model_outage`)
      )
    })
  )
})

layer(TestEngine, { excludeTestServices: true })("an answer of the owner's", (it) => {
  it.effect("that comes while another message is written follows it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unit = yield* UnitOfWork
      const questions = yield* LeadQuestions
      const caller = yield* makeAccount()
      yield* as(caller)(
        Effect.gen(function* () {
          const lead = yield* insertLead(due)
          yield* claimTouches
          const rows = yield* sql<{ readonly id: number }>`
            insert into open_question (account_id, question_text) values (${caller.accountId}, 'Qual é o prazo?')
            returning open_question_id as id`
          yield* sql`
            insert into open_question_lead (account_id, open_question_id, lead_id)
            values (${caller.accountId}, ${rows[0]?.id ?? 0}, ${lead})`
          const answer = unit.write(
            questions.answer({
              openQuestionId: undefined,
              questionText: "Qual é o prazo?",
              answerText: "O prazo é de 15 dias.",
              isReusable: false,
              expectedAnswerId: undefined,
              validUntil: undefined,
              requestId: undefined
            })
          )
          const writer = yield* Writer
          const handler = yield* makeComposeTouchHandler.pipe(
            Effect.provide(TouchComposerLive),
            Effect.provideService(Writer, {
              write: (brief) => Effect.zipLeft(writer.write(brief), Effect.orDie(as(caller)(answer)))
            })
          )
          yield* runWith(handler)
          yield* deliver(lead)
          yield* claimTouches
          yield* composeAll
          const mails = yield* sql<{ readonly body: string }>`
            select body_text as body from email_message where lead_id = ${lead} order by email_message_id`
          assert.deepStrictEqual(
            mails.map(({ body }) => body.includes("15 dias")),
            [false, true]
          )
        })
      )
    })
  )
})
