import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Logger, LogLevel } from "effect"
import { claimTouches } from "../../src/Layers/Outreach/ClaimTouches.ts"
import { restoreDirectory, unscheduledLeadsReport } from "../../src/Layers/Outreach/UnscheduledLeads.ts"
import { Campaigns } from "../../src/Services/Campaigns/Campaigns.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { LeadQuestions, OpenQuestionId } from "../../src/Services/Outcomes/LeadQuestions.ts"
import { Outcomes } from "../../src/Services/Outcomes/Outcomes.ts"
import { LeadSchedule } from "../../src/Services/Outreach/LeadSchedule.ts"
import { composeAnswer, composeTouch } from "../../src/Services/Outreach/TouchTasks.ts"
import { ProspectingConfig } from "../../src/Services/Prospecting/ProspectingConfig.ts"
import { handle, receiveMail } from "../Replies/support/replies.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestEngine } from "./support/touches.ts"

const past = "2026-01-01T00:00:00Z"

const inOneTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, (unit) => unit.write(effect))

const change = (columns: { readonly [column: string]: string | number | boolean | null }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`update lead set ${sql.update(columns)} where account_id = ${accountId}`
  })

const touchesOf = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return (yield* sql`select from touch where account_id = ${accountId}`).length
})

type Act = Effect.Effect<
  unknown,
  unknown,
  SqlClient | UnitOfWork | Caller | Leads | Campaigns | ProspectingConfig | LeadSchedule | Outcomes | LeadQuestions
>

const transition = (leadId: LeadId, operation: "resume" | "return_to_pipeline" | "start") =>
  Effect.flatMap(Leads, (leads) => leads.transition(leadId, operation))

