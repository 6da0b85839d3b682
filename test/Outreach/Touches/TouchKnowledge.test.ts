import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../src/Services/Core/Calls/UnitOfWork.ts"
import { BusinessFiles } from "../../../src/Services/Knowledge/BusinessFiles.ts"
import type { LeadId } from "../../../src/Services/Leads/Ids.ts"
import { MailOutbox } from "../../../src/Services/Mail/MailOutbox.ts"
import { TouchId, TouchLedger } from "../../../src/Services/Outreach/TouchLedger.ts"
import * as Catalog from "../../../src/Tools/Core/Catalog.ts"
import { BusinessKnowledgeGroup } from "../../../src/Tools/Knowledge/BusinessKnowledge.ts"
import { receiveMail } from "../../Replies/support/replies.ts"
import { insertLead } from "../../support/leads/LeadServices.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { answerOf } from "../../support/ToolAnswer.ts"
import { reading as readingOf } from "../../Writing/TestBrief.ts"
import { claimTouches, composeAll, TestEngine } from "../support/touches.ts"

const catalog = Catalog.make([BusinessKnowledgeGroup])

const own = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const question = "Quanto custa o plano Profissional?"

/** A question that leads asked and the owner answered for all of them. */
const faq = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const asked = yield* sql<{ readonly id: number }>`
    insert into open_question (account_id, question_text, status) values (${accountId}, ${question}, 'answered')
    returning open_question_id as id`
  const id = asked[0]?.id ?? 0
  yield* sql`
    insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
    values (${accountId}, ${id}, ${question}, 'O plano Profissional custa R$ 399 por mês.', true)`
  return id
})

const Registered = Schema.Struct({ business_file_id: Schema.Int, job_id: Schema.String })

/** A text of the account's files, indexed as the engine would. */
const file = (text: string) =>
  Effect.gen(function* () {
    const files = yield* BusinessFiles
    const { accountId } = yield* Caller
    const answer = yield* answerOf(catalog, "register_business_file", { title: "Tabela", text })
    const { business_file_id: id, job_id } = yield* Schema.decodeUnknown(Registered)(answer)
    const jobs = yield* files.list
    const jobId = jobs.find((one) => one.job_id === job_id)?.job_id
    if (jobId === undefined) throw new Error("The file has no job.")
    yield* files.run({
      accountId,
      jobId,
      subjectId: id,
      attempt: 1,
      setProgress: () => Effect.void,
      checkpoint: Effect.void
    })
    return id
  })

/** A lead that asked, and the answer that waits to be sent. */
const askedLead = Effect.gen(function* () {
  const lead = yield* insertLead({ time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z" })
  yield* receiveMail(lead, question, { classification: JSON.stringify(readingOf("question", { question })) })
  yield* claimTouches
  yield* composeAll
  return lead
})

const messages = (lead: LeadId) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{
      readonly id: number
      readonly status: string
      readonly body: string
      readonly reason: string | null
      readonly rests_on: unknown
    }>`
      select m.email_message_id as id, m.status, m.body_text as body, m.failure_reason as reason, t.rests_on
      from email_message m join touch t on t.account_id = m.account_id and t.touch_id = m.touch_id
      where m.lead_id = ${lead} and m.direction = 'outbound' order by m.email_message_id`
  )

const send = (lead: LeadId) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const outbox = yield* MailOutbox
    for (const { id, status } of yield* messages(lead)) {
      if (status === "queued") yield* outbox.deliver({ accountId, emailMessageId: id }, { isLast: true })
    }
  })

/** Sends what waits, and writes anew what was kept back. */
const sendAndRewrite = (lead: LeadId) =>
  Effect.gen(function* () {
    yield* send(lead)
    yield* claimTouches
    yield* composeAll
    return yield* messages(lead)
  })

