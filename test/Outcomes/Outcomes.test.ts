import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { checkIn, expireAnswers } from "../../src/Layers/Outcomes/CheckIns.ts"
import { LeadQuestionsPostgres } from "../../src/Layers/Outcomes/LeadQuestionsPostgres.ts"
import { OutcomesPostgres } from "../../src/Layers/Outcomes/OutcomesPostgres.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { say } from "../../src/Services/Messages/Messages.ts"
import { LeadQuestions, OpenQuestionId } from "../../src/Services/Outcomes/LeadQuestions.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { OutcomesGroup } from "../../src/Tools/Outcomes/Outcomes.ts"
import { historyOf, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([OutcomesGroup])
const tool = (name: string, args: object = {}) => answerOf(catalog, name, args)
const refusalOf = (name: string, args: object) => Effect.flip(callTool(catalog, name, args))

const Services = Layer.mergeAll(OutcomesPostgres, LeadQuestionsPostgres, AccountsPostgres).pipe(
  Layer.provideMerge(LeadServices)
)

/** A test with a new account. */
const withAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const eventTypes = (leadId: LeadId) =>
  Effect.map(historyOf(leadId), (events) => events.map(({ event_type }) => event_type))

const column = (leadId: LeadId, name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly value: unknown }>`
      select ${sql(name)} as value from lead where account_id = ${accountId} and lead_id = ${leadId}`
    return rows[0]?.value
  })

/** A question that these leads wait to have answered. Returns its id. */
const ask = (question: string, ...leads: ReadonlyArray<LeadId>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: number }>`
      insert into open_question (account_id, question_text) values (${accountId}, ${question})
      returning open_question_id as id`
    const id = rows[0]?.id ?? 0
    for (const lead of leads) {
      yield* sql`insert into open_question_lead (account_id, open_question_id, lead_id)
        values (${accountId}, ${id}, ${lead})`
    }
    return id
  })

const answer = (args: object) =>
  Effect.map(
    tool("answer_lead_question", args),
    (faqEntries) =>
      faqEntries as {
        readonly answer_id: number
        readonly queued_lead_ids: ReadonlyArray<number>
        readonly queued_lead_count: number
        readonly [member: string]: unknown
      }
  )

const deliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<{ readonly lead_id: number; readonly answer_id: number; readonly status: string }>`
    select lead_id, answer_id, status from lead_answer_delivery where account_id = ${accountId} order by lead_id`
})

const requestId = "7f3f3c52-6a43-4d0b-9a55-0d5a3a1f6f10"