layer(TestEngine, { excludeTestServices: true })("the directory of what is due", (it) => {
  /** Each makes the one lead of an account due that was not before, in its own way. */
  const ways: ReadonlyArray<readonly [name: string, before: Act, act: (leadId: LeadId) => Act]> = [
    ["a lead that is started", change({ pipeline_state: "not_started" }), (lead) => transition(lead, "start")],
    ["a pause that ends", change({ paused_at: past, next_touch_at: past }), (lead) => transition(lead, "resume")],
    [
      "a review that ends",
      change({ pipeline_state: "pending_review", review_requested_at: past }),
      (lead) => transition(lead, "return_to_pipeline")
    ],
    [
      "a lead that is recovered",
      change({ pipeline_state: "finished" }),
      // It waits for minutes to hours, which are over here.
      (lead) =>
        Effect.zipRight(
          Effect.flatMap(Outcomes, (outcomes) => outcomes.recover(lead, "They have a budget now.")),
          change({ next_touch_at: past })
        )
    ],
    [
      "prospecting that is turned on",
      Effect.zipRight(
        change({ next_touch_at: past }),
        Effect.flatMap(ProspectingConfig, (configs) => configs.setActive(false))
      ),
      () => Effect.flatMap(ProspectingConfig, (configs) => configs.setActive(true))
    ],
    [
      "a campaign that is resumed",
      Effect.gen(function* () {
        const campaign = yield* insertCampaign("Clínicas", { is_active: false })
        yield* change({ next_touch_at: past, campaign_id: campaign })
      }),
      () => Effect.flatMap(Campaigns, (campaigns) => campaigns.setActive("Clínicas", true))
    ],
    [
      "a lead that leaves a paused campaign",
      Effect.gen(function* () {
        const campaign = yield* insertCampaign("Pausada", { is_active: false })
        yield* insertCampaign("Clínicas")
        yield* change({ next_touch_at: past, campaign_id: campaign })
      }),
      (lead) => Effect.flatMap(Campaigns, (campaigns) => campaigns.moveLeads([lead], "Clínicas"))
    ],
    [
      "another time",
      change({ next_touch_at: "2099-01-01T00:00:00Z" }),
      (lead) =>
        Effect.flatMap(LeadSchedule, (schedule) =>
          schedule.reschedule({
            leadIds: [lead],
            importedFrom: undefined,
            nextTouchAt: Timestamp.make(past),
            preferredChannel: undefined
          })
        )
    ],
    [
      "an answer of the owner",
      change({ next_touch_at: "2099-01-01T00:00:00Z" }),
      (lead) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          const asked = yield* sql<{ readonly id: number }>`
            insert into open_question (account_id, question_text) values (${accountId}, 'Qual é o prazo?')
            returning open_question_id as id`
          const id = OpenQuestionId.make(asked[0]?.id ?? 0)
          yield* sql`
            insert into open_question_lead (account_id, open_question_id, lead_id) values (${accountId}, ${id}, ${lead})`
          const questions = yield* LeadQuestions
          yield* questions.answer({
            openQuestionId: id,
            questionText: undefined,
            answerText: "15 dias",
            isReusable: false,
            validUntil: undefined,
            requestId: undefined,
            expectedAnswerId: undefined
          })
        })
    ]
  ]

  it.effect("knows of every way in which a lead becomes due", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const [name, before, act] of ways) {
        yield* as(yield* makeAccount())(
          Effect.gen(function* () {
            const lead = yield* insertLead()
            yield* inOneTransaction(before)
            yield* sql`delete from dispatch_queue`
            yield* claimTouches
            assert.strictEqual(yield* touchesOf, 0, name)
            yield* inOneTransaction(act(lead))
            yield* claimTouches
            assert.strictEqual(yield* touchesOf, 1, name)
          })
        )
      }
    })
  )

  it.effect("knows of registered leads, and of the time that a reply sets", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const leads = yield* Leads
      const { lead_id } = yield* me(
        leads.register({
          name: "Ana Souza",
          email: "ana@client.example",
          phone: undefined,
          company: undefined,
          status: "Cold",
          campaign: undefined
        })
      )
      yield* claimTouches
      assert.strictEqual(yield* me(touchesOf), 1)
      yield* handle(yield* me(receiveMail(lead_id, "Olá! Tenho interesse sim, pode me mandar mais informações?")))
      const [entry] = yield* sql<{ readonly isNoted: boolean }>`
        select exists (select from dispatch_queue d where d.account_id = l.account_id and d.due_at <= l.next_touch_at)
          as "isNoted" from lead l where lead_id = ${lead_id}`
      assert.deepStrictEqual(entry, { isNoted: true })
    })
  )

  it.effect("keeps an account with more due leads than one look takes, and nobody waits behind it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const many = yield* makeAccount()
      const few = yield* makeAccount()
      yield* as(many)(Effect.replicateEffect(insertLead({ next_touch_at: past }), 120))
      yield* as(few)(insertLead({ next_touch_at: "2026-02-01T00:00:00Z" }))
      const waiting = yield* as(many)(
        insertLead({ next_touch_at: "2026-02-01T00:00:00Z", last_inbound_at: past, last_outbound_at: null })
      )
      yield* sql`
        insert into dispatch_queue (account_id, due_at) values (${many.accountId}, instant()), (${few.accountId}, instant())`
      yield* claimTouches
      // Nobody waits behind the many leads of another, and who waits for an answer is first.
      assert.strictEqual(yield* as(few)(touchesOf), 1)
      assert.strictEqual(yield* as(many)(touchesOf), 51)
      const urgent = yield* sql<{ readonly lead: number }>`
        select (j.payload ->> 'leadId')::int as lead from graphile_worker._private_jobs j
          join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${composeAnswer.name}
          and (j.payload ->> 'accountId')::int = ${many.accountId}`
      assert.deepStrictEqual(urgent, [{ lead: waiting }])
      const others = yield* sql`
        select j.id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = ${composeTouch.name} and (j.payload ->> 'accountId')::int = ${many.accountId}`
      assert.lengthOf(others, 50)
      yield* claimTouches
      yield* claimTouches
      assert.strictEqual(yield* as(many)(touchesOf), 121)
    })
  )

  it.effect("is restored at night where something was forgotten", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      yield* me(insertLead({ next_touch_at: past }))
      yield* sql`delete from dispatch_queue`
      yield* claimTouches
      assert.strictEqual(yield* me(touchesOf), 0)
      yield* unscheduledLeadsReport.handler
        .run({}, { id: "1", attempt: 1, maxAttempts: 3 })
        .pipe(Logger.withMinimumLogLevel(LogLevel.None))
      yield* claimTouches
      assert.strictEqual(yield* me(touchesOf), 1)
      yield* restoreDirectory
    })
  )
})