layer(TestEngine, { excludeTestServices: true })("what a message rests on", (it) => {
  it.effect("an answer names the owner's answer, and goes out while that holds", () =>
    own(
      Effect.gen(function* () {
        yield* faq
        const lead = yield* askedLead
        const [queued] = yield* messages(lead)
        assert.include(queued?.body, "R$ 399")
        assert.match(JSON.stringify(queued?.rests_on), /^\[\{"kind":"faq","answer_id":\d+\}\]$/)
        yield* send(lead)
        assert.deepStrictEqual(
          (yield* messages(lead)).map(({ status }) => status),
          ["sent"]
        )
      })
    )
  )

  it.effect("a correction holds for the message that waits: it is written anew with what is right", () =>
    own(
      Effect.gen(function* () {
        const id = yield* faq
        const lead = yield* askedLead
        yield* answerOf(catalog, "update_business_faq", {
          open_question_id: id,
          answer_text: "O plano Profissional custa R$ 449 por mês."
        })
        const [kept, written] = yield* sendAndRewrite(lead)
        assert.deepInclude(kept, { status: "cancelled", reason: "knowledge_changed" })
        assert.include(written?.body, "R$ 449")
        assert.notInclude(written?.body, "R$ 399")
        yield* send(lead)
        assert.deepStrictEqual(
          (yield* messages(lead)).map(({ status }) => status),
          ["cancelled", "sent"]
        )
      })
    )
  )

  it.effect("a removed answer is told to nobody any more: the question is the owner's again", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const id = yield* faq
        const lead = yield* askedLead
        yield* answerOf(catalog, "remove_business_faq", { open_question_id: id })
        const [kept, written] = yield* sendAndRewrite(lead)
        assert.deepInclude(kept, { status: "cancelled", reason: "knowledge_changed" })
        assert.notInclude(written?.body, "R$ 399")
        const asked = yield* sql`select from open_question_lead where lead_id = ${lead}`
        assert.lengthOf(asked, 1)
      })
    )
  )

  it.effect("a file that covers the question answers it, and is quoted no more once it is removed", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const id = yield* file(
          "# Planos\nO plano Essencial custa R$ 199 por mês. O plano Profissional custa R$ 399 por mês, com dez usuários."
        )
        const lead = yield* askedLead
        const [queued] = yield* messages(lead)
        assert.include(queued?.body, "O plano Profissional custa R$ 399 por mês, com dez usuários.")
        assert.notInclude(queued?.body, "R$ 199")
        assert.deepStrictEqual(queued?.rests_on, [
          { kind: "business_file", business_file_id: id, sequence: 1, title: "Tabela" }
        ])
        assert.lengthOf(yield* sql`select from open_question_lead where lead_id = ${lead}`, 0)
        yield* answerOf(catalog, "remove_business_file", { business_file_id: id })
        const [kept, written] = yield* sendAndRewrite(lead)
        assert.deepInclude(kept, { status: "cancelled", reason: "knowledge_changed" })
        assert.notInclude(written?.body, "R$ 399")
        assert.lengthOf(yield* sql`select from open_question_lead where lead_id = ${lead}`, 1)
      })
    )
  )

  it.effect("a price list answers what a plan costs, in other words than its own, and with the whole row", () =>
    own(
      Effect.gen(function* () {
        yield* file(
          "# Planos\n| Plano | Preço por mês | Usuários |\n|---|---|---|\n| Essencial | R$ 199 | 3 |\n| Profissional | R$ 399 | 10 |\n\n# Contrato\nSem fidelidade. A implantação leva cinco dias úteis e não tem custo."
        )
        const [queued] = yield* messages(yield* askedLead)
        assert.include(queued?.body, "Profissional: preço por mês R$ 399 e usuários 10.")
        assert.notInclude(queued?.body, "199")
      })
    )
  )

  it.effect("a file with a word in common answers nothing", () =>
    own(
      Effect.gen(function* () {
        yield* file("# Suporte\nO plano de suporte atende das 8 às 18 horas.")
        const [queued] = yield* messages(yield* askedLead)
        assert.notInclude(queued?.body, "8 às 18")
        assert.deepStrictEqual(queued?.rests_on, [])
      })
    )
  )
})

layer(TestEngine, { excludeTestServices: true })("the end of a cadence", (it) => {
  it.effect("sets a lead aside that never answered, and no other", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const unit = yield* UnitOfWork
        const ledger = yield* TouchLedger
        const { accountId } = yield* Caller
        const statusAfter = (number: number, columns: { readonly [column: string]: string | null } = {}) =>
          Effect.gen(function* () {
            const lead = yield* insertLead({ next_touch_at: null, ...columns })
            const touches = yield* sql<{ readonly id: number }>`
              insert into touch (account_id, lead_id, touch_number, status, channel, message_type)
              values (${accountId}, ${lead}, ${number}, 'queued', 'email', 'follow_up') returning touch_id as id`
            yield* unit.write(
              ledger.sent([
                {
                  accountId,
                  leadId: lead,
                  touchId: TouchId.make(touches[0]?.id ?? 0),
                  channel: "email",
                  kind: "follow_up"
                }
              ])
            )
            const rows = yield* sql<{ readonly status: string }>`select status from lead where lead_id = ${lead}`
            return rows[0]?.status
          })
        assert.strictEqual(yield* statusAfter(5), "Cold")
        assert.strictEqual(yield* statusAfter(6), "Frozen")
        assert.strictEqual(yield* statusAfter(6, { status: "Interested" }), "Interested")
        assert.strictEqual(yield* statusAfter(6, { last_inbound_at: "2026-01-01T00:00:00Z" }), "Cold")
        assert.strictEqual(yield* statusAfter(6, { next_touch_at: "2030-01-01T00:00:00Z" }), "Cold")
      })
    )
  )
})