layer(Services, { excludeTestServices: true })("the Outcomes tools", (it) => {
  it.effect("won, lost and gave_up are final; negotiating and unresponsive are not", () =>
    withAccount(
      Effect.gen(function* () {
        for (const outcome of ["won", "lost", "gave_up"]) {
          const lead_id = yield* insertLead()
          const answer = yield* tool("register_lead_outcome", { lead_id, outcome, reason: "As told" })
          assert.deepInclude(answer, { outcome, is_final: true, reason: "As told", deal_value_brl: null })
          assert.nestedPropertyVal(answer, "lead.pipeline_state", "finished")
          assert.nestedPropertyVal(answer, "lead.final_outcome", outcome)
          // A won lead is a customer.
          assert.nestedPropertyVal(answer, "lead.status", outcome === "won" ? "Closed" : "Cold")
        }
        for (const outcome of ["negotiating", "unresponsive"]) {
          const lead_id = yield* insertLead()
          const answer = yield* tool("register_lead_outcome", { lead_id, outcome })
          assert.deepInclude(answer, { outcome, is_final: false })
          assert.nestedPropertyVal(answer, "lead.pipeline_state", "in_pipeline")
          assert.deepStrictEqual(yield* eventTypes(lead_id), [`outcome_${outcome}`])
        }
      })
    )
  )

  it.effect("a value goes with won alone, within bounds, and can be corrected", () =>
    withAccount(
      Effect.gen(function* () {
        const lead_id = yield* insertLead()
        const register = (args: object) => tool("register_lead_outcome", { lead_id, outcome: "won", ...args })
        const reason = (args: object) =>
          Effect.map(refusalOf("register_lead_outcome", { lead_id, outcome: "won", ...args }), (failure) =>
            "reason" in failure ? failure.reason : failure._tag
          )
        assert.strictEqual(yield* reason({ outcome: "lost", deal_value_brl: 10 }), "deal_value_only_for_won")
        assert.strictEqual(yield* reason({ deal_value_brl: 0 }), "out_of_range")
        assert.strictEqual(yield* reason({ deal_value_brl: -5 }), "out_of_range")
        assert.strictEqual(yield* reason({ deal_value_brl: 1e13 }), "out_of_range")
        assert.strictEqual(yield* reason({ outcome: "sold" }), "value_not_accepted")
        assert.deepStrictEqual(yield* eventTypes(lead_id), [])
        yield* register({ deal_value_brl: 1200.5, reason: "Liked the demo" })
        yield* register({ deal_value_brl: 1200.5 })
        assert.lengthOf(yield* eventTypes(lead_id), 1)
        assert.deepInclude(yield* register({ deal_value_brl: 1500 }), {
          deal_value_brl: 1500,
          reason: "Liked the demo"
        })
        const events = yield* historyOf(lead_id)
        assert.deepStrictEqual(
          events.map(({ data }) => data),
          [{ deal_value_brl: 1200.5, status_before: "Cold" }, { deal_value_brl: 1500 }]
        )
      })
    )
  )

  it.effect("a corrected outcome gives the lead back the status that won replaced", () =>
    withAccount(
      Effect.gen(function* () {
        const register = (lead_id: LeadId, outcome: string) => tool("register_lead_outcome", { lead_id, outcome })
        const lead = yield* insertLead({ status: "Interested" })
        yield* register(lead, "won")
        assert.strictEqual(yield* column(lead, "status"), "Closed")
        yield* register(lead, "lost")
        assert.strictEqual(yield* column(lead, "status"), "Interested")
        yield* register(lead, "won")
        yield* register(lead, "gave_up")
        assert.strictEqual(yield* column(lead, "status"), "Interested")
        yield* tool("recover_lead_to_pipeline", { lead_id: lead })
        assert.isNull(yield* column(lead, "final_outcome"))
      })
    )
  )

  it.effect("a status that was set since the lead was won stays", () =>
    withAccount(
      Effect.gen(function* () {
        const leads = yield* Leads
        const update = (lead: LeadId, status: "Aware" | "Closed") =>
          leads.update(lead, { status, goal: undefined, background: undefined })
        const lead = yield* insertLead({ status: "Interested" })
        yield* tool("register_lead_outcome", { lead_id: lead, outcome: "won" })
        yield* update(lead, "Aware")
        yield* update(lead, "Closed")
        yield* tool("register_lead_outcome", { lead_id: lead, outcome: "lost" })
        assert.strictEqual(yield* column(lead, "status"), "Closed")
        // It was closed before it was won.
        const closed = yield* insertLead({ status: "Closed" })
        yield* tool("register_lead_outcome", { lead_id: closed, outcome: "won" })
        yield* tool("register_lead_outcome", { lead_id: closed, outcome: "lost" })
        assert.strictEqual(yield* column(closed, "status"), "Closed")
      })
    )
  )

  it.effect("the refusal of a recovery says how a wrong outcome is undone", () =>
    withAccount(
      Effect.gen(function* () {
        const lead = yield* insertLead()
        yield* tool("register_lead_outcome", { lead_id: lead, outcome: "won" })
        const refusal = yield* refusalOf("recover_lead_to_pipeline", { lead_id: lead })
        assert.include(JSON.stringify(refusal), "gave_up undoes both")
        yield* tool("register_lead_outcome", { lead_id: lead, outcome: "gave_up" })
        assert.deepInclude(yield* tool("recover_lead_to_pipeline", { lead_id: lead }), {
          pipeline_state: "in_pipeline"
        })
      })
    )
  )

  it.effect("recovers a lead with the outcome gave_up, but not a won or unsubscribed one", () =>
    withAccount(
      Effect.gen(function* () {
        const gaveUpLead = yield* insertLead({ pipeline_state: "finished", final_outcome: "gave_up", touch_count: 6 })
        const answer = yield* tool("recover_lead_to_pipeline", {
          lead_id: gaveUpLead,
          owner_context: "Nos conhecemos na feira. Ele é difícil."
        })
        assert.deepInclude(answer, { changed: true, pipeline_state: "in_pipeline", final_outcome: null })
        assert.strictEqual(yield* column(gaveUpLead, "owner_context"), "Nos conhecemos na feira. Ele é difícil.")
        assert.deepInclude(answer, {
          not_applied: [{ text: "Ele é difícil.", reason: say("pt-BR", "instructions.not_applied.context") }]
        })
        assert.strictEqual(yield* column(gaveUpLead, "touch_count"), 0)
        const takenOverLead = yield* insertLead({ pipeline_state: "user_controlled" })
        yield* tool("recover_lead_to_pipeline", { lead_id: takenOverLead })
        assert.strictEqual(yield* column(takenOverLead, "owner_context"), "")
        const won = yield* insertLead({ pipeline_state: "finished", final_outcome: "won" })
        assert.deepInclude(yield* refusalOf("recover_lead_to_pipeline", { lead_id: won }), {
          _tag: "Refused",
          reason: "lead_has_final_outcome"
        })
        const unsubscribedLead = yield* insertLead({
          pipeline_state: "finished",
          unsubscribed_at: "2026-01-01T00:00:00Z"
        })
        assert.deepInclude(yield* refusalOf("recover_lead_to_pipeline", { lead_id: unsubscribedLead }), {
          reason: "lead_unsubscribed"
        })
      })
    )
  )

  it.effect("the history is answered newest first, up to the limit", () =>
    withAccount(
      Effect.gen(function* () {
        const lead_id = yield* insertLead()
        yield* tool("register_lead_outcome", { lead_id, outcome: "negotiating" })
        yield* tool("register_lead_outcome", { lead_id, outcome: "lost", reason: "Too dear" })
        const answer = yield* tool("list_lead_lifecycle_events", { lead_id, limit: 1 })
        assert.deepInclude(answer, { lead_id, total: 2 })
        assert.nestedPropertyVal(answer, "events[0].event_type", "outcome_lost")
        assert.nestedPropertyVal(answer, "events[0].reason", "Too dear")
        const foreign = yield* withAccount(insertLead())
        assert.deepInclude(yield* refusalOf("list_lead_lifecycle_events", { lead_id: foreign }), { _tag: "NotFound" })
      })
    )
  )

  it.effect("an answer is queued once for each waiting lead that may be contacted", () =>
    withAccount(
      Effect.gen(function* () {
        const waiting = yield* insertLead()
        const paused = yield* insertLead({ paused_at: "2026-01-01T00:00:00Z" })
        const takenOverLead = yield* insertLead({ pipeline_state: "user_controlled" })
        const other = yield* insertLead()
        const id = yield* ask("Vocês entregam no Pará?", waiting, paused, takenOverLead)
        const first = yield* answer({
          answer_text: " Sim ",
          question_text: "voces entregam no PARA?",
          request_id: requestId
        })
        assert.deepInclude(first, {
          open_question_id: id,
          answer_text: "Sim",
          reusable: false,
          queued_lead_count: 2,
          queued_lead_ids: [waiting, paused],
          is_repeat: false
        })
        assert.isNotNull(yield* column(waiting, "next_touch_at"))
        assert.isNull(yield* column(takenOverLead, "next_touch_at"))
        assert.isNull(yield* column(other, "next_touch_at"))
        const again = yield* answer({ answer_text: "Sim", open_question_id: id, request_id: requestId })
        assert.deepInclude(again, { answer_id: first.answer_id, is_repeat: true, queued_lead_count: 2 })
        assert.lengthOf(yield* deliveries, 2)
        const other_text = { answer_text: "Não", open_question_id: id, request_id: requestId }
        assert.deepInclude(yield* refusalOf("answer_lead_question", other_text), { reason: "request_id_reused" })
      })
    )
  )

  it.effect("a correction names the corrected answer, and is not sent to leads that got the earlier one", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const [informedLead, waiting] = [yield* insertLead(), yield* insertLead()]
        const open_question_id = yield* ask("How much is it?", informedLead, waiting)
        const first = yield* answer({ answer_text: "10", open_question_id })
        const refused = refusalOf("answer_lead_question", { answer_text: "12", open_question_id })
        assert.deepInclude(yield* refused, { _tag: "Refused", reason: "already_answered" })
        yield* sql`update lead_answer_delivery set status = 'delivered' where account_id = ${accountId} and lead_id = ${informedLead}`
        const second = yield* answer({ answer_text: "12", open_question_id, expected_answer_id: first.answer_id })
        assert.deepInclude(second, { replaced_answer_id: first.answer_id, queued_lead_ids: [waiting] })
        assert.deepStrictEqual(yield* deliveries, [
          { lead_id: informedLead, answer_id: first.answer_id, status: "delivered" },
          { lead_id: waiting, answer_id: second.answer_id, status: "queued" }
        ])
        const lost = { answer_text: "11", open_question_id, expected_answer_id: first.answer_id }
        const failure = yield* refusalOf("answer_lead_question", lost)
        assert.deepInclude(failure, { reason: "answer_changed", fields: { current_answer_id: second.answer_id } })
      })
    )
  )

  it.effect("of corrections at once one holds", () =>
    withAccount(
      Effect.gen(function* () {
        const open_question_id = yield* ask("How much is it?", yield* insertLead())
        const { answer_id: expected_answer_id } = yield* answer({ answer_text: "10", open_question_id })
        const results = yield* Effect.forEach(
          ["11", "12", "13"],
          (answer_text) => Effect.either(answer({ answer_text, open_question_id, expected_answer_id })),
          { concurrency: 3 }
        )
        assert.lengthOf(
          results.filter(({ _tag }) => _tag === "Right"),
          1
        )
      })
    )
  )

  it.effect("an expired answer is sent to no one, and a new one replaces it", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const lead = yield* insertLead()
        const open_question_id = yield* ask("Is it on sale?", lead)
        const past = { answer_text: "Yes", open_question_id, valid_until: "2020-01-01" }
        assert.deepInclude(yield* refusalOf("answer_lead_question", past), { reason: "valid_until_past" })
        yield* answer({ ...past, valid_until: "2090-01-01" })
        yield* expireAnswers
        assert.nestedPropertyVal(yield* deliveries, "[0].status", "queued")
        yield* sql`update lead_answer set valid_until = '2020-01-01' where account_id = ${accountId}`
        yield* expireAnswers
        assert.nestedPropertyVal(yield* deliveries, "[0].status", "expired")
        const newAnswer = yield* answer({ answer_text: "No", open_question_id })
        assert.deepStrictEqual(yield* deliveries, [{ lead_id: lead, answer_id: newAnswer.answer_id, status: "queued" }])
      })
    )
  )

  it.effect("an answer without a waiting lead is stored, and one without a question is refused", () =>
    withAccount(
      Effect.gen(function* () {
        const { open_question_id, ...stored } = yield* answer({
          answer_text: "Yes",
          question_text: "Hello! Do you?",
          reusable: true
        })
        assert.isNumber(open_question_id)
        assert.deepInclude(stored, { question_text: "Do you?", queued_lead_count: 0, queued_lead_ids: [] })
        const reason = (args: object) =>
          Effect.map(refusalOf("answer_lead_question", { answer_text: "Yes", ...args }), (failure) =>
            "reason" in failure ? failure.reason : failure._tag
          )
        assert.strictEqual(yield* reason({ question_text: "do YOU?" }), "already_answered")
        assert.strictEqual(yield* reason({}), "question_required")
        assert.strictEqual(yield* reason({ question_text: " " }), "question_required")
        assert.strictEqual(yield* reason({ question_text: "x", request_id: "1" }), "request_id_invalid")
        const foreign = yield* withAccount(ask("Mine?"))
        assert.strictEqual(yield* reason({ open_question_id: foreign }), "open_question_not_found")
      })
    )
  )

  it.effect("an answer reaches the question in near wording, or is refused with candidates", () =>
    withAccount(
      Effect.gen(function* () {
        const lead = yield* insertLead()
        const id = yield* ask("Quanto custa o plano Pro?", lead)
        const other = yield* ask("Vocês emitem nota fiscal?", lead)
        const failure = yield* refusalOf("answer_lead_question", {
          answer_text: "R$ 99",
          question_text: "Quanto custa o plano Básico?"
        })
        assert.deepInclude(failure, { reason: "question_not_found" })
        assert.nestedPropertyVal(failure, "fields.candidates[0].open_question_id", id)
        assert.nestedPropertyVal(failure, "fields.candidates[1].open_question_id", other)
        const answered = yield* answer({ answer_text: "R$ 399", question_text: "qual o preço do plano pro" })
        assert.deepInclude(answered, { open_question_id: id, queued_lead_ids: [lead] })
      })
    )
  )

  it.effect("an owner's own answer is corrected and removed by its id, and keeps what it said before", () =>
    withAccount(
      Effect.gen(function* () {
        const question_text = "Até que horas vocês atendem?"
        yield* answer({ answer_text: "Até as 18h", question_text, reusable: true })
        const questions = yield* LeadQuestions
        const [first] = yield* questions.faq
        const id = first?.open_question_id ?? OpenQuestionId.make(0)
        yield* questions.correct(id, { answerText: "Até as 20h", validUntil: undefined })
        const [entry] = yield* questions.faq
        assert.deepInclude(entry, { open_question_id: id, answer_text: "Até as 20h" })
        assert.deepStrictEqual(
          entry?.corrections.map(({ answer_text }) => answer_text),
          ["Até as 18h"]
        )
        yield* questions.withdraw(id)
        assert.deepStrictEqual(yield* questions.faq, [])
      })
    )
  )

  it.effect("asks about leads that were taken over and went quiet, but for those that are muted or snoozed", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const leadsAskedAbout = Effect.gen(function* () {
          const notifications = yield* Notifications
          const { notifications: all } = yield* notifications.pending
          return all.filter(({ kind }) => kind === "lead_check_in").map(({ data }) => data["lead_id"])
        })
        const long = { pipeline_state: "user_controlled", created_at: "2026-01-01T00:00:00Z" }
        const quiet = yield* insertLead({ ...long, name: "Ana" })
        const muted = yield* insertLead(long)
        const snoozed = yield* insertLead(long)
        const lively = yield* insertLead(long)
        yield* insertLead({ ...long, pipeline_state: "in_pipeline" })
        yield* sql`update lead set last_inbound_at = instant() where account_id = ${accountId} and lead_id = ${lively}`
        assert.deepInclude(yield* tool("mute_lead_check_ins", { lead_id: muted, reason: "No" }), {
          is_muted: true,
          snoozed_until: null
        })
        assert.deepInclude(yield* tool("mute_lead_check_ins", { lead_id: snoozed, snooze_days: 7 }), {
          is_muted: false
        })
        assert.deepStrictEqual(yield* eventTypes(snoozed), ["check_ins_snoozed"])
        yield* checkIn
        yield* checkIn
        assert.deepStrictEqual(yield* leadsAskedAbout, [quiet])
        const messages = yield* sql<{ readonly body: string; readonly role: string }>`
          select body, role from agent_message where account_id = ${accountId}`
        assert.deepInclude(messages[0], { role: "agent" })
        assert.include(messages[0]?.body, "Ana")
        // A month later.
        yield* sql`update lead set next_check_in_at = next_check_in_at - interval '31 days',
            check_ins_snoozed_until = shifted(check_ins_snoozed_until, -interval '31 days')
          where account_id = ${accountId}`
        yield* checkIn
        assert.sameMembers([...(yield* leadsAskedAbout)], [quiet, quiet, snoozed])
        assert.strictEqual(yield* column(muted, "next_check_in_at"), null)
        assert.strictEqual(yield* column(snoozed, "pipeline_state"), "user_controlled")
      })
    )
  )
})
